package import EventLoop
import Synchronization

/// A clock that stands still until it is moved.
package final class ManualClock: LoopClock {
    private let nanoseconds: Atomic<Int64>

    package init(startingAt start: Instant = Instant(nanoseconds: 0)) {
        nanoseconds = Atomic(start.nanoseconds)
    }

    package func now() -> Instant {
        Instant(nanoseconds: nanoseconds.load(ordering: .relaxed))
    }

    /// Moves the clock; never backwards.
    package func advance(to instant: Instant) {
        _ = nanoseconds.max(instant.nanoseconds, ordering: .relaxed)
    }
}
