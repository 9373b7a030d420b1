import CPlatform

/// A point on the monotonic clock, which does not change when the wall clock is set.
package struct Instant: InstantProtocol, Hashable, Sendable {
    package typealias Duration = Swift.Duration

    /// Counted from an arbitrary time, which is fixed until the next reboot.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Saturates instead of overflowing.
    package func advanced(by duration: Duration) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.saturatingNanoseconds)
        return Instant(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    package func duration(to other: Instant) -> Duration {
        .nanoseconds(nanoseconds(to: other))
    }

    package func nanoseconds(to other: Instant) -> Int64 {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return overflow ? (nanoseconds < 0 ? .max : .min) : difference
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// Saturates instead of overflowing.
    package var saturatingNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, tooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return tooLarge || overflow ? (seconds < 0 ? .min : .max) : sum
    }

    package var milliseconds: Double {
        Double(saturatingNanoseconds) / 1_000_000
    }
}

package protocol LoopClock: Sendable {
    func now() -> Instant
}

package struct MonotonicClock: LoopClock {
    package init() {}

    package func now() -> Instant {
        Instant(nanoseconds: platform_monotonic_ns())
    }
}
