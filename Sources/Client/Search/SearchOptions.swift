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
        help: "kakao.blog, kakao, @books, library (saved), seen (before)",
        manual:
            "A source (kakao.blog), an account (kakao, all of its sources), a profile (@books, a group of sources), a "
            + "pattern ('kakao.*'), library (your saved items), or seen (the hits of your searches); the last two cost "
            + "no call. Several are separated by commas. The default is the configuration's defaultSources, else "
            + "@default. “searchctl sources” lists all names.",
        suggestion: .sources
    )
    package static let kind = CommandOption(
        "kind",
        letter: "k",
        value: .text("KIND"),
        isRepeatable: true,
        help: "only hits of this kind: web, blog, news, book, image, app",
        manual: "With --source, both must match. “searchctl sources @books” lists sources with their kinds.",
        suggestion: .kinds
    )
    package static let sort = CommandOption(
        "sort",
        value: .choice("ORDER", of: Sort.allCases.map(\.rawValue)),
        help: "relevance (the default), recency, title",
        manual: "By the source where possible, otherwise the daemon sorts the hits that it has."
    )
    static let limit = limit("hits", standard: WireBounds.limitDefault)
    static let offset = CommandOption(
        "offset",
        value: .number("N", in: WireBounds.offset),
        help: "leave out the first N hits",
        manual: "At most \(WireBounds.offset.upperBound), and fewer of a merged or sorted list."
    )
    static let page = CommandOption(
        "page",
        value: .number("N", in: 1...WireBounds.offset.upperBound + 1),
        help: "the Nth page of --limit"
    )
    static let all = CommandOption(
        "all",
        help: "every hit, page after page",
        manual:
            "Until the sources have no more, or Ctrl-C. If the sources fail on a later page, it ends with a warning; "
            + "with --strict, exit 3."
    )
    static let site = CommandOption(
        "site",
        value: .text("HOST"),
        help: "only of example.org",
        manual:
            "The host or one under it. Like the other filters (--since, --until, --has), it looks through the merged "
            + "list until enough hits match, but at most at \(FigureText.grouped(WireBounds.filterLookedMax)) hits; with "
            + "--all at every hit."
    )
    static let has = CommandOption(
        "has",
        value: .text("NAME"),
        isRepeatable: true,
        help: "only with thumbnail, author",
        manual:
            "snippet, url, author, published, thumbnail, extra, or a member of extra such as extra.price. Several are "
            + "separated by commas; all must match.",
        suggestion: .words("snippet", "url", "author", "published", "thumbnail", "extra")
    )
    static let since = CommandOption(
        "since",
        value: .text("DATE"),
        help: "from 2024-03-09, 7d; newest first",
        manual:
            "Published then or later: a day, month or year, today, yesterday, or a time ago such as 30min, 12h, 7d, "
            + "2w, 6mo or 1y. Hits without a date are left out. The newest come first, unless --sort says otherwise or "
            + "--until is more than a month ago."
    )
    static let until = CommandOption(
        "until",
        value: .text("DATE"),
        help: "published then or before",
        manual: "Written as with --since; all of that day, month or year is included."
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
        manual: "Ignores older cached answers. Such as 10m or 2h, at most "
            + "\(DurationText.text(SearchParameters.maxAgeRange.upperBound))."
    )
    static let offline = CommandOption(
        "offline",
        help: "only from this machine",
        manual:
            "The cache and, without --source and --kind, library and seen. Each hit says how long ago it was fetched."
    )
    static let timeout = CommandOption(
        "timeout",
        value: .duration("TIME", in: SearchParameters.timeoutRange),
        help: "stop waiting after TIME",
        manual:
            "Such as 500ms or 5s, at most \(DurationText.text(SearchParameters.timeoutRange.upperBound)). Sources that "
            + "have not answered are named."
    )
    static let option = CommandOption(
        "option",
        letter: "o",
        value: .text("S.KEY=V"),
        isRepeatable: true,
        help: "an option of one source",
        manual: "Such as naver.image.filter=large; “searchctl sources NAME” lists the options of a source.",
        suggestion: .sourceOptions
    )
    static let isPrivate = CommandOption("private", help: "no cache, history or log")
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
    static let stream = CommandOption("stream", help: "each hit as it comes", manual: "In every format.")
    static let typing = CommandOption(
        "typing",
        help: "for a launcher, at each key",
        manual: "Cached hits are printed at once; otherwise the search begins after "
            + "\(SearchParameters.typingMilliseconds) ms, unless the next key ends it first. While the last syllable is "
            + "unfinished, no source is asked. An empty query finds nothing."
    )
    static let strict = CommandOption("strict", help: "exit 3 if a source failed or was left out")

    static let ofSearch = [
        source, kind, limit, page, sort, since, site, offline, json, all, offset, until, has, fresh, maxAge,
        timeout, option, noHistory, isPrivate, strict, plain, format, field, stream, typing, noPager, quiet, raw,
        explain,
    ]
}

/// An option of one source: `naver.image.filter=large`; pure.
struct SourceOption: Equatable {
    let source: String
    let key: String
    let value: JSONValue

    init(_ text: String) throws(ClientError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let dot = parts[0].lastIndex(of: "."), dot > parts[0].startIndex,
            parts[0].index(after: dot) < parts[0].endIndex
        else {
            let hint = "Write SOURCE.KEY=VALUE, such as naver.image.filter=large."
            throw ClientError(.usage, "“\(text)” is not an option of a source", hint: hint)
        }
        source = String(parts[0][..<dot])
        key = String(parts[0][parts[0].index(after: dot)...])
        value = Self.value(String(parts[1]))
    }

    /// Numbers, `true`, `false` and quoted strings are JSON; everything else is text.
    private static func value(_ text: String) -> JSONValue {
        guard let read = try? JSONDocument(Array(text.utf8), limits: .wire).root.value else { return .string(text) }
        return switch read {
        case .number, .bool, .string: read
        case .null, .array, .object: .string(text)
        }
    }
}

/// Errors about parameters, as errors about options; pure.
enum OptionWords {
    /// `rating: a rating is a number from 1 to 5.`.
    static func sentence(_ text: String, about subject: String) -> String {
        "\(subject): \(text.prefix(1).lowercased())\(text.dropFirst())"
    }

    /// The error, with the option in place of `params.NAME: ` or `params.filter.NAME: `.
    ///
    /// `query` and `offset` are the options of these parameters; empty for words.
    static func translate(_ error: ClientError, query: String = "--query", offset: String = "--page") -> ClientError {
        var error = error
        error.hint = error.hint?.replacing("library/list", with: "“searchctl library”")
            .replacing("library/get", with: "“searchctl show”")
        // An error about an item or a note names it only in the path.
        if let path = error.path, path.hasPrefix("params."), error.code == .init(.invalidParams),
            !error.message.hasPrefix("params.")
        {
            error.message = "\(path): \(error.message)"
        }
        let prefix = error.message.hasPrefix("params.filter.") ? "params.filter." : "params."
        guard error.message.hasPrefix(prefix), let colon = error.message.firstIndex(of: ":") else { return error }
        let path = error.message[..<colon].dropFirst(prefix.count)
        let name = path.prefix { $0.isLetter }
        let option =
            switch name {
            case "query": query
            case "offset": offset
            case "id", "ids", "items", "add", "prefix": ""
            case "note": "note"
            case "cursor": "--all"
            case "sources", "kinds", "tags", "options": "--\(name.dropLast())"
            default: "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
            }
        // The word after the dot is kept, the index of a list is not.
        let rest = path[name.endIndex...].drop { $0 == "[" || $0 == "]" || $0.isNumber || $0 == "." }
        let subject = [option, String(rest)].filter { !$0.isEmpty }.joined(separator: " ")
        let text = error.message[colon...].dropFirst(2).replacing("\"\(name)\" is not", with: "it is not")
        var translated = error
        translated.message = subject.isEmpty ? String(text) : sentence(String(text), about: subject)
        // The hint only repeats the message.
        if let hint = error.hint, hint.hasPrefix("Give "), text.hasSuffix(hint.dropFirst(5).dropLast()) {
            translated.hint = nil
        }
        if name == "offset" { translated.hint = "Take every page from the first with --all." }
        return translated
    }
}
