import RPC
import SearchModel

/// The options of `search`.
extension CommandOption {
    static let source = CommandOption(
        "source",
        letter: "s",
        value: .text("NAME"),
        isRepeatable: true,
        help: "a source, or 'kakao.*'",
        manual: "Several may be given, also in one value with commas between them. Without it the daemon's "
            + "defaultSources are asked. “searchctl sources” lists the names.",
        suggestion: .sources
    )
    static let kind = CommandOption(
        "kind",
        letter: "k",
        value: .text("KIND"),
        isRepeatable: true,
        help: "sources of a kind: blog",
        manual: "With --source both must hold.",
        suggestion: .kinds
    )
    static let sort = CommandOption(
        "sort",
        value: .choice("ORDER", of: Sort.allCases.map(\.rawValue)),
        help: "relevance, recency, title",
        manual: "By relevance when not given. The source does it where it can, else the daemon sorts what it has."
    )
    static let limit = CommandOption(
        "limit",
        letter: "n",
        value: .number("N", in: WireBounds.limit),
        help: "how many hits; else \(WireBounds.limitDefault)",
        manual: "At most \(WireBounds.limit.upperBound)."
    )
    static let offset = CommandOption(
        "offset",
        value: .number("N", in: WireBounds.offset),
        help: "leave out the first N hits",
        manual: "At most \(WireBounds.offset.upperBound), and fewer of a list that is merged or sorted here."
    )
    static let page = CommandOption(
        "page",
        value: .number("N", in: 1...WireBounds.offset.upperBound + 1),
        help: "the Nth page of --limit",
        manual: "The pages before it may have as many hits as --offset may leave out."
    )
    static let all = CommandOption(
        "all",
        help: "every hit, page after page",
        manual: "It ends where the sources end, and prints as it goes; Ctrl-C ends it before. When the sources "
            + "fail on a later page it ends with a warning; with --strict, exit 3."
    )
    static let since = CommandOption(
        "since",
        value: .text("DATE"),
        help: "from 2024-03-09, 2024, 7d",
        manual: "Only hits published then or later: a day, a month, a year, or that long ago. Hits without a date "
            + "are left out."
    )
    static let until = CommandOption("until", value: .text("DATE"), help: "published then or before")
    static let fresh = CommandOption(
        "fresh",
        help: "ask the sources again",
        manual: "Whatever is cached; this costs calls of the sources' quotas."
    )
    static let maxAge = CommandOption(
        "max-age",
        value: .duration("TIME", in: SearchParameters.maxAgeRange),
        help: "how old an answer may be",
        manual: "A cached answer that is older, as 10m or 2h, is not taken. At most "
            + "\(DurationText.text(SearchParameters.maxAgeRange.upperBound))."
    )
    static let offline = CommandOption("offline", help: "only what is cached here")
    static let timeout = CommandOption(
        "timeout",
        value: .duration("TIME", in: SearchParameters.timeoutRange),
        help: "answer by then: 500ms, 5s",
        manual: "What has come by then is the answer; sources that have not answered are reported late. At most "
            + "\(DurationText.text(SearchParameters.timeoutRange.upperBound))."
    )
    static let option = CommandOption(
        "option",
        letter: "o",
        value: .text("S.KEY=V"),
        isRepeatable: true,
        help: "what one source takes",
        manual: "Such as naver.image.filter=large; “searchctl sources NAME” lists what a source takes.",
        suggestion: .sourceOptions
    )
    static let isPrivate = CommandOption(
        "private",
        help: "no cache, history or log",
        manual: "Nothing of this search is kept, here or in the daemon."
    )
    static let raw = CommandOption("raw", help: "the source's own document", manual: "With each hit of JSON, as raw.")
    static let explain = CommandOption(
        "explain",
        help: "how the answer came about",
        manual: "On standard error, a line for each step."
    )
    static let merged = CommandOption(
        "merged",
        help: "JSON too in one order",
        manual: "JSON lines of several sources are printed as they come: the first hits of each, up to an equal part "
            + "of --limit and one at least, and the best of the rest when all have answered or the time is up. With this option they "
            + "are printed then, all in one order, as every other format is. --sort, --page and --offset imply it."
    )
    static let unmerged = CommandOption(
        "unmerged",
        help: "each hit as it comes",
        manual: "In every format what JSON lines do by default: see --merged. A later page is always in order."
    )
    static let strict = CommandOption("strict", help: "exit 3 if a source failed")

    static let ofSearch = [
        source, kind, sort, merged, unmerged, limit, page, offset, all, since, until, fresh, maxAge, offline, timeout,
        option, isPrivate,
        strict, json, plain, format, field, raw, explain,
    ]
}
