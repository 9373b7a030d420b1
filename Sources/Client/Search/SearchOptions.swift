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
        help: "what to search: kakao.blog, kakao, @books, library (saved items), seen (earlier hits)",
        manual:
            "NAME is a source (kakao.blog), an account (kakao: all of its sources), a profile (@books: a group of "
            + "sources), a pattern ('kakao.*'), library (your saved items), or seen (the hits of your earlier "
            + "searches). library and seen cost no call. Separate several names with commas. The default is "
            + "defaultSources in the configuration, or @default. “searchctl sources” lists all names.",
        suggestion: .sources
    )
    package static let kind = CommandOption(
        "kind",
        letter: "k",
        value: .text("KIND"),
        isRepeatable: true,
        help: "only hits of this kind, such as web, blog, news, book, image or app",
        manual: "With --source, a source must match both options. “searchctl sources @books” shows the kinds.",
        suggestion: .kinds
    )
    package static let sort = CommandOption(
        "sort",
        value: .choice("ORDER", of: Sort.allCases.map(\.rawValue)),
        help: "the order of the hits: relevance (the default), recency, title",
        manual: "If a source does not support the order, the daemon sorts the source's first hits."
    )
    static let limit = limit("hits", standard: WireBounds.limitDefault, or: ", or fewer on a small terminal")
    static let page = CommandOption(
        "page",
        value: .number("N", in: 1...Int.max),
        help: "print page N; a page has --limit hits",
        manual:
            "A list that the daemon merges or sorts has at most \(NumberText.grouped(WireBounds.mergedOffsetMax)) hits."
    )
    static let all = CommandOption(
        "all",
        help: "print the hits of all pages",
        manual:
            "The search ends when the sources have no more hits, or with Ctrl-C. If all sources fail on a later page, "
            + "the search ends with a warning. With --strict, the exit status is then 3."
    )
    static let site = CommandOption(
        "site",
        value: .text("HOST"),
        help: "only hits of this host, such as example.org",
        manual:
            "Hits of subdomains of HOST match, too. The filters --site, --since, --until and --has examine the merged "
            + "list until enough hits match, but at most \(NumberText.grouped(WireBounds.filterLookedMax)) hits. With "
            + "--all, they examine every hit."
    )
    static let has = CommandOption(
        "has",
        value: .text("NAME"),
        isRepeatable: true,
        help: "only hits that have this member, such as thumbnail or author",
        manual:
            "NAME is snippet, url, author, published, thumbnail, extra, or a member of extra such as extra.price. "
            + "Separate several names with commas. A hit must have all of them.",
        suggestion: .words("snippet", "url", "author", "published", "thumbnail", "extra")
    )
    static let since = CommandOption(
        "since",
        value: .text("DATE"),
        help: "only hits published since DATE, such as 2024-03-09 or 7d",
        manual:
            "DATE is a day, a month, a year, today, yesterday, or a time before now: 30min, 12h, 7d, 2w, 6mo (180 "
            + "days) or 1y. Hits without a date are left out. The newest hits come first, unless --sort is given or "
            + "--until is more than a month ago."
    )
    static let until = CommandOption(
        "until",
        value: .text("DATE"),
        help: "only hits published until DATE",
        manual: "DATE is written as for --since. The whole day, month or year is included."
    )
    static let fresh = CommandOption(
        "fresh",
        help: "ignore cached answers",
        manual: "The sources are asked again, which uses calls of their quotas. “read” fetches the page again."
    )
    static let maxAge = CommandOption(
        "max-age",
        value: .duration("TIME", in: CommandLineSearch.maxAgeRange),
        help: "ignore cached answers that are older than TIME (without a unit: seconds)",
        manual: "TIME is for example 10m or 2h, at most "
            + "\(DurationText.text(CommandLineSearch.maxAgeRange.upperBound))."
    )
    static let offline = CommandOption(
        "offline",
        help: "ask no source; use only data on this machine",
        manual:
            "A search uses the cache and, without --source and --kind, also “library” and “seen”. Each hit shows "
            + "when it was fetched."
    )
    static let timeout = CommandOption(
        "timeout",
        value: .duration("TIME", in: CommandLineSearch.timeoutRange),
        help: "stop waiting after TIME (without a unit: seconds)",
        manual:
            "TIME is for example 500ms or 5s, at most \(DurationText.text(CommandLineSearch.timeoutRange.upperBound)). "
            + "A search waits for all sources until TIME has passed. A message lists the sources that have not answered."
    )
    static let option = CommandOption(
        "option",
        letter: "o",
        value: .text("S.KEY=V"),
        isRepeatable: true,
        help: "set an option of one source",
        manual: "An example is naver.image.filter=large. “searchctl sources NAME” lists the options of a source.",
        suggestion: .sourceOptions
    )
    static let isPrivate = CommandOption("private", help: "store nothing in the cache, the history or a log")
    static let noHistory = CommandOption(
        "no-history",
        help: "do not record the query in the history",
        manual: "If the output is not a terminal, the query is never recorded."
    )
    static let raw = CommandOption(
        "raw",
        help: "add the source's own document to each hit",
        manual: "In JSON, the document is the member raw of a hit. “show” also prints it below the text."
    )
    static let explain = CommandOption(
        "explain",
        help: "print the steps of the search",
        manual: "Prints one line per step to standard error."
    )
    static let stream = CommandOption(
        "stream",
        help: "print each hit as it arrives",
        manual: "Works with all formats. In JSON, the hits have no members alsoFrom, saved and age, because only the "
            + "final answer of searchd has them."
    )
    static let typing = CommandOption(
        "typing",
        help: "for launchers, which search after each keystroke",
        manual: "The launcher should end the previous searchctl at each keystroke. Cached hits are printed at once. If "
            + "the query is not cached, searchctl waits \(CommandLineSearch.typingMilliseconds) ms before it asks the "
            + "sources. While the last Korean syllable is incomplete, no source is asked. An empty query finds nothing."
    )
    static let strict = CommandOption("strict", help: "exit with status 3 if a source failed or reached a limit")

    static let waitForAll = CommandOption("wait-for-all", help: "wait for slow sources")

    static let ofSearch = [
        source, kind, limit, page, sort, since, site, offline, json, all, until, has, fresh, maxAge,
        timeout, option, noHistory, isPrivate, strict, plain, format, field, stream, typing, noPager, quiet, raw,
        explain,
    ]
}

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

    /// Reads numbers, `true`, `false` and quoted strings as JSON, and all other words as text.
    private static func value(_ text: String) -> JSONValue {
        guard let read = try? JSONDocument(Array(text.utf8), limits: .wire).root.value else { return .string(text) }
        return switch read {
        case .number, .bool, .string: read
        case .null, .array, .object: .string(text)
        }
    }
}

/// Replaces the names of parameters in the daemon's errors with the names of options.
enum OptionWords {
    static func sentence(_ text: String, about subject: String) -> String {
        "\(subject): \(text.prefix(1).lowercased())\(text.dropFirst())"
    }

    static func translate(_ error: ClientError, query: String = "--query") -> ClientError {
        var error = error
        error.hint = error.hint?.replacing("library/list", with: "“searchctl library”")
            .replacing("library/get", with: "“searchctl show”").replacing("source/list", with: "“searchctl sources”")
        guard error.code == .init(.invalidParams), let full = error.path, full.hasPrefix("params.") else {
            return error
        }
        let whole = full.dropFirst("params.".count)
        let path = whole.hasPrefix("filter.") ? whole.dropFirst("filter.".count) : whole
        let name = path.prefix { $0.isLetter }
        let option =
            switch name {
            case "query": query
            case "offset": "--page"
            case "id", "ids", "items", "add", "prefix", "used": ""
            case "note": "note"
            case "cursor": "--all"
            case "sources", "kinds", "tags", "options": "--\(name.dropLast())"
            default: "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
            }
        let rest = path[name.endIndex...].drop { $0 == "[" || $0 == "]" || $0.isNumber || $0 == "." }
        let subject = [option, String(rest)].filter { !$0.isEmpty }.joined(separator: " ")
        let text = error.messageWithoutPath.replacing("\"\(name)\" is not", with: "it is not")
        error.message = subject.isEmpty ? text : sentence(text, about: subject)
        if let hint = error.hint, hint.hasPrefix("Give "), text.hasSuffix(hint.dropFirst(5).dropLast()) {
            error.hint = nil
        }
        if name == "offset" { error.hint = "To get all pages, use --all." }
        return error
    }
}
