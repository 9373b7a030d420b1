import EventLoop
import Synchronization

/// The monotonic clock, which a test may set ahead: half a minute then takes no time.
final class AdjustableClock: LoopClock {
    private let nanosecondsAhead = Atomic<Int64>(0)

    func now() -> Instant {
        MonotonicClock().now().advanced(by: .nanoseconds(nanosecondsAhead.load(ordering: .relaxed)))
    }

    func advance(by duration: Duration) {
        nanosecondsAhead.add(duration.saturatingNanoseconds, ordering: .relaxed)
    }
}
