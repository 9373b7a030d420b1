import JSON
import RPC
import SearchModel

/// The options of `search`.
extension CommandOption {
    package static let source = CommandOption(
        "source",
        letter: "s",
        value: .text("NAME"),
        isRepeatable: true,
        help: "kakao.blog, kakao, @books",
        manual:
            "A source (kakao.blog), an account (kakao, all of its sources), a profile (@books, a group of sources), a "
            + "pattern ('kakao.*'), or what is yours: library, what you have saved, and seen, what your searches have "
            + "brought, both without a call. Several may be given, also in one value with commas between them; without it, the profile "
            + "@default is searched, or the configuration's defaultSources. “searchctl sources” lists all names.",
        suggestion: .sources
    )
    package static let kind = CommandOption(
        "kind",
        letter: "k",
        value: .text("KIND"),
        isRepeatable: true,
        help: "sources of a kind: blog",
        manual: "With --source both must hold.",
        suggestion: .kinds
    )
    package static let sort = CommandOption(
        "sort",
        value: .choice("ORDER", of: Sort.allCases.map(\.rawValue)),
        help: "relevance (the default), recency, title",
        manual: "The source does it where it can, else the daemon sorts what it has."
    )
    static let limit = CommandOption(
        "limit",
        letter: "n",
        value: .number("N", in: WireBounds.limit),
        help: "number of hits (default \(WireBounds.limitDefault))",
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
        manual: "The hits of the pages before it are left out, at most as many as with --offset."
    )
    static let all = CommandOption(
        "all",
        help: "every hit, page after page",
        manual: "Prints until the sources have no more; Ctrl-C ends it before. When the sources fail on a later page, "
            + "it ends with a warning; with --strict, exit 3."
    )
    static let site = CommandOption(
        "site",
        value: .text("HOST"),
        help: "only of example.org",
        manual:
            "Only hits whose address is on that host or on one under it. As with the other filters (--since, --until, "
            + "--has), the merged list is looked through until the list is full, at most "
            + "\(FigureText.grouped(WireBounds.filterLookedMax)) hits of it; --all looks at all."
    )
    static let has = CommandOption(
        "has",
        value: .text("NAME"),
        isRepeatable: true,
        help: "only with thumbnail, author",
        manual:
            "Only hits that have it: snippet, url, author, published, thumbnail, extra, or one of extra as extra.price. "
            + "Several may be given, also in one value with commas between them; all must hold.",
        suggestion: .words("snippet", "url", "author", "published", "thumbnail", "extra")
    )
    static let since = CommandOption(
        "since",
        value: .text("DATE"),
        help: "from 2024-03-09, 7d; newest first",
        manual: "Only hits published then or later: a local day, month or year, today, yesterday, or that long ago as "
            + "30min, 12h, 7d, 2w, 6mo or 1y. Hits without a date are left out. The newest come first unless --sort says "
            + "otherwise, or --until lies more than a month back; then the search ends where the date is passed."
    )
    static let until = CommandOption(
        "until",
        value: .text("DATE"),
        help: "published then or before",
        manual: "Written as with --since; all of that day, month or year belongs to it."
    )
    static let fresh = CommandOption(
        "fresh",
        help: "ask the sources again",
        manual: "Ignores the cache, and costs calls of the sources' quotas."
    )
    static let maxAge = CommandOption(
        "max-age",
        value: .duration("TIME", in: SearchParameters.maxAgeRange),
        help: "how old an answer may be",
        manual: "Cached answers that are older are not used. Such as 10m or 2h, at most "
            + "\(DurationText.text(SearchParameters.maxAgeRange.upperBound))."
    )
    static let offline = CommandOption(
        "offline",
        help: "only what is on this machine",
        manual: "The cache and, without --source and --kind, what you have saved (library) and what your searches have "
            + "brought (seen); each hit says how long ago it was fetched."
    )
    static let timeout = CommandOption(
        "timeout",
        value: .duration("TIME", in: SearchParameters.timeoutRange),
        help: "stop waiting after TIME",
        manual:
            "Such as 500ms or 5s. What has come until then is the answer; sources that have not answered are named. At most "
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
    static let noHistory = CommandOption(
        "no-history",
        help: "not recorded in the history",
        manual: "Searches whose output is not a terminal are never recorded."
    )
    static let raw = CommandOption("raw", help: "the source's own document", manual: "With each hit of JSON, as raw.")
    static let explain = CommandOption(
        "explain",
        help: "how the answer came about",
        manual: "On standard error, a line for each step."
    )
    static let stream = CommandOption(
        "stream",
        help: "each hit as it comes",
        manual: "In every format. Without it, hits are printed in merged order once the sources have answered."
    )
    static let typing = CommandOption(
        "typing",
        help: "for a launcher, at each key",
        manual: "The query is still being typed. What is cached is printed at once; otherwise the search begins after "
            + "\(SearchParameters.typingMilliseconds) ms, so that one that is ended by the next key costs nothing. While "
            + "the last syllable is unfinished, nothing is asked: what is cached of your latest query that begins so is "
            + "printed. An empty query finds nothing."
    )
    static let strict = CommandOption("strict", help: "exit 3 if a source failed")

    static let ofSearch = [
        source, kind, limit, page, sort, since, site, offline, long, json, offset, all, until, has, fresh, maxAge,
        timeout, option, noHistory, isPrivate, strict, plain, format, field, stream, typing, noPager, quiet, raw,
        explain,
    ]
}

/// What one source takes beyond the common parameters, as `naver.image.filter=large`; pure.
struct SourceOption: Equatable {
    let source: String
    let key: String
    let value: JSONValue

    init(_ text: String) throws(ClientError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let dot = parts[0].lastIndex(of: "."), dot > parts[0].startIndex,
            parts[0].index(after: dot) < parts[0].endIndex
        else {
            throw ClientError(
                .usage,
                "“\(text)” is not an option of a source",
                hint: "Write SOURCE.KEY=VALUE, such as naver.image.filter=large"
            )
        }
        source = String(parts[0][..<dot])
        key = String(parts[0][parts[0].index(after: dot)...])
        value = Self.value(String(parts[1]))
    }

    /// Numbers, `true`, `false` and quoted strings are what JSON takes them for; everything else is text as it stands.
    private static func value(_ text: String) -> JSONValue {
        guard let read = try? JSONDocument(Array(text.utf8), limits: .wire).root.value else { return .string(text) }
        return switch read {
        case .number, .bool, .string: read
        case .null, .array, .object: .string(text)
        }
    }
}

/// What the daemon says of a parameter, said of the option that it came from; pure.
enum OptionWords {
    /// How each parameter was given on the command line; the text is empty when it has no option.
    typealias Names = [(parameter: Member, option: String)]

    /// The words of a search's command line.
    static func names(of arguments: Arguments) -> Names {
        [
            (.query, ""), (.site, "--site"), (.since, "--since"), (.until, "--until"), (.has, "--has"),
            (.sources, "--source"), (.kinds, "--kind"), (.options, "--option"), (.cursor, "--all"),
            (.sort, "--sort"), (.limit, "--limit"), (.timeout, "--timeout"), (.maxAge, "--max-age"),
            (.offline, "--offline"), (.raw, "--raw"), (.explain, "--explain"), (.private, "--private"),
            (.offset, arguments.number(.page).map { "--page \($0)" } ?? "--offset"),
        ]
    }

    /// A sentence of the daemon behind what it is about: `rating: a rating is a number from 1 to 5.`.
    static func sentence(_ text: String, about subject: String) -> String {
        "\(subject): \(text.prefix(1).lowercased())\(text.dropFirst())"
    }

    /// An error as it is, but for `params.NAME: ` or `params.filter.NAME: ` in front.
    static func translate(_ error: ClientError, _ names: Names) -> ClientError {
        let prefix = error.message.hasPrefix("params.filter.") ? "params.filter." : "params."
        guard error.message.hasPrefix(prefix), let colon = error.message.firstIndex(of: ":") else { return error }
        let path = error.message[..<colon].dropFirst(prefix.count)
        let name = path.prefix { $0.isLetter }
        guard let (parameter, said) = names.first(where: { $0.parameter.description == name }) else { return error }
        // Which of several words is behind the dot; the number of a list's element says nothing to a person.
        let rest = path[name.endIndex...].drop { $0 == "[" || $0 == "]" || $0.isNumber }
        var translated = error
        let detail = rest.isEmpty ? "" : " \(rest.drop { $0 == "." })"
        let text = error.message[colon...].dropFirst(2).replacing("\"\(name)\" is not", with: "it is not")
        let subject = said.isEmpty ? String(detail.dropFirst()) : said + detail
        translated.message = subject.isEmpty ? String(text) : sentence(String(text), about: subject)
        // A hint that only repeats what is expected is not worth a second sentence.
        if let hint = error.hint, hint.hasPrefix("Give "), text.hasSuffix(hint.dropFirst(5).dropLast()) {
            translated.hint = nil
        }
        if parameter == .offset, error.message.contains("filter") {
            translated.hint = "Take every page from the first with --all."
        } else if parameter == .offset {
            translated.hint = "Take every page from the first with --all, or name a single source."
        }
        return translated
    }
}
