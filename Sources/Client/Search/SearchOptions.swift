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
        help: "kakao.blog, kakao, @books, library (your saved items), seen (earlier hits)",
        manual:
            "A source (kakao.blog), an account (kakao: all of its sources), a profile (@books: a group of sources), a "
            + "pattern ('kakao.*'), library (your saved items), or seen (the hits of your searches). library and seen "
            + "cost no call. Separate several with commas. Default: defaultSources of the configuration, or @default. "
            + "“searchctl sources” lists all names.",
        suggestion: .sources
    )
    package static let kind = CommandOption(
        "kind",
        letter: "k",
        value: .text("KIND"),
        isRepeatable: true,
        help: "only hits of this kind: web, blog, news, book, image, app",
        manual: "With --source, a source must match both. “searchctl sources @books” lists sources with their kinds.",
        suggestion: .kinds
    )
    package static let sort = CommandOption(
        "sort",
        value: .choice("ORDER", of: Sort.allCases.map(\.rawValue)),
        help: "relevance (the default), recency, title",
        manual: "If a source does not support the order, the daemon sorts the hits that it has."
    )
    static let limit = limit("hits", standard: WireBounds.limitDefault)
    static let offset = CommandOption(
        "offset",
        value: .number("N", in: WireBounds.offset),
        help: "skip the first N hits",
        manual:
            "At most \(WireBounds.offset.upperBound), or \(WireBounds.mergedOffsetMax) if the list is merged or sorted."
    )
    static let page = CommandOption(
        "page",
        value: .number("N", in: 1...WireBounds.offset.upperBound + 1),
        help: "page N, with --limit hits per page"
    )
    static let all = CommandOption(
        "all",
        help: "every hit, page after page",
        manual:
            "Ends when the sources have no more hits, or with Ctrl-C. If the sources fail on a later page, it ends "
            + "with a warning; with --strict, with exit status 3."
    )
    static let site = CommandOption(
        "site",
        value: .text("HOST"),
        help: "only of example.org",
        manual:
            "Also matches subdomains. Like the other filters (--since, --until, --has), it examines the merged list "
            + "until enough hits match, but at most \(FigureText.grouped(WireBounds.filterLookedMax)) hits. With "
            + "--all, it examines every hit."
    )
    static let has = CommandOption(
        "has",
        value: .text("NAME"),
        isRepeatable: true,
        help: "only with thumbnail, author",
        manual:
            "snippet, url, author, published, thumbnail, extra, or a member of extra such as extra.price. Separate "
            + "several with commas; a hit must have all.",
        suggestion: .words("snippet", "url", "author", "published", "thumbnail", "extra")
    )
    static let since = CommandOption(
        "since",
        value: .text("DATE"),
        help: "since 2024-03-09, or 7d ago",
        manual:
            "Hits published at this time or later: a day, month or year, today, yesterday, or a time ago such as "
            + "30min, 12h, 7d, 2w, 6mo or 1y. Hits without a date are left out. The newest come first, unless --sort "
            + "is given or --until is more than a month ago."
    )
    static let until = CommandOption(
        "until",
        value: .text("DATE"),
        help: "published then or earlier",
        manual: "Written like --since. A date includes all of its day, month or year."
    )
    static let fresh = CommandOption(
        "fresh",
        help: "ask the sources again",
        manual: "Ignores the cache. Costs calls of the quotas."
    )
    static let maxAge = CommandOption(
        "max-age",
        value: .duration("TIME", in: CommandLineSearch.maxAgeRange),
        help: "how old a cached answer may be",
        manual: "Ignores older cached answers. A time such as 10m or 2h, at most "
            + "\(DurationText.text(CommandLineSearch.maxAgeRange.upperBound))."
    )
    static let offline = CommandOption(
        "offline",
        help: "only from this machine",
        manual:
            "Searches the cache and, without --source and --kind, library and seen. Each hit shows when it was fetched."
    )
    static let timeout = CommandOption(
        "timeout",
        value: .duration("TIME", in: CommandLineSearch.timeoutRange),
        help: "stop waiting after TIME",
        manual:
            "A time such as 500ms or 5s, at most \(DurationText.text(CommandLineSearch.timeoutRange.upperBound)). A "
            + "message names the sources that have not answered."
    )
    static let option = CommandOption(
        "option",
        letter: "o",
        value: .text("S.KEY=V"),
        isRepeatable: true,
        help: "an option of one source",
        manual: "For example naver.image.filter=large. “searchctl sources NAME” lists the options of a source.",
        suggestion: .sourceOptions
    )
    static let isPrivate = CommandOption("private", help: "no cache, history or log")
    static let noHistory = CommandOption(
        "no-history",
        help: "not recorded in the history",
        manual: "Searches whose output is not a terminal are never recorded."
    )
    static let raw = CommandOption(
        "raw",
        help: "the source's own document",
        manual: "With each hit of JSON, as raw; “show” also prints it below the text."
    )
    static let explain = CommandOption(
        "explain",
        help: "the steps of the search",
        manual: "Prints one line per step on standard error."
    )
    static let stream = CommandOption("stream", help: "print each hit as it arrives", manual: "Works with all formats.")
    static let typing = CommandOption(
        "typing",
        help: "for a launcher, at each key",
        manual: "Cached hits are printed at once. Otherwise the search starts after "
            + "\(CommandLineSearch.typingMilliseconds) ms, unless the launcher ends it at the next key. While the last "
            + "syllable is unfinished, no source is asked. An empty query finds nothing."
    )
    static let strict = CommandOption("strict", help: "exit 3 if a source failed or was left out")

    static let ofSearch = [
        source, kind, limit, page, sort, since, site, offline, json, all, offset, until, has, fresh, maxAge,
        timeout, option, noHistory, isPrivate, strict, plain, format, field, stream, typing, noPager, quiet, raw,
        explain,
    ]
}

/// An option of one source, such as `naver.image.filter=large`; pure.
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

    /// Reads numbers, `true`, `false` and quoted strings as JSON, and everything else as text.
    private static func value(_ text: String) -> JSONValue {
        guard let read = try? JSONDocument(Array(text.utf8), limits: .wire).root.value else { return .string(text) }
        return switch read {
        case .number, .bool, .string: read
        case .null, .array, .object: .string(text)
        }
    }
}

/// Translates errors about parameters to errors about options; pure.
enum OptionWords {
    /// Returns a sentence such as `rating: a rating is a number from 1 to 5.`.
    static func sentence(_ text: String, about subject: String) -> String {
        "\(subject): \(text.prefix(1).lowercased())\(text.dropFirst())"
    }

    /// Replaces `params.NAME: ` or `params.filter.NAME: ` in an error by the option.
    ///
    /// `query` and `offset` are the options of these parameters; empty if they are words of the command line.
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
        if name == "offset" { translated.hint = "To get all pages, use --all." }
        return translated
    }
}
