import EventLoop
import Synchronization

/// The monotonic clock, which a test may set ahead: half a minute then takes no time.
///
/// Once it is stopped, only the test moves it.
final class AdjustableClock: LoopClock {
    private let nanosecondsAhead = Atomic<Int64>(0)
    /// When it was stopped; 0 while it runs.
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
