import EventLoop

/// Peers that write a byte at a time and peers that request much and read nothing, on a thread of idle priority.
final class Company: Sendable {
    private struct State: Sendable {
        var isLeaving = false
        var closed = 0
    }

    /// Between two bytes of a peer that writes a byte at a time.
    private static let bytePause: Int64 = 200_000_000
    private static let readPause: Int64 = 1_000_000_000
    /// The interval at which one of each kind leaves and another joins.
    private static let arrivalPause: Int64 = 50_000_000
    /// Together more than a socket holds unread.
    private static let searchesUnread = 64

    private let state: Locked<State>
    private let thread: WorkerThread

    /// So many of each kind come at once.
    init(_ socketPath: String, _ search: String, connections: Int) throws(BenchmarkError) {
        let state = Locked(State())
        self.state = state
        thread = try BenchmarkError.wrapping { () throws(SystemError) in
            try WorkerThread {
                SystemCall.lowerPriority()
                Self.attack(Crowd(socketPath), search, connections, state)
            }
        }
    }

    /// Closes all connections; returns how many the daemon had closed before.
    func leave() -> Int {
        state.withLock { $0.isLeaving = true }
        thread.join()
        return state.withLock { $0.closed }
    }

    private static func attack(_ crowd: Crowd, _ search: String, _ connections: Int, _ state: Locked<State>) {
        for _ in 0..<connections where !state.withLock({ $0.isLeaving }) { join(crowd, search) }
        var nextArrival = SystemCall.now
        crowd.drive(until: .max) {
            if SystemCall.now >= nextArrival {
                crowd.leave(2)
                join(crowd, search)
                nextArrival += arrivalPause
            }
            return !state.withLock { $0.isLeaving }
        }
        let closed = crowd.closed
        state.withLock { $0.closed = closed }
        crowd.leaveAll()
    }

    /// One of each kind.
    private static func join(_ crowd: Crowd, _ search: String) {
        crowd.join(Wire.ping, writing: .byte(every: bytePause), reading: .all(every: readPause))
        let lines = (1...searchesUnread).flatMap { Wire.request($0, "search", search) }
        crowd.join(lines, writing: .atOnce, reading: .never)
    }
}
