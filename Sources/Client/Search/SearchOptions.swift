/// The options of `search`.
extension CommandOption {
    static let source = CommandOption(
        "source",
        letter: "s",
        value: .text("NAME"),
        isRepeatable: true,
        help: "a source or a glob of them, such as 'kakao.*'"
    )
    static let kind = CommandOption(
        "kind",
        letter: "k",
        value: .text("KIND"),
        isRepeatable: true,
        help: "sources of a kind, such as blog or book"
    )
    static let sort = CommandOption(
        "sort",
        value: .choice("ORDER", of: ["relevance", "recency", "title"]),
        help: "relevance, recency or title"
    )
    static let limit = CommandOption(
        "limit",
        letter: "n",
        value: .number("N", in: SearchParameters.limitRange),
        help: "how many hits; else \(SearchParameters.limitDefault)"
    )
    static let offset = CommandOption(
        "offset",
        value: .number("N", in: 0...1_000_000),
        help: "leave out the first N hits"
    )
    static let page = CommandOption(
        "page",
        value: .number("N", in: 1...1_000_000),
        help: "the Nth page of --limit hits"
    )
    static let all = CommandOption("all", help: "every hit there is, page after page")
    static let since = CommandOption(
        "since",
        value: .text("DATE"),
        help: "published then or later: 2024-03-09, 2024, 7d"
    )
    static let until = CommandOption("until", value: .text("DATE"), help: "published then or before")
    static let fresh = CommandOption("fresh", help: "ask the sources, whatever is cached")
    static let maxAge = CommandOption("max-age", value: .duration("TIME"), help: "how old a cached answer may be: 10m")
    static let offline = CommandOption("offline", help: "only what is already on this machine")
    static let timeout = CommandOption(
        "timeout",
        value: .duration("TIME"),
        help: "what has come by then is the answer: 500ms, 5s"
    )
    static let option = CommandOption(
        "option",
        letter: "o",
        value: .text("S.KEY=VALUE"),
        isRepeatable: true,
        help: "what a source takes beyond this"
    )
    static let isPrivate = CommandOption("private", help: "keep nothing of this search: no cache, no history, no log")
    static let raw = CommandOption("raw", help: "with each hit the source's own document")
    static let explain = CommandOption("explain", help: "tell on standard error how the answer came about")
    static let strict = CommandOption("strict", help: "exit 3 when any source failed")

    static let ofSearch = [
        source, kind, sort, limit, page, offset, all, since, until, fresh, maxAge, offline, timeout, option, isPrivate,
        strict, json, plain, format, field, raw, explain,
    ]
}
