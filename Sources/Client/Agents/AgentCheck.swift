import EventLoop
import JSON
import MCP
import RPC
import SearchModel

/// `searchctl mcp --check`: asks as an agent would, and prints what it would see.
enum AgentCheck {
    private static let timeoutSeconds = 10

    static func run(
        _ connector: Connector,
        _ format: OutputFormat,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        try connector.withExchange { exchange throws(ClientError) in
            let view = AgentSight(
                discovery: try ask(.discover, id: 1, &exchange),
                tools: try ask(.listTools, id: 2, &exchange),
                prompts: try ask(.listPrompts, id: 3, &exchange),
                sources: try ask(
                    .callTool,
                    [("name", .string(MethodDescription.sourceList.tool?.name ?? ""))],
                    id: 4,
                    &exchange
                )
            )
            try exchange.print(json: view.json.bytes[...], or: view.lines(columns: context.console.columns), as: format)
            return view.workingSources.isEmpty ? .notConfigured : .found
        }
    }

    private static func ask(
        _ method: AgentMethodName,
        _ members: [(String, JSONValue)] = [],
        id: Int,
        _ exchange: inout DaemonConnection
    ) throws(ClientError) -> JSONCursor {
        let params = JSONValue.object(members.map { JSONMember($0.0, $0.1) } + [AgentRequest.meta(of: "searchctl")])
        try exchange.send(line: RequestLine.request(id, method.rawValue, params: params.bytes))
        return try exchange.result(of: id, until: .now.advanced(by: .seconds(timeoutSeconds)))
    }
}

/// What an agent sees of the daemon; pure.
struct AgentSight {
    private let revisions: [String]
    /// Each with the bytes that it takes in the context of a model.
    private let tools: [(name: String, bytes: Int, title: String)]
    private let prompts: [String]
    let workingSources: [String]
    /// Those that do not work.
    private let otherSources: [JSONCursor]

    init(discovery: JSONCursor, tools: JSONCursor, prompts: JSONCursor, sources: JSONCursor) {
        revisions = discovery["supportedVersions"]?.elements.compactMap(\.string) ?? []
        self.tools =
            tools["tools"]?.elements.map { tool in
                (tool[.name]?.string ?? "", tool.text.count, tool[.title]?.string ?? "")
            } ?? []
        self.prompts = prompts["prompts"]?.elements.compactMap { $0[.name]?.string } ?? []
        // What is the user's own is no service, and is always there.
        let listed = (sources["structuredContent"]?[.sources]?.elements ?? []).filter {
            !FoundHit.ownSources.contains(Self.name($0))
        }
        func works(_ source: JSONCursor) -> Bool {
            source[.enabled]?.bool == true && source[.health]?.word(HealthState.self) != .open
        }
        workingSources = listed.filter(works).map(Self.name)
        otherSources = listed.filter { !works($0) }
    }

    private static func name(_ source: JSONCursor) -> String { source[.source]?.string ?? "" }

    private var bytes: Int { tools.reduce(0) { $0 + $1.bytes } }

    var json: JSONValue {
        [
            "revisions": .array(revisions.map(JSONValue.string)),
            "tools": .array(tools.map { ["name": .string($0.name), "bytes": .number(JSONNumber($0.bytes))] }),
            "prompts": .array(prompts.map(JSONValue.string)),
            "working": .array(workingSources.map(JSONValue.string)),
            "notWorking": .object(
                otherSources.map {
                    JSONMember(Self.name($0), .string($0[.reason]?.string ?? HealthState.open.rawValue))
                }
            ),
        ]
    }

    /// Why sources do not work, each reason once.
    private var reasons: [(words: String, names: [String])] {
        var reasons: [(words: String, names: [String])] = []
        for entry in otherSources.map({ SourceEntry($0) }) {
            if let index = reasons.firstIndex(where: { $0.words == entry.state }) {
                reasons[index].names.append(entry.name)
            } else {
                reasons.append((entry.state, [entry.name]))
            }
        }
        return reasons
    }

    func lines(columns: Int) -> [String] {
        let layout = Layout(columns: columns)
        func section(_ title: String, _ rows: [(name: String, text: String)]) -> [String] {
            rows.isEmpty ? [] : [title] + layout.table(rows, indent: 2)
        }
        return section(
            "Model Context Protocol",
            [("revisions", revisions.joined(separator: ", ")), ("prompts", prompts.joined(separator: ", "))]
        )
            + section(
                "Tools, \(FigureText.grouped(bytes)) bytes in all",
                tools.map { ($0.name, "\(FigureText.grouped($0.bytes)) bytes · \($0.title)") }
            )
            + layout.fitted("\(workingSources.count) of \(workingSources.count + otherSources.count) sources work")
            + reasons.flatMap { layout.lines($0.names.joined(separator: ", "), behind: "  \($0.words): ") }
    }
}
