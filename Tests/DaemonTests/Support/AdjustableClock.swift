import EventLoop
import Synchronization

/// A monotonic clock that a test can stop and advance.
final class AdjustableClock: LoopClock {
    private let nanosecondsAhead = Atomic<Int64>(0)
    /// 0 while the clock runs.
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
