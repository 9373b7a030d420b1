import EventLoop

/// A property of the real programs that must hold whatever clients, sources and crashes do.
enum Gate: String, CaseIterable {
    case lines
    case readers
    case crowd
    case kills
    case library
    case upstream

    func run(_ options: GateOptions, _ stage: Stage, say: (String) -> Void) throws -> [Verdict] {
        switch self {
        case .lines: try LineGate.run(options, stage, say: say)
        case .readers: try ReaderGate.run(options, stage, say: say)
        case .crowd: try CrowdGate.run(options, stage, say: say)
        case .kills: try KillGate.run(options, stage, say: say)
        case .library: try LibraryGate.run(options, stage, say: say)
        case .upstream: try UpstreamGate.run(options, stage, say: say)
        }
    }
}

/// The options of `searchbench hostile`.
struct GateOptions {
    var gates = Gate.allCases
    var connections = 0
    var kills = 0
    var programs: String?
    var isHelp = false

    init(_ arguments: [String]) throws {
        var reader = ArgumentReader(arguments)
        while let name = reader.next() {
            switch name {
            case "--connections": connections = try reader.number(after: name, 1...4_000)
            case "--kills": kills = try reader.number(after: name, 1...1_000_000)
            case "--gates":
                let words = try reader.list(after: name, of: Gate.allCases.map(\.rawValue))
                gates = Gate.allCases.filter { words.contains($0.rawValue) }
            case "--programs": programs = try reader.value(after: name)
            case "--help", "-h": isHelp = true
            default: throw reader.refusal("\(name) is not an option of hostile")
            }
        }
        guard isHelp || connections > 0 && kills > 0 else {
            throw reader.refusal("hostile needs --connections and --kills")
        }
    }

    /// Whether the run is long enough to measure well, not only to check that everything works.
    var isLong: Bool { connections >= 1_000 }
}

/// A well-behaved client on a thread of its own: it sends pings and records how long the answers take.
final class Probe: Sendable {
    struct Window: Sendable {
        fileprivate(set) var latencies = Latencies()
        /// When the ping that waits for its answer was sent.
        fileprivate var askedAt: Int64?
        fileprivate var isStopped = false
        /// The connection broke, or an answer was an error.
        fileprivate(set) var isBroken = false

        var longest: Int64 { latencies.longest }
    }

    /// How often a wait checks whether the probe was stopped.
    private static let check: Int64 = 50_000_000

    private let state = Locked(Window())
    private let thread: WorkerThread

    init(_ server: Server) throws {
        // Only the thread uses the connection from now on.
        nonisolated(unsafe) let talk = try server.talk()
        thread = try WorkerThread { [state] in
            while unsafe Self.ask(talk, state) { SystemCall.pause(.milliseconds(2)) }
        }
    }

    /// Ends the probe and returns what was measured.
    func stop() -> Window {
        let now = SystemCall.now
        var window = state.withLock { window in
            window.isStopped = true
            return window
        }
        thread.join()
        // The ping without an answer counts with the time that it has waited.
        if let askedAt = window.askedAt { window.latencies.record(now - askedAt) }
        return window
    }

    /// Sends one ping; false when the probe was stopped, or the ping failed.
    private static func ask(_ talk: Dialogue, _ state: Locked<Window>) -> Bool {
        let askedAt = SystemCall.now
        state.withLock { $0.askedAt = askedAt }
        talk.send(Wire.ping, until: askedAt + check)
        var answer: [UInt8]?
        while answer == nil, !talk.isClosed, !state.withLock({ $0.isStopped }) {
            answer = talk.line(until: SystemCall.now + check)
        }
        let isRight = Wire.isResult(answer)
        return state.withLock { window in
            if isRight { window.latencies.record(SystemCall.now - askedAt) }
            window.askedAt = nil
            window.isBroken = window.isBroken || !isRight && !window.isStopped
            return isRight && !window.isStopped
        }
    }
}
