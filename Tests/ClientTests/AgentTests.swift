import EventLoop
import Glibc
import JSON
import RPC
import Synchronization
import TestSupport
import Testing

@testable import Client

@Suite struct AgentBridgeTests {
    private static let initialize = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#
    private static let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}"#
    private static let next = #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#

    @Test func `lines pass both ways as they are, and it ends with its input`() throws {
        let directory = TemporaryDirectory()
        let answer = #"{"jsonrpc":"2.0","id":1,"result":{"text":"고양이"}}"#
        let daemon = try FakeDaemon(at: directory.file("s")) { connection in
            #expect(try connection.line() == Self.call)
            try connection.send(#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#, answer)
            #expect(try connection.rest() == ["nonsense"])
        }
        let run = Run("mcp", in: directory, socket: daemon.path, input: "\(Self.call)\n\nnonsense")
        #expect(run.status == .found && run.errors.isEmpty)
        #expect(run.lines == [#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#, answer])
    }

    @Test func `when the daemon ends, what it owes is answered, and the session goes on with the next one`() throws {
        let directory = TemporaryDirectory()
        let second = Lines()
        let connections = Lines()
        let daemon = try FakeDaemon(at: directory.file("s")) { connection in
            connections.add("connection")
            let handshake = #"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}"#
            let first = try connection.line() ?? ""
            try connection.send(handshake)
            // The first daemon ends with a call that it owes.
            let line = try connection.line() ?? ""
            if connections.all.count == 1 { return }
            second.add(first)
            second.add(line)
            try connection.send(#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#)
            _ = try connection.rest()
        }
        let (input, output) = (Pipe(), Pipe())
        var console = Console()
        (console.input, console.output) = (input.reading, output.writing)
        let agent = Agent(input: input, output: output)
        let ended = Lines()
        let context = Context(console: console, environment: Environment([:]), daemonProgram: "/nonexistent/searchd")
        let thread = try WorkerThread { [path = daemon.path] in
            ended.add("\(Searchctl.run(["--socket", path, "mcp"], context).number)")
        }
        agent.send(Self.initialize)
        #expect(try agent.line().contains(#""protocolVersion""#))
        agent.send(Self.call)
        let refused = try agent.line()
        #expect(refused.hasPrefix(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"#))
        #expect(refused.contains(#""retryable":true"#))
        agent.send(Self.next)
        #expect(try agent.line() == #"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#)
        #expect(second.all == [Self.initialize, Self.next])
        agent.end()
        thread.join()
        #expect(ended.all == ["0"])
    }

    @Test func `without a daemon it says so, and an agent whose daemon is gone for good is told with each request`()
        throws
    {
        let directory = TemporaryDirectory()
        let none = Run("mcp", "--no-start", in: directory, socket: directory.file("none"))
        #expect(none.status == .noDaemon && none.errors.contains("no searchd answers"))
        #expect(Run("mcp", "--json", in: directory, socket: directory.file("none")).status == .usage)
    }
}

/// Lines that another thread adds.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}

/// The agent's side of two pipes; it blocks.
private final class Agent {
    private let input: Pipe
    private let output: Pipe
    private var buffer = LineBuffer(bytesMax: 1 << 20)

    init(input: Pipe, output: Pipe) {
        (self.input, self.output) = (input, output)
    }

    func send(_ line: String) {
        Console().write(line + "\n", to: input.writing)
    }

    func line() throws -> String {
        while true {
            if let line = try buffer.next() { return String(decoding: line, as: UTF8.self) }
            guard let bytes = try Transfers.read(output.reading, bytesMax: 4096), !bytes.isEmpty else { return "" }
            buffer.append(bytes)
        }
    }

    func end() {
        input.closeWriting()
    }
}

@Suite struct AgentLedgerTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func pending(_ ledger: AgentLedger) -> Set<String> {
        Set(ledger.pending.map { String(decoding: $0.text, as: UTF8.self) })
    }

    @Test func `what is asked is owed until it is answered or cancelled`() {
        var ledger = AgentLedger()
        for id in ["1", "\"a\"", "\"\\u0062\"", "4"] {
            ledger.sent(bytes(#"{"id":\#(id),"method":"tools/call","jsonrpc":"2.0"}"#))
        }
        ledger.sent(bytes(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#))
        ledger.sent(bytes("nonsense"))
        #expect(pending(ledger) == ["1", "\"a\"", "\"\\u0062\"", "4"])
        for line in [
            #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#,
            #"{"result":{},"id":"b","jsonrpc":"2.0"}"#, #"{"jsonrpc":"2.0","id":null,"error":{}}"#,
        ] {
            let isForAgent = ledger.received(bytes(line))
            #expect(isForAgent, "\(line)")
        }
        ledger.sent(bytes(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}"#))
        #expect(pending(ledger) == ["\"a\""])
        let answer = String(decoding: ledger.refusePending(with: AgentLedger.lost), as: UTF8.self)
        #expect(answer.hasPrefix(#"{"jsonrpc":"2.0","id":"a","error":{"code":-32603,"#) && answer.hasSuffix("}\n"))
        #expect(ledger.pending.isEmpty)
    }

    @Test func `a session is begun anew with another daemon, and the agent does not see its answer twice`() {
        var ledger = AgentLedger()
        let initialize = bytes(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#)
        let before = ledger.rejoined()
        ledger.sent(initialize)
        // It has not been answered yet: then the agent asks again, not we.
        let unanswered = ledger.rejoined()
        #expect(before == nil && unanswered == nil)
        let answer = bytes(#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}"#)
        let first = ledger.received(answer)
        let repeated = ledger.rejoined()
        #expect(first && repeated == initialize)
        ledger.sent(bytes(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#))
        let second = ledger.received(answer)
        let other = ledger.received(bytes(#"{"jsonrpc":"2.0","id":1,"result":{}}"#))
        #expect(!second && other && ledger.pending.isEmpty)
    }

    @Test func `as many requests are remembered as the limit, and further ones pass`() {
        var ledger = AgentLedger()
        for id in 0...AgentLedger.pendingMax { ledger.sent(bytes(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#)) }
        #expect(ledger.pending.count == AgentLedger.pendingMax)
        let isForAgent = ledger.received(bytes(#"{"jsonrpc":"2.0","id":\#(AgentLedger.pendingMax),"result":{}}"#))
        #expect(isForAgent)
    }
}

/// The configurations of agents in the README.
@Suite struct ConfigurationTests {
    private static let readme = String(decoding: Files.contents(of: path), as: UTF8.self)

    private static var path: String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/") + "/README.md"
    }

    /// The blocks of a language.
    private func blocks(_ language: String) -> [String] {
        Self.readme.split(separator: "\n```\(language)\n").dropFirst().compactMap { rest in
            rest.split(separator: "\n```", maxSplits: 1).first.map(String.init)
        }
    }

    @Test func `every one in JSON is well formed and starts searchctl mcp`() throws {
        let blocks = blocks("json")
        #expect(blocks.count == 3)
        for block in blocks {
            let root = try JSONDocument(Array(block.utf8)).root.value
            let server = try #require(root.members?.first?.value["searchd"])
            #expect(server["command"] == "searchctl" && server["args"] == ["mcp"])
        }
    }

    @Test func `the one in TOML is a table with strings and a list`() throws {
        let lines = try #require(blocks("toml").first).split(separator: "\n").map(String.init)
        #expect(lines.first == "[mcp_servers.searchd]")
        let values = lines.dropFirst().map { $0.split(separator: " = ", maxSplits: 1).map(String.init) }
        #expect(values.map(\.first) == ["command", "args"])
        // Both kinds of values are JSON as well.
        let parsed = try values.map { try JSONDocument(Array("[\($0.last ?? "")]".utf8)).root.value }
        #expect(parsed == [["searchctl"], [["mcp"]]])
    }
}
