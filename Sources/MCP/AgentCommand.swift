package import Client
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// The command `searchctl mcp`, which serves an agent on standard input and output.
package enum AgentCommand {
    package static let command = Command(
        "mcp",
        .script,
        summary: "serve an agent (Model Context Protocol)",
        details: [
            "Agents start this command as a server. It speaks the protocol on standard input and output. It reconnects "
                + "after a restart of the daemon, and ends at the end of its input.",
            "With --check, prints the tools with their sizes, and the sources that can be asked.",
        ],
        options: [check] + CommandOption.ofReport,
        examples: ["searchctl mcp", "searchctl mcp --check"],
        isBrief: true,
        run: run
    )

    private static let check = CommandOption("check", help: "print the tools and the sources, and exit")

    @Sendable private static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let connector = try Connector(context)
        if context.arguments.has(check) { return try report(connector, context) }
        try context.arguments.allow([], of: CommandOption.ofReport, in: "mcp")
        return try serve(connector, context.console)
    }

    @Sendable private static func read(_ page: JSONValue) throws(SearchError) -> PageDocument {
        do {
            let reading = try PageReading(.process)
            return try reading.document(of: JSONDocument(page.bytes, limits: pageLimits).root)
        } catch let error as ClientError {
            throw SearchError(.badResponse, error.message, retryable: false, hint: error.hint)
        } catch {
            throw SearchError(.badResponse, "the page can't be read", retryable: false)
        }
    }

    private static let pageLimits = JSONLimits(depthMax: 16, bytesMax: DaemonConnection.lineBytesMax)

    /// Returns when the input has ended and all requests are answered.
    private static func serve(_ connector: Connector, _ console: Console) throws(ClientError) -> ExitStatus {
        if isatty(console.input) == 1 {
            console.report("Waiting for an agent on standard input. Test with “searchctl mcp --check”.")
        }
        var translator = Translator(reader: read) { .random(in: .min ... .max) }
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

    private static func report(_ connector: Connector, _ context: Context) throws(ClientError) -> ExitStatus {
        try connector.withExchange { exchange throws(ClientError) in
            let sources = try DaemonSnapshot(of: &exchange, [.sourceList], clock: context.clock).enabled.map(\.name)
            let sizes = Tool.all.map { ($0.about.name, $0.listed.bytes.count, $0.about.title) }
            let json: JSONValue = [
                "revisions": .array(Revision.names.map(JSONValue.string)),
                "tools": .array(sizes.map { ["name": .string($0.0), "bytes": .number(JSONNumber($0.1))] }),
                "sources": .array(sources.map(JSONValue.string)),
            ]
            let layout = context.layout
            let lines =
                layout.lines(Revision.names.joined(separator: ", "), behind: "Model Context Protocol: ")
                + ["Tools, \(NumberText.grouped(sizes.reduce(0) { $0 + $1.1 })) bytes in total"]
                + layout.table(sizes.map { ($0.0, "\(NumberText.grouped($0.1)) bytes · \($0.2)") }, indent: 2)
                + ["\(NumberText.count(sources.count, "source")) can be asked; “searchctl sources” lists all"]
                + layout.lines(sources.joined(separator: ", "), behind: "  ", indent: 2)
            try context.report(json: [json.bytes[...]], or: lines)
            return sources.isEmpty ? .notConfigured : .found
        }
    }
}
