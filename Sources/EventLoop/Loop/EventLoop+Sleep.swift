extension EventLoop {
    /// Suspends until the deadline has come; throws as soon as the task is cancelled.
    package func sleep(until deadline: Instant) async throws(CancellationError) {
        let sleeper = Sleeper()
        let finished = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard sleeper.begin(continuation) else { return }
                perform {
                    let timer = self.schedule(at: deadline) { sleeper.end(finished: true) }
                    sleeper.onCancel { self.perform { self.cancel(timer) } }
                }
            }
        } onCancel: {
            sleeper.end(finished: false)
        }
        guard finished else { throw CancellationError() }
    }
}

/// One sleep: resumed once, by its timer or by its cancellation, whichever comes first.
private final class Sleeper: Sendable {
    private enum State {
        case new
        case sleeping(CheckedContinuation<Bool, Never>)
        case timed(CheckedContinuation<Bool, Never>, cancelTimer: @Sendable () -> Void)
        case ended
    }

    private let state = Locked(State.new)

    /// False when the sleep was cancelled before it began; the continuation is then resumed already.
    func begin(_ continuation: CheckedContinuation<Bool, Never>) -> Bool {
        let mayBegin = state.withLock { state in
            guard case .new = state else { return false }
            state = .sleeping(continuation)
            return true
        }
        if !mayBegin { continuation.resume(returning: false) }
        return mayBegin
    }

    /// Remembers how to take the timer back; at once when the sleep has been cancelled meanwhile.
    func onCancel(_ cancelTimer: @escaping @Sendable () -> Void) {
        let tooLate = state.withLock { state in
            guard case .sleeping(let continuation) = state else { return true }
            state = .timed(continuation, cancelTimer: cancelTimer)
            return false
        }
        if tooLate { cancelTimer() }
    }

    func end(finished: Bool) {
        let previous = state.withLock { state in
            defer { state = .ended }
            return state
        }
        switch previous {
        case .new, .ended: return
        case .sleeping(let continuation): continuation.resume(returning: finished)
        case .timed(let continuation, let cancelTimer):
            if !finished { cancelTimer() }
            continuation.resume(returning: finished)
        }
    }
}
