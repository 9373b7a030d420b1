import EventLoop
import JSON
import RPC
import SearchModel

/// `searchctl sources`: what can be searched, and how to add to it.
enum SourcesCommand {
    static let timeoutSeconds = 5

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let words = arguments.words
        switch words.first {
        case "check": return try SourceCheckCommand.run(arguments, context)
        case "guide":
            try refuse([.try, .configuration, .enabledOnly, .listedKind, .json, .plain], arguments, beside: "guide")
            guard words.count == 1 else { throw surplus(words[1]) }
            try Printer(context.console).print(paged: SourceGuide.text, context, mayPage: !arguments.has(.noPager))
            return .found
        default:
            try refuse([.try, .configuration], arguments, beside: "a list")
            guard words.count <= 1 else { throw surplus(words[1]) }
            return try list(words.first, arguments, context)
        }
    }

    /// Refuses options that mean nothing to one of the things this command does.
    static func refuse(
        _ options: [CommandOption],
        _ arguments: Arguments,
        beside word: String
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
        let console = context.console
        let format = try OutputFormat.chosen(arguments)
        let selection = SourceSelection(
            name: name,
            kind: arguments.text(.listedKind),
            isEnabledOnly: arguments.has(.enabledOnly)
        )
        return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            let result = try exchange.ask(.sourceList, within: timeoutSeconds)
            guard result[.sources]?.kind == .array else {
                throw ClientError(.protocolViolated, "searchd answered source/list without sources")
            }
            let sources = try selection.entries(of: result)
            switch format {
            case .json: for source in sources { exchange.print(json: source.text) }
            case .text:
                let style = Style(arguments, environment: context.environment, isTerminal: console.outputIsTerminal)
                let profiles = result[.profiles]?.elements.compactMap { $0[.name]?.string } ?? []
                for line in lines(sources, profiles: profiles, selection, context, style, exchange.keys) {
                    exchange.print("\(line)\n".utf8)
                }
            }
            try exchange.flush()
            return .found
        }
    }

    private static let languages = "Wikipedia is asked in the language of the query: 제주 asks wikipedia.ko."

    /// One source in full, those of a name or kind each on a line, and otherwise one account on a line.
    private static func lines(
        _ sources: [JSONCursor],
        profiles: [String],
        _ selection: SourceSelection,
        _ context: Context,
        _ style: Style,
        _ keys: KeyCommandLine
    ) -> [String] {
        let clock = context.clock
        let columns = context.console.columns
        if selection.isOneSource(sources) {
            return SourceDetails(sources[0], clock: clock, columns: columns, style: style, keys: keys).lines
        }
        let table = SourceTable(sources.map { SourceEntry($0, clock: clock) }, columns: columns, style: style)
        if selection.name != nil || selection.kind != nil {
            return table.sourceLines + (selection.asksByLanguage(sources) ? [style.dim(languages)] : [])
        }
        // What is the user's own is no service, and is always there.
        let services = sources.filter { $0[.local]?.bool != true }
        let enabled = services.count { $0[.enabled]?.bool == true }
        let summary =
            "\(FigureText.count(services.count, "source")), \(enabled) enabled. “searchctl sources NAME” shows a source, "
            + "an account or a profile."
        let layout = Layout(columns: columns)
        let groups =
            profiles.isEmpty
            ? [] : layout.lines(profiles.map(VisibleText.visible).joined(separator: ", "), behind: "Profiles: ")
        return table.accountLines + groups + layout.lines(summary).map(style.dim)
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

/// `searchctl sources check FILE`: reads a source file as the daemon would.
///
/// The daemon's program does it: it has the language of source files and the way to the network, which are too large
/// for a program that is to start at once.
enum SourceCheckCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        try SourcesCommand.refuse([.enabledOnly, .listedKind, .json, .plain], arguments, beside: "check")
        let words = try words(arguments)
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
    static func words(_ arguments: Arguments) throws(ClientError) -> [String] {
        guard arguments.words.count == 2, let file = arguments.words.last, !file.isEmpty else {
            throw ClientError(
                .usage,
                "“sources check” takes one FILE",
                hint: "Example: searchctl sources check recipes.dishes.json5 --try soup."
            )
        }
        var words = ["--check-source", file]
        if let query = arguments.text(.try) { words += ["--try", query] }
        if let path = arguments.text(.configuration) { words += ["--config", path] }
        return words
    }
}
