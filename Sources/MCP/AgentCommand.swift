package import Client
import EventLoop
import JSON
import RPC
import SearchModel

/// The command `searchctl mcp`, which serves an agent on the standard streams.
package enum AgentCommand {
    package static let command = Command(
        "mcp",
        .script,
        summary: "serve an agent on the standard streams (Model Context Protocol)",
        details: [
            "Agents start this command as a server. It translates between the agent and the daemon, reconnects when the "
                + "daemon restarts, and ends at the end of its input.",
            "With --check, prints the tools with their sizes and the sources that work.",
        ],
        options: [check] + CommandOption.ofReport,
        examples: ["searchctl mcp", "searchctl mcp --check"],
        isBrief: true,
        run: run
    )

    private static let check = CommandOption("check", help: "print the tools and the working sources, and exit")

    @Sendable private static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let connector = try Connector(arguments, context)
        if arguments.has(check) { return try report(connector, OutputFormat.chosen(arguments), context) }
        for option in CommandOption.ofReport where arguments.has(option) {
            throw ClientError(.usage, "--\(option.name) is only valid with “mcp --check”")
        }
        return try serve(connector)
    }

    /// Passes lines through the translator until the input has ended and every request is answered.
    private static func serve(_ connector: Connector) throws(ClientError) -> ExitStatus {
        var translator = Translator { .random(in: .min ... .max) }
        var connection = try connector.connect()
        connection.takeLines()
        var (isConnected, inputHasEnded) = (true, false)
        while !inputHasEnded || !translator.isIdle {
            switch try connection.nextEvent(until: nil) {
            case .input(let line): translator.received(line)
            case .inputEnded: inputHasEnded = true
            case .line(let line): translator.answered(line)
            case .ended:
                isConnected = false
                translator.daemonEnded()
            }
            if !isConnected, translator.hasLinesToDaemon {
                do throws(ClientError) {
                    try connection.replace(with: connector.connect())
                    isConnected = true
                } catch {
                    let hint = error.hint
                    translator.daemonIsUnreachable(
                        SearchError(.unavailable, error.message, retryable: true, hint: hint)
                    )
                }
            }
            let lines = translator.takeLines()
            for line in lines.toDaemon { try connection.send(line: line) }
            for line in lines.toAgent { connection.print(json: line[...]) }
        }
        try connection.flush()
        return .found
    }

    /// Prints the tools and the working sources.
    private static func report(
        _ connector: Connector,
        _ format: OutputFormat,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        try connector.withExchange { exchange throws(ClientError) in
            let answer = try exchange.ask(.sourceList, within: 10)
            // Local sources always work.
            let sources = (answer[.sources]?.elements ?? []).filter { $0[.local]?.bool != true }
            let entries = sources.map { SourceEntry($0) }
            let working = entries.filter { $0.isEnabled && $0.health != .open }.map(\.name)
            let others = zip(entries, sources).filter { !working.contains($0.0.name) }
            let sizes = Tool.all.map { ($0.about.name, $0.listed.bytes.count, $0.about.title) }
            let json: JSONValue = [
                "revisions": .array(Revision.names.map(JSONValue.string)),
                "tools": .array(sizes.map { ["name": .string($0.0), "bytes": .number(JSONNumber($0.1))] }),
                "prompts": .array(Prompts.names.map(JSONValue.string)),
                "working": .array(working.map(JSONValue.string)),
                "notWorking": .object(others.map { JSONMember($0.0.name, $0.1[.reason]?.value ?? "open") }),
            ]
            let layout = Layout(columns: context.console.columns)
            let names = Dictionary(grouping: others.map(\.0), by: \.state).mapValues { $0.map(\.name) }
            let lines =
                layout.lines(Revision.names.joined(separator: ", "), behind: "Model Context Protocol: ")
                + ["Tools, \(FigureText.grouped(sizes.reduce(0) { $0 + $1.1 })) bytes in total"]
                + layout.table(sizes.map { ($0.0, "\(FigureText.grouped($0.1)) bytes · \($0.2)") }, indent: 2)
                + layout.fitted("\(working.count) of \(entries.count) sources work")
                + names.sorted { $0.key < $1.key }
                .flatMap { layout.lines($0.value.joined(separator: ", "), behind: "  \($0.key): ") }
            try exchange.print(json: json.bytes[...], or: lines, as: format)
            return working.isEmpty ? .notConfigured : .found
        }
    }
}
