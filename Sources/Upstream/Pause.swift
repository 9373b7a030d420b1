import EventLoop
import RPC

/// The time until which a source or an account must not be called; repeated pauses become longer.
struct Pause: Sendable {
    static let unspecified = Duration.seconds(5)
    /// The maximum of a requested pause; no quota has a longer period.
    static let longest = Duration.seconds(32 * 86_400)
    static let repeatedMax = Duration.seconds(300)

    private(set) var until = Instant(nanoseconds: .min)
    private(set) var since = Instant(nanoseconds: .min)
    private(set) var reason = SkipReason.rateLimit
    private(set) var resetsAt: String?
    private(set) var repeats = 0

    func isOn(at now: Instant) -> Bool { until > now }

    /// Starts or extends a pause, but never shortens it.
    mutating func asked(for duration: Duration?, because reason: SkipReason, resetsAt: String? = nil, at now: Instant) {
        var least = Duration.zero
        // If a pause is on, the source answered a call that was sent before the pause, so this is no repeated pause.
        if !isOn(at: now) {
            if repeats > 0 { least = min(.seconds(1 << min(repeats - 1, 16)), Self.repeatedMax) }
            repeats += 1
        }
        follow(for: max(least, duration ?? Self.unspecified), because: reason, resetsAt: resetsAt, at: now)
    }

    /// Like `asked`, but for a pause that another host has started.
    mutating func follow(for duration: Duration, because reason: SkipReason, resetsAt: String?, at now: Instant) {
        let end = now.advanced(by: min(duration, Self.longest))
        guard end > until else { return }
        if !isOn(at: now) { since = now }
        (until, self.reason, self.resetsAt) = (end, reason, resetsAt)
    }

    mutating func answered() { repeats = 0 }

    mutating func quotaWasSet() { if reason == .quotaExhausted { self = Pause() } }
}
