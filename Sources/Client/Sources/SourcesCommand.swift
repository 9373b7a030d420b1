import Hangul
import JSON
import RPC
import SearchModel

/// `searchctl sources`: what can be searched, and how to add to it.
enum SourcesCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let words = arguments.words
        switch words.first {
        case "check": return try check(arguments, context)
        case "guide":
            try refuse([.try, .configuration, .enabledOnly, .listedKind, .json, .plain], arguments, with: "guide")
            guard words.count == 1 else { throw surplus(words[1]) }
            try Printer(context.console).print(paged: SourceGuide.text, context, mayPage: !arguments.has(.noPager))
            return .found
        default:
            try refuse([.try, .configuration], arguments, with: "a list")
            guard words.count <= 1 else { throw surplus(words[1]) }
            return try list(words.first, arguments, context)
        }
    }

    /// Refuses options that mean nothing to one of the things this command does.
    private static func refuse(
        _ options: [CommandOption],
        _ arguments: Arguments,
        with word: String
    ) throws(ClientError) {
        for option in options where arguments.has(option) {
            throw ClientError(
                .usage,
                "--\(option.name) does not go with \(word)",
                hint: "“searchctl sources --help” shows what goes together."
            )
        }
    }

    private static func surplus(_ word: String) -> ClientError {
        ClientError(
            .usage,
            "“sources” does not take “\(word)” there",
            hint: "Usage: searchctl sources [NAME | guide | check FILE]."
        )
    }

    private static func list(
        _ name: String?,
        _ arguments: Arguments,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        let selection = SourceSelection(
            name: name,
            kind: arguments.text(.listedKind),
            isEnabledOnly: arguments.has(.enabledOnly)
        )
        return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            let snapshot = try DaemonSnapshot(of: &exchange, [.sourceList], clock: context.clock)
            let entries = try selection.entries(of: snapshot)
            switch format {
            case .json: for entry in entries { exchange.print(json: entry.json.text) }
            case .text:
                let isTerminal = context.console.outputIsTerminal
                let style = Style(arguments, environment: context.environment, isTerminal: isTerminal)
                let text = SourceText(layout: Layout(columns: context.console.columns), style: style)
                for line in lines(entries, snapshot, selection, text, exchange.keys) {
                    exchange.print("\(line)\n".utf8)
                }
            }
            try exchange.flush()
            return .found
        }
    }

    /// One source in full, those of a name or kind each on a line, and otherwise one account on a line.
    private static func lines(
        _ entries: [SourceEntry],
        _ snapshot: DaemonSnapshot,
        _ selection: SourceSelection,
        _ text: SourceText,
        _ keys: KeyCommandLine
    ) -> [String] {
        if entries.count == 1, selection.name == entries[0].name { return text.details(entries[0], keys) }
        guard selection.name == nil, selection.kind == nil else {
            let languages = "Wikipedia is asked in the language of the query: 제주 asks wikipedia.ko."
            let isProfile = selection.name?.hasPrefix("@") == true
            let hasWikipedia = entries.contains { $0.account == "wikipedia" }
            return text.sources(entries) + (isProfile && hasWikipedia ? [text.style.dim(languages)] : [])
        }
        let services = entries.filter { !$0.isOwn }
        let profiles = (snapshot.list?[.profiles]?.elements ?? []).compactMap { $0[.name]?.string }
        let about =
            "A profile is a group of sources with a name: “search -s @books” asks all of its sources, and a search "
            + "without -s asks @default. “searchctl sources @books” lists them."
        let summary =
            "\(FigureText.count(services.count, "source")), \(services.count(where: \.isEnabled)) enabled. “searchctl "
            + "sources NAME” shows a source, an account or a profile."
        let names = profiles.map(VisibleText.visible).joined(separator: ", ")
        return text.accounts(entries)
            + (profiles.isEmpty ? [] : text.layout.lines(names, behind: "Profiles: ") + text.layout.lines(about))
            + text.layout.lines(summary).map(text.style.dim)
    }

    // MARK: Checking

    /// Reads a source file as the daemon would.
    ///
    /// The daemon's program does it: the language of source files and the network are too large for a program that is
    /// to start at once.
    private static func check(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        try refuse([.enabledOnly, .listedKind, .json, .plain], arguments, with: "check")
        let words = try checkWords(arguments)
        guard let program = context.daemonProgram ?? DaemonProgram.find(environment: context.environment) else {
            throw ClientError(
                .noDaemon,
                "source files are checked by searchd, which is neither beside searchctl nor in PATH",
                hint: "Install searchd."
            )
        }
        throw ProgramReplacement.run(program, ["searchd"] + words)
    }

    /// The command line of the daemon's program, without its name; pure.
    static func checkWords(_ arguments: Arguments) throws(ClientError) -> [String] {
        guard arguments.words.count == 2, let file = arguments.words.last, !file.isEmpty else {
            throw ClientError(
                .usage,
                "“sources check” takes one FILE",
                hint: "Example: searchctl sources check recipes.dishes.json5 --try soup."
            )
        }
        return ["--check-source", file] + (arguments.text(.try).map { ["--try", $0] } ?? [])
            + (arguments.text(.configuration).map { ["--config", $0] } ?? [])
    }
}

/// The options of `sources`.
extension CommandOption {
    static let `try` = CommandOption(
        "try",
        value: .text("QUERY"),
        help: "with check: ask the source, and show hits beside its own documents"
    )
    static let configuration = CommandOption(
        "config",
        value: .text("PATH"),
        help: "with check: the configuration to take keys and allowed hosts from",
        suggestion: .files
    )
    static let enabledOnly = CommandOption("enabled", help: "only sources that can be asked")
    static let listedKind = CommandOption(
        "kind",
        letter: "k",
        value: .text("KIND"),
        help: "only sources of a kind, each on a line",
        suggestion: .kinds
    )

    static let ofSources = [enabledOnly, listedKind, noPager] + ofReport + [`try`, configuration]
}

/// Which sources a command line means; pure.
struct SourceSelection {
    /// A source's, an account's or a profile's; nil for all.
    var name: String?
    var kind: String?
    var isEnabledOnly = false

    /// The entries that are meant, in their order.
    ///
    /// - Throws: `unknownSource` or `usage` for a name or kind that no source has, with the nearest as its hint.
    func entries(of snapshot: DaemonSnapshot) throws(ClientError) -> [SourceEntry] {
        var entries = snapshot.all
        if let name { entries = try named(name, entries, profiles: snapshot.list?[.profiles]?.elements ?? []) }
        if let kind {
            let kinds = Set(entries.map(\.kind)).subtracting([""])
            entries = entries.filter { $0.kind.hasSameBytes(as: kind) }
            guard !entries.isEmpty else {
                throw ClientError(
                    .usage,
                    "no source is of the kind “\(kind)”",
                    hint: ClientError.guess(kind, among: kinds.sorted())
                        ?? "The kinds are \(kinds.sorted().joined(separator: ", "))."
                )
            }
        }
        return isEnabledOnly ? entries.filter(\.isEnabled) : entries
    }

    private func named(
        _ name: String,
        _ entries: [SourceEntry],
        profiles: [JSONCursor]
    ) throws(ClientError) -> [SourceEntry] {
        if let entry = entries.first(where: { $0.name.hasSameBytes(as: name) }) { return [entry] }
        let account = entries.filter { $0.account.hasSameBytes(as: name) }
        if !account.isEmpty { return account }
        if let profile = profiles.first(where: { $0[.name]?.string?.hasSameBytes(as: name) == true }) {
            let members = Set((profile[.sources]?.elements ?? []).compactMap(\.string).map { ExactText($0) })
            return entries.filter { members.contains(ExactText($0.name)) }
        }
        let names = entries.map(\.name) + entries.map(\.account) + profiles.compactMap { $0[.name]?.string }
        throw ClientError(
            .init(.unknownSource),
            "there is no source “\(name)”",
            hint: ClientError.guess(name, among: names)
                ?? "“searchctl sources” lists them; “searchctl sources guide” explains how to add one."
        )
    }
}

/// Sources for people: in a table that fits a screen, or one in full; pure.
struct SourceText {
    let layout: Layout
    let style: Style

    /// A row for the sources of an account that are in the same state.
    func accounts(_ entries: [SourceEntry]) -> [String] {
        var rows: [(account: String, entries: [SourceEntry])] = []
        for entry in entries {
            if let known = rows.firstIndex(where: { $0.account == entry.account && $0.entries[0].state == entry.state })
            {
                rows[known].entries.append(entry)
            } else if let last = rows.lastIndex(where: { $0.account == entry.account }) {
                rows.insert((entry.account, [entry]), at: last + 1)
            } else {
                rows.append((entry.account, [entry]))
            }
        }
        let cells = rows.enumerated().map { index, row in
            let isFirst = index == 0 || rows[index - 1].account != row.account
            let names = row.entries.map(\.nameInAccount).joined(separator: ", ")
            return ([isFirst ? row.account : "", names, row.entries[0].state], row.entries[0])
        }
        return table(["ACCOUNT", "SOURCES", "STATE"], cells)
    }

    /// A row for each source.
    func sources(_ entries: [SourceEntry]) -> [String] {
        table(["SOURCE", "KIND", "LIMITS", "STATE"], entries.map { ([$0.name, $0.kind, $0.limits, $0.state], $0) })
    }

    private func table(_ titles: [String], _ rows: [(cells: [String], entry: SourceEntry)]) -> [String] {
        let widths = layout.widths(of: [titles] + rows.map(\.cells))
        return Layout.row(titles, widths: widths).map(style.dim)
            + rows.flatMap { cells, entry in
                let lines = Layout.row(cells, widths: widths)
                return entry.isFailing ? lines.map(style.bold) : entry.isEnabled ? lines : lines.map(style.dim)
            }
    }

    // MARK: One source

    /// Everything about a source.
    ///
    /// - Parameters:
    ///   - entry: The source.
    ///   - keys: How a key is set for the daemon that has listed it.
    /// - Returns: Lines.
    func details(_ entry: SourceEntry, _ keys: KeyCommandLine) -> [String] {
        let needsKey = entry.json[.keyNeeded]?.bool
        let account = needsKey.map { "\(entry.account), needs \($0 ? "a" : "no") key" } ?? entry.account
        let options = (entry.json[.options]?.members ?? []).map { Self.option($0.name, $0.value) }
        var rows = [("kind", entry.kind), ("account", account), ("state", entry.state)]
        if let failure = entry.failure, entry.isFailing { rows.append(("last error", failure.message)) }
        rows += [("", remedy(entry, keys)), ("limits", entry.limits)]
        rows += entry.quotas.map { ("quota", "\($0.name): \($0.text)") }
        rows.append(("attribution", VisibleText.visible(entry.json[.attribution]?.string ?? "")))
        rows += options.enumerated().map { ($0 == 0 ? "options" : "", $1) }
        rows.append(("", example(entry)))
        let head = style.bold(entry.name) + (entry.title.isEmpty ? "" : "  ")
        return layout.lines(entry.title, behind: head)
            + layout.table(rows.filter { !$0.1.isEmpty }.map { (name: $0.0, text: $0.1) }, indent: 2)
    }

    /// What to do about a source that is off.
    private func remedy(_ entry: SourceEntry, _ keys: KeyCommandLine) -> String {
        switch entry.offReason {
        case .disabled: return "Set sources.\"\(entry.name)\".enabled to true in the configuration."
        case .invalid: return "“searchd --check” reports what is wrong with its file."
        case .notConfigured:
            // An account without listed secrets has none that could be stored.
            let commands = KeyAccount.all(in: [entry]).first?.setCommands(in: keys)
            let there = "accounts.\(entry.account) in the configuration."
            return commands.map { "Run \($0), or configure one under \(there)" } ?? "Set its key under \(there)"
        case nil: return ""
        }
    }

    private static func option(_ name: String, _ option: JSONCursor) -> String {
        var text = "\(name): "
        switch option[.type]?.word(OptionType.self) {
        case .choice: text += (option[.values]?.elements ?? []).compactMap(\.string).joined(separator: ", ")
        case .integer: text += "\(option[.min]?.int ?? .min) to \(option[.max]?.int ?? .max)"
        case .boolean: text += "true or false"
        case .string: text += "text" + (option[.maxBytes]?.int.map { " of up to \($0) bytes" } ?? "")
        case nil: text += option[.type]?.string ?? "?"
        }
        if let standard = option[.default]?.string { text += " (default \(standard))" }
        if let about = option[.about]?.string { text += " — \(about)" }
        return VisibleText.visible(text)
    }

    /// How the first option is written on the command line.
    private func example(_ entry: SourceEntry) -> String {
        guard let (option, spec) = entry.json[.options]?.members.first else { return "" }
        let value = spec[.values]?[0]?.string ?? spec[.min]?.int.map(String.init) ?? "VALUE"
        let words = "searchctl search -s \(entry.name) -o \(entry.name).\(option)=\(value) QUERY"
        return VisibleText.visible("Example: \(words)")
    }
}
