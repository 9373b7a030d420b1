import CPlatform

/// Where a loop reads the time.
package protocol LoopClock: Sendable {
    func now() -> Instant
}

/// CLOCK_MONOTONIC.
package struct MonotonicClock: LoopClock {
    package init() {}

    package func now() -> Instant {
        Instant(nanoseconds: platform_monotonic_ns())
    }
}
