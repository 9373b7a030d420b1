import JSON
import RPC
import SearchModel

/// `searchctl library`: what is saved, in a list or in groups; followed, exported, imported, looked up again.
enum LibraryCommand {
    /// What can be done with a library besides listing it.
    enum Action: String, CaseIterable {
        case export
        case `import`
        case refresh
        case backup
    }

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        guard let word = arguments.words.first else { return try list(arguments, context) }
        let words = Array(arguments.words.dropFirst())
        switch Action(rawValue: word) {
        case .export:
            try check(arguments, of: "library export", takes: CommandOption.ofExport, words: words, atMost: 0)
            return try ExportCommand.run(arguments, context)
        case .import:
            try check(arguments, of: "library import", takes: [.json, .plain], words: words, atMost: 1)
            return try ImportCommand.run(words.first, arguments, context)
        case .refresh:
            try check(arguments, of: "library refresh", takes: [.json, .plain], words: words, atMost: .max)
            return try refresh(words, arguments, context)
        case .backup:
            try check(arguments, of: "library backup", takes: [.json, .plain], words: words, atMost: 0)
            return try backup(arguments, context)
        case nil:
            throw ClientError(
                .usage,
                "“library” does not know “\(word)”",
                hint: ClientError.guess(word, among: Action.allCases.map(\.rawValue))
                    ?? "“searchctl library -q \(word)” looks for it among what is saved."
            )
        }
    }

    private static func list(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        if arguments.has(.watch) {
            try check(arguments, of: "library --watch", takes: [.watch, .json, .plain], words: [], atMost: 0)
            return try LibraryWatch.run(arguments, context)
        }
        if let format = arguments.text(.libraryFormat), !HitFormat.names.contains(format) {
            throw ClientError(.usage, "--format \(format) goes with “library export” only")
        }
        return try LibraryListing(arguments, context).run()
    }

    /// Looks saved items up again when their sources have quota to spare.
    private static func refresh(
        _ words: [String],
        _ arguments: Arguments,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        let call = try LibraryCall(arguments, context)
        let ids = words.isEmpty ? [] : try call.ids(words)
        let result = try call.ask(
            .libraryRefresh,
            JSONWriter.bytes { writer in if !ids.isEmpty { writer.member(.ids, ids) } }
        )
        let (queued, left) = (result[.queued]?.int ?? 0, result[.left]?.int ?? 0)
        let lines = [
            queued > 0
                ? "\(FigureText.count(queued, "item")) will be looked up when the sources have quota to spare; “searchctl "
                    + "library --watch” prints what changes." : left == 0 ? "There is nothing to look up." : nil,
            left > 0 ? "\(FigureText.count(left, "item")) can't be looked up: no lookup in the source." : nil,
        ]
        try Printer(context.console).print(json: [result.text], or: lines.compactMap(\.self), as: format)
        return queued > 0 ? .found : .nothingFound
    }

    /// Makes a copy of the user's file now.
    private static func backup(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        let result = try LibraryCall(arguments, context).ask(.libraryBackup, Array("{}".utf8))
        let items = FigureText.count(result[.items]?.int ?? 0, "item")
        let line = "Copied \(items), \(FigureText.bytes(result[.bytes]?.int ?? 0))."
        try Printer(context.console).print(json: [result.text], or: [line], as: format)
        return .found
    }

    /// Refuses options and words that an action does not take.
    private static func check(
        _ arguments: Arguments,
        of name: String,
        takes options: [CommandOption],
        words: [String],
        atMost wordsMax: Int
    ) throws(ClientError) {
        for option in CommandOption.ofLibrary
        where arguments.has(option) && !options.contains(where: { $0.name == option.name }) {
            throw ClientError(.usage, "“\(name)” takes no --\(option.name)")
        }
        guard words.count > wordsMax else { return }
        let hint =
            name.hasSuffix(Action.export.rawValue)
            ? "It prints to standard output: searchctl library export >\(ShellWord.quoted(words[wordsMax]))" : nil
        throw ClientError(.usage, "“\(name)” does not take “\(words[wordsMax])”", hint: hint)
    }

    @Sendable static func suggestions(behind words: [String]) -> [Suggestion] {
        switch (words.first.flatMap(Action.init), words.count) {
        case (nil, 0):
            [
                .words([
                    Candidate("export", "print all of it for other programs"),
                    Candidate("import", "save what a file has"), Candidate("refresh", "look items up again"),
                ])
            ]
        case (.import, 1): [.files]
        case (.refresh, _): [.hits, .saved]
        default: []
        }
    }
}

/// The options of `library`.
extension CommandOption {
    static let libraryQuery = CommandOption(
        "query",
        letter: "q",
        value: .text("WORDS"),
        help: "only items with these words",
        manual: "In title, snippet, author, notes or tags: begun words, initials (ㄱㅇㅇ), half-typed ones, also typed in "
            + "the other keyboard layout."
    )
    static let librarySource = CommandOption(
        "source",
        letter: "s",
        value: .text("NAME"),
        isRepeatable: true,
        help: "only of this source",
        manual: "A source (kakao.blog), an account (kakao), or a pattern ('kakao.*').",
        suggestion: .sourceGlobs
    )
    static let libraryKind = CommandOption(
        "kind",
        letter: "k",
        value: .text("KIND"),
        isRepeatable: true,
        help: "only of this kind: book",
        suggestion: .kinds
    )
    static let libraryTag = CommandOption(
        "tag",
        value: .text("WORD"),
        isRepeatable: true,
        help: "only with this tag",
        manual: "Of several tags an item must have all.",
        suggestion: .tags
    )
    static let librarySort = CommandOption(
        "sort",
        value: .choice("ORDER", of: ["saved", "published", "title", "relevance", "rating"]),
        help: "saved, published, title, relevance, rating",
        manual: "saved (the default) and published have the latest first, rating the best; with --query the default is "
            + "relevance."
    )
    static let groupBy = CommandOption(
        "group-by",
        value: .choice("WHAT", of: ["genre", "kind", "source", "tag", "month"]),
        help: "genre, kind, source, tag or month",
        manual: "The largest group first; month is that of saving. An item with several tags is in several groups."
    )
    static let libraryLimit = CommandOption(
        "limit",
        letter: "n",
        value: .number("N", in: WireBounds.limit),
        help: "number of items (default \(WireBounds.libraryLimitDefault))",
        manual: "Of each group, when grouped."
    )
    static let libraryPage = CommandOption(
        "page",
        value: .number("N", in: 1...WireBounds.libraryOffset.upperBound + 1),
        help: "the Nth page of --limit"
    )
    static let watch = CommandOption(
        "watch",
        help: "print changes as they come",
        manual:
            "A line for each item that is saved (+), changed (~) or removed (-), by whatever program, until Ctrl-C. "
            + "With --json a line for each change, with its revision."
    )
    static let libraryFormat = CommandOption(
        "format",
        value: .choice("FORMAT", of: HitFormat.names + ExportFormat.names.filter { !HitFormat.names.contains($0) }),
        help: "csv, html, markdown, …",
        manual: "Of the list, one of \(HitFormat.names.joined(separator: ", ")), as with search. Of an export, one of "
            + "\(ExportFormat.names.joined(separator: ", "))."
    )
    static let ofLibrary = [
        libraryQuery, libraryKind, librarySource, libraryTag, groupBy, librarySort, libraryLimit, libraryPage, watch,
        json,
        plain, libraryFormat, field, noPager,
    ]
    static let ofFilter = [libraryQuery, libraryKind, librarySource, libraryTag]
    static let ofExport = ofFilter + [libraryFormat, json, plain]
}
