import EventLoop

/// A well-behaved client: it sends one request after another from a separate thread, and records the latencies.
final class PingProbe: Sendable {
    /// What was measured since the last look.
    struct Window: Sendable {
        var latencies = Histogram()
        /// The longest latency, of answers and of the request in flight.
        var longest: Int64 = 0
        /// The connection broke, or an answer was an error.
        var isBroken = false

        var p99: Int64 { latencies.percentile(0.99) ?? longest }
    }

    private struct State: Sendable {
        var window = Window()
        var askedAt: Int64?
        var isStopped = false
    }

    /// How often a wait checks whether the probe was stopped.
    private static let waitNanoseconds: Int64 = 50_000_000

    private let state: Locked<State>
    private let thread: WorkerThread

    /// Asks the requests in turns, with a pause after each answer.
    init(_ socketPath: String, requests: [[UInt8]] = [Wire.ping], pause: Duration) throws(BenchmarkError) {
        let state = Locked(State())
        self.state = state
        thread = try BenchmarkError.wrapping { () throws(SystemError) in
            try WorkerThread {
                Self.ask(socketPath, requests, pause, state)
            }
        }
    }

    /// The window since the last call; begins the next one.
    func look() -> Window {
        state.withLock { state in
            var window = state.window
            if let askedAt = state.askedAt { window.longest = max(window.longest, SystemCall.now - askedAt) }
            state.window = Window()
            return window
        }
    }

    /// How long the request under way has been waiting.
    var waiting: Int64 { state.withLock { $0.askedAt.map { SystemCall.now - $0 } ?? 0 } }

    func stop() {
        state.withLock { $0.isStopped = true }
        thread.join()
    }

    private static func ask(
        _ socketPath: String,
        _ requests: [[UInt8]],
        _ pause: Duration,
        _ state: Locked<State>
    ) {
        guard let talk = try? Dialogue(socketPath) else { return state.withLock { $0.window.isBroken = true } }
        var number = 0
        while !state.withLock({ $0.isStopped }) {
            let askedAt = SystemCall.now
            state.withLock { $0.askedAt = askedAt }
            var answer: [UInt8]?
            if talk.send(requests[number % requests.count], until: askedAt + waitNanoseconds) {
                repeat {
                    answer = talk.line(until: SystemCall.now + waitNanoseconds)
                } while answer == nil && !talk.isClosed && !state.withLock { $0.isStopped }
            }
            let took = SystemCall.now - askedAt
            let isRight = Wire.isResult(answer)
            state.withLock { state in
                state.askedAt = nil
                guard isRight || !state.isStopped else { return }
                state.window.latencies.record(took)
                state.window.longest = max(state.window.longest, took)
                if !isRight { state.window.isBroken = true }
            }
            if !isRight { return }
            number += 1
            SystemCall.pause(pause)
        }
    }
}
