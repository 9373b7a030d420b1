import EventLoop

/// A property of the real programs that must hold whatever clients, sources and crashes do.
enum Gate: String, CaseIterable {
    case lines
    case readers
    case crowd
    case kills
    case library
    case upstream

    /// An answer that takes longer is missing.
    static let answerMax = Duration.seconds(20)

    /// The time at which an answer to a request of now is missing.
    static var deadline: Int64 { SystemCall.now + answerMax.saturatingNanoseconds }

    func run(_ options: Options, _ stage: Stage, say: (String) -> Void) throws -> [Verdict] {
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

/// A well-behaved client on a thread of its own: it sends pings and records how long the answers take.
final class Probe: Sendable {
    struct Window: Sendable {
        fileprivate(set) var latencies = Latencies()
        /// A ping was not answered, or answered with an error.
        fileprivate(set) var isBroken = false
        fileprivate var isStopped = false
    }

    private let window = Locked(Window())
    private let thread: WorkerThread

    init(_ server: Server) throws {
        // Only the thread uses the connection from now on.
        nonisolated(unsafe) let talk = try server.talk()
        thread = try WorkerThread { [window] in
            while unsafe Self.ping(talk, window) { SystemCall.pause(.milliseconds(2)) }
        }
    }

    /// Waits for the last answer, and returns what was measured.
    func stop() -> Window {
        window.withLock { $0.isStopped = true }
        thread.join()
        return window.withLock { $0 }
    }

    /// Sends one ping; false when the probe was stopped, or the ping failed.
    private static func ping(_ talk: Dialogue, _ window: Locked<Window>) -> Bool {
        let askedAt = SystemCall.now
        let isAnswered = Wire.isResult(talk.answer(to: Wire.ping, within: Gate.answerMax))
        return window.withLock { window in
            if isAnswered { window.latencies.record(SystemCall.now - askedAt) }
            window.isBroken = !isAnswered
            return isAnswered && !window.isStopped
        }
    }
}
