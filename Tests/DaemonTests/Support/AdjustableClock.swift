import EventLoop
import Synchronization

/// A monotonic clock that a test can advance instead of waiting; while it is stopped, only the test advances it.
final class AdjustableClock: LoopClock {
    private let nanosecondsAhead = Atomic<Int64>(0)
    /// The time at which the clock was stopped; 0 while it runs.
    private let stoppedAt = Atomic<Int64>(0)

    func now() -> Instant {
        let stoppedAt = stoppedAt.load(ordering: .relaxed)
        let now = stoppedAt == 0 ? MonotonicClock().now() : Instant(nanoseconds: stoppedAt)
        return now.advanced(by: .nanoseconds(nanosecondsAhead.load(ordering: .relaxed)))
    }

    func stop() {
        stoppedAt.store(MonotonicClock().now().nanoseconds, ordering: .relaxed)
    }

    func advance(by duration: Duration) {
        nanosecondsAhead.add(duration.saturatingNanoseconds, ordering: .relaxed)
    }
}
