import CPlatform
import EventLoop
import RPC
import SearchModel

/// `searchctl mcp`: lines between an agent on the standard streams and the daemon, until the agent has ended.
///
/// When the daemon ends, its unanswered requests get an error, and the next line goes to another daemon, which is
/// started where none runs; `initialize` is repeated for it, so that the session continues.
struct AgentBridge {
    /// After so long without a line it is at rest.
    private static let pause = Duration.milliseconds(500)

    private let connector: Connector
    private let console: Console
    private var ledger = AgentLedger()

    /// How one connection has ended.
    private enum Ending {
        case agent
        /// With the line that is not finished yet.
        case daemon(LineBuffer)
    }

    init(_ connector: Connector, _ console: Console) {
        self.connector = connector
        self.console = console
    }

    mutating func run() throws(ClientError) -> ExitStatus {
        var connection = try connector.connect()
        connection.takeLines(after: LineBuffer(bytesMax: DaemonConnection.lineBytesMax))
        while true {
            switch try pass(&connection) {
            case .agent: return .found
            case .daemon(var part):
                guard let next = try reconnect(&part) else { return .found }
                connection = next
            }
        }
    }

    /// Passes lines until one side has ended and the other has had all.
    private mutating func pass(_ connection: inout DaemonConnection) throws(ClientError) -> Ending {
        while true {
            switch try next(&connection) {
            case .input(let line):
                ledger.sent(line)
                try connection.send(line: line)
            case .line(let line):
                if ledger.received(line) { connection.print(line + [UInt8(ascii: "\n")]) }
            case .inputEnded: continue
            case .ended:
                connection.print(ledger.refusePending(with: AgentLedger.lost))
                try connection.flush()
                return connection.partOfInput.map { .daemon($0) } ?? .agent
            }
        }
    }

    /// What comes next; meanwhile, when nothing does, gives back the memory of code that has run, once.
    ///
    /// There is one such process for each agent, all day long.
    private func next(_ connection: inout DaemonConnection) throws(ClientError) -> DaemonConnection.Event {
        do throws(ClientError) {
            return try connection.nextEvent(until: .now.advanced(by: Self.pause))
        } catch {
            guard error.code == .init(.timeout) else { throw error }
        }
        platform_release_start_memory()
        return try connection.nextEvent(until: nil)
    }

    /// Waits for a line of the agent, and for a daemon to send it to; nil when the agent has ended.
    private mutating func reconnect(_ part: inout LineBuffer) throws(ClientError) -> DaemonConnection? {
        while true {
            if let line = try part.next() {
                if let connection = try connection(for: line, part) { return connection }
                continue
            }
            let ready = try Transfers.wait(for: console.input, console.interrupt)
            if ready[1] { throw ClientError(.interrupted, "interrupted") }
            guard let bytes = try Transfers.read(console.input, bytesMax: 1 << 16) else { continue }
            if bytes.isEmpty { return nil }
            part.append(bytes)
        }
    }

    /// A connection to which a line has been sent; nil when no daemon can be reached: the agent has got an error.
    private mutating func connection(
        for line: [UInt8],
        _ part: LineBuffer
    ) throws(ClientError) -> DaemonConnection? {
        do throws(ClientError) {
            var connection = try connector.connect()
            if let handshake = ledger.rejoined() { try connection.send(line: handshake) }
            connection.takeLines(after: part)
            ledger.sent(line)
            try connection.send(line: line)
            return connection
        } catch {
            ledger.sent(line)
            let refused = SearchError(.unavailable, error.message, retryable: true, hint: error.hint)
            let answers = ledger.refusePending(with: refused)
            try Printer(console).print(String(decoding: answers, as: UTF8.self))
            return nil
        }
    }
}
