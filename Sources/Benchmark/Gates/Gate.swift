import EventLoop

/// The attacks of `searchbench hostile` on the real programs.
enum Gate: String, CaseIterable {
    case lines
    case readers
    case crowd
    case kills
    case prices
    case library
    case upstream

    static let answerMax = Duration.seconds(20)

    static var deadline: Int64 { SystemCall.now + answerMax.saturatingNanoseconds }

    func run(_ options: Options, _ environment: BenchmarkEnvironment, say: (String) -> Void) throws -> [Verdict] {
        switch self {
        case .lines: try LineGate.run(options, environment, say: say)
        case .readers: try SlowClientGate.run(options, environment, say: say)
        case .crowd: try FairShareGate.run(options, environment, say: say)
        case .kills: try KillGate.run(options, environment, say: say)
        case .prices: try PriceGate.run(options, environment, say: say)
        case .library: try LibraryGate.run(options, environment, say: say)
        case .upstream: try UpstreamGate.run(options, environment, say: say)
        }
    }
}

/// Sends pings on its own thread and records their latency.
final class Probe: Sendable {
    struct Result: Sendable {
        fileprivate(set) var latencies = Latencies()
        fileprivate(set) var isBroken = false
        fileprivate var isStopped = false
    }

    private let result = Locked(Result())
    private let thread: WorkerThread

    init(_ server: Server) throws {
        // Only the thread uses the connection.
        nonisolated(unsafe) let talk = try server.connect()
        thread = try WorkerThread { [result] in
            while unsafe Self.ping(talk, result) { SystemCall.pause(.milliseconds(2)) }
        }
    }

    func stop() -> Result {
        result.withLock { $0.isStopped = true }
        thread.join()
        return result.withLock { $0 }
    }

    private static func ping(_ talk: ServerConnection, _ result: Locked<Result>) -> Bool {
        let start = SystemCall.now
        let isAnswered = Wire.isResult(talk.answer(to: Wire.ping, within: Gate.answerMax))
        return result.withLock { result in
            if isAnswered { result.latencies.record(SystemCall.now - start) }
            result.isBroken = !isAnswered
            return isAnswered && !result.isStopped
        }
    }
}
