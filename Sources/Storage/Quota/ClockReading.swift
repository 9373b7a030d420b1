import CPlatform
import EventLoop

/// What two clocks of this machine say at one moment: the wall clock, which people set, and the uptime, which cannot be
/// set.
package struct ClockReading: Equatable, Sendable {
    /// Seconds since 1970.
    package var wallSeconds: Int64
    /// Seconds since the machine started, with those it was suspended.
    package var bootSeconds: Int64

    package init(wallSeconds: Int64, bootSeconds: Int64) {
        self.wallSeconds = wallSeconds
        self.bootSeconds = bootSeconds
    }

    package static func now() -> ClockReading {
        ClockReading(
            wallSeconds: platform_realtime_ns() / 1_000_000_000,
            bootSeconds: platform_boottime_ns() / 1_000_000_000
        )
    }

    /// How far the wall clock is ahead of the machine's uptime: it changes when the clock is set.
    var offset: Int64 { wallSeconds - bootSeconds }
}

/// Which start of the machine this is.
package enum BootIdentity {
    private static let path = "/proc/sys/kernel/random/boot_id"

    /// The kernel's name for it; empty where it has none.
    package static func current() -> String {
        String(decoding: SystemCall.contents(of: path) ?? [], as: UTF8.self).filter { $0.isHexDigit || $0 == "-" }
    }
}
