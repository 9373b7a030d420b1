import EventLoop
import JSON
import RPC
import SearchModel

/// `searchctl sources`: what can be searched, and the way to more.
enum SourcesCommand {
    static let timeoutSeconds = 5

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let words = arguments.words
        switch words.first {
        case "check": return try SourceCheckCommand.run(arguments, context)
        case "guide":
            try refuse([.try, .configuration, .json, .plain], arguments, beside: "guide")
            guard words.count == 1 else { throw surplus(words[1]) }
            context.console.write(SourceGuide.text, to: context.console.output)
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
                hint: "“searchctl sources --help” tells what goes together"
            )
        }
    }

    private static func surplus(_ word: String) -> ClientError {
        ClientError(
            .usage,
            "“sources” does not take “\(word)” there",
            hint: "It is used as “searchctl sources”, “sources NAME”, “sources guide” or “sources check FILE”"
        )
    }

    private static func list(
        _ name: String?,
        _ arguments: Arguments,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        let console = context.console
        let format = try OutputFormat.chosen(arguments, outputIsTerminal: console.outputIsTerminal)
        let style = Style(arguments, environment: context.environment, isTerminal: console.outputIsTerminal)
        return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            guard let list = try exchange.ask(.sourceList, within: timeoutSeconds)[.sources], list.kind == .array else {
                throw ClientError(.protocolViolated, "searchd answered source/list without sources")
            }
            let entries = list.elements
            let chosen = try name.map { name throws(ClientError) in [try entry(name, entries)] } ?? entries
            switch format {
            case .json:
                for entry in chosen { exchange.print(json: entry.text) }
            case .text:
                let columns = console.outputIsTerminal ? console.columns : nil
                let lines =
                    name == nil
                    ? SourceTable(chosen, columns: columns, style: style).lines
                    : chosen.flatMap { SourceDetails($0, style: style).lines }
                for line in lines { exchange.print("\(line)\n".utf8) }
            }
            try exchange.flush()
            return .found
        }
    }

    private static func entry(_ name: String, _ entries: [JSONCursor]) throws(ClientError) -> JSONCursor {
        if let entry = entries.first(where: { $0[.source]?.string == name }) { return entry }
        let names = entries.compactMap { $0[.source]?.string }
        throw ClientError(
            .init(.unknownSource),
            "there is no source “\(name)”",
            hint: ClientError.guess(name, among: names)
                ?? "“searchctl sources” lists them, “searchctl sources guide” tells how to add one"
        )
    }
}

/// The options of `sources`.
extension CommandOption {
    static let `try` = CommandOption(
        "try",
        value: .text("QUERY"),
        help: "with check: ask the source, and show its hits beside what they are made of"
    )
    static let configuration = CommandOption(
        "config",
        value: .text("PATH"),
        help: "with check: the daemon's configuration, for keys and allowed hosts",
        suggestion: .files
    )

    static let ofSources = [json, plain, `try`, configuration]
}
