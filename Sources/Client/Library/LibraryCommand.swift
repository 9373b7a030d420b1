import JSON
import RPC
import SearchModel

/// The command `searchctl library`, which lists, exports, imports, refreshes and backs up saved items.
enum LibraryCommand {
    private static let actions: [(name: String, options: [CommandOption], wordsMax: Int)] = [
        ("export", CommandOption.ofExport, 0), ("import", [.json, .plain], 1), ("refresh", [.json, .plain], .max),
        ("backup", [.json, .plain], 0),
    ]

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        guard let word = context.arguments.words.first else {
            if let format = context.arguments.text(.libraryFormat), !HitFormat.names.contains(format) {
                guard !ExportFormat.names.contains(format) else {
                    throw ClientError(.usage, "--format \(format) works only with “library export”")
                }
                _ = try OptionReader.value(format, of: .format, typed: "--format")
            }
            return try LibraryListCommand(context).run()
        }
        guard let action = actions.first(where: { $0.name == word }) else {
            let group = ["genre", "kind", "source", "tag", "month"].first { [$0, $0 + "s"].contains(word) }
            let hint =
                group.map { "“searchctl library --group-by \($0)” groups the items." }
                ?? ClientError.guess(word, among: actions.map(\.name))
                ?? "“searchctl library -q \(word)” finds saved items."
            throw ClientError(.usage, "“library” has no action “\(word)”", hint: hint)
        }
        try context.arguments.allow(action.options, of: CommandOption.ofLibrary, in: "library \(word)")
        let words = Array(context.arguments.words.dropFirst())
        guard words.count <= action.wordsMax else {
            let hint = word == "export" ? "“export” prints the items. Write “>” before the name of a file." : nil
            throw ClientError(.usage, "“library \(word)” does not take “\(words[action.wordsMax])”", hint: hint)
        }
        switch word {
        case "export": return try ExportCommand.run(context)
        case "import": return try ImportCommand.run(words.first, context).status
        case "refresh": return try refresh(words, context)
        default: return try backup(context)
        }
    }

    private static func refresh(_ words: [String], _ context: Context) throws(ClientError) -> ExitStatus {
        let call = try LibraryCall(context)
        let ids = words.isEmpty ? [] : try call.ids(words)
        let params = JSONWriter.bytes { writer in if !ids.isEmpty { writer.member(.ids, ids) } }
        let result = try call.ask(.libraryRefresh, params)
        let (queued, left) = (result[.queued]?.int ?? 0, result[.left]?.int ?? 0)
        var lines = queued + left == 0 ? ["There is nothing to look up."] : []
        if queued > 0 {
            lines.append("\(NumberText.count(queued, "item")) will be looked up when the sources have quota to spare.")
        }
        if left > 0 {
            lines.append("\(NumberText.count(left, "item")) can't be looked up, because the source has no lookups.")
        }
        try context.report(json: [result.text], or: lines)
        return queued > 0 ? .found : .nothingFound
    }

    private static func backup(_ context: Context) throws(ClientError) -> ExitStatus {
        let call = try LibraryCall(context)
        let result = try call.ask(.libraryBackup, Array("{}".utf8))
        let copies = try call.ask(.stats)[.personal]?[.copies]?.elements ?? []
        let copy = copies.first { $0[.at]?.string == result[.at]?.string }?[.file]?.string
        let items = NumberText.count(result[.items]?.int ?? 0, "item")
        let place = copy.map { " to \(VisibleText.visible($0))" } ?? ""
        let line = "Copied \(items), \(NumberText.bytes(result[.bytes]?.int ?? 0))\(place)"
        try context.report(json: [result.text], or: [line])
        return .found
    }

    @Sendable static func suggestions(behind words: [String]) -> [Suggestion] {
        switch words.first {
        case nil: [.words(actions.map { Candidate($0.name, "") })]
        case "import": words.count == 1 ? [.files] : []
        case "refresh": [.hits, .saved]
        default: []
        }
    }
}

extension CommandOption {
    static let libraryQuery = CommandOption(
        "query",
        letter: "q",
        value: .text("WORDS"),
        help: "only items with these words",
        manual: "Searches the title, snippet, author, notes and tags. Each of WORDS may be incomplete, initials "
            + "(ㄱㅇㅇ), or typed in the wrong keyboard layout."
    )
    static let librarySource = CommandOption(
        "source",
        letter: "s",
        value: .text("NAME"),
        isRepeatable: true,
        help: "only items of this source",
        manual: "NAME is a source (kakao.blog), an account (kakao), or a pattern ('kakao.*').",
        suggestion: .sourceGlobs
    )
    static let libraryTag = CommandOption(
        "tag",
        value: .text("WORD"),
        isRepeatable: true,
        help: "only items with this tag",
        manual: "If several tags are given, an item must have all of them.",
        suggestion: .tags
    )
    static let librarySort = CommandOption(
        "sort",
        value: .choice("ORDER", of: ["saved", "published", "title", "relevance", "rating"]),
        help: "the order of the items: saved, published, title, relevance, rating",
        manual: "The default is “saved”, or “relevance” with --query. With “saved” and “published”, the latest item "
            + "comes first. With “rating”, the best item comes first."
    )
    static let groupBy = CommandOption(
        "group-by",
        value: .choice("WHAT", of: ["genre", "kind", "source", "tag", "month"]),
        help: "group the items by genre, kind, source, tag or month",
        manual: "The largest group comes first. month is the month in which an item was saved. Items with several tags "
            + "are in several groups. In a pipe, each item has a member “group” with the name of its group."
    )
    static let libraryLimit = limit(
        "items",
        standard: WireBounds.libraryLimitDefault,
        manual: "With --group-by, N is the number of items in each group."
    )
    static let libraryFormat = CommandOption(
        "format",
        value: .text("FORMAT"),
        help: "the format: csv, html, markdown, …",
        manual: "For a list, FORMAT is one of \(HitFormat.names.joined(separator: ", ")), as with search. For an "
            + "export, it is one of \(ExportFormat.names.joined(separator: ", ")).",
        suggestion: .words(Set(HitFormat.names + ExportFormat.names).sorted().map { Candidate($0, "") })
    )
    static let ofLibrary = [
        libraryQuery, kind, librarySource, libraryTag, groupBy, librarySort, libraryLimit, page,
        json,
        plain, libraryFormat, field, noPager,
    ]
    static let ofFilter = [libraryQuery, kind, librarySource, libraryTag]
    static let ofExport = ofFilter + [libraryFormat, json, plain]
}
