import CPlatform
package import EventLoop

extension Instant {
    /// The monotonic clock, read now.
    package static var now: Instant { Instant(nanoseconds: platform_monotonic_ns()) }

    /// The timeout of poll(2) until this instant: whole milliseconds, rounded up, none negative.
    func pollTimeout(from now: Instant) -> Int32 {
        let milliseconds = now.duration(to: self).milliseconds.rounded(.up)
        return milliseconds <= 0 ? 0 : Int32(min(milliseconds, Double(Int32.max)))
    }
}
