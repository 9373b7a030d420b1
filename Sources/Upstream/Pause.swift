import EventLoop
import RPC

/// Until when a source must not be called.
///
/// This is the pause that the source requested, or a longer one if it requests pauses repeatedly.
struct Pause: Sendable {
    /// The pause if the source reports rate limiting without a retry time.
    static let unspecified = Duration.seconds(5)
    /// Longer pauses are shortened to this: no quota has a longer period.
    static let longest = Duration.seconds(32 * 86_400)
    /// The longest pause that repeated requests alone cause.
    static let repeatedMax = Duration.seconds(300)

    private(set) var until = Instant(nanoseconds: .min)
    private(set) var since = Instant(nanoseconds: .min)
    private(set) var reason = SkipReason.rateLimit
    /// When the quota resets, as the source reports.
    private(set) var resetsAt: String?
    /// How many pauses the source has requested since the last successful call.
    private(set) var repeats = 0

    func isOn(at now: Instant) -> Bool { until > now }

    /// Starts or extends a pause that the source requests; a running pause never becomes shorter.
    ///
    /// The duration is nil if the source gave no plausible one.
    mutating func asked(for duration: Duration?, because reason: SkipReason, resetsAt: String? = nil, at now: Instant) {
        var least = Duration.zero
        // Calls that were in flight when the pause began tell nothing new.
        if !isOn(at: now) {
            // The least pause is zero at first, then a second, then doubles each time.
            if repeats > 0 { least = min(.seconds(1 << min(repeats - 1, 16)), Self.repeatedMax) }
            repeats += 1
            since = now
        }
        let end = now.advanced(by: max(least, min(duration ?? Self.unspecified, Self.longest)))
        guard end > until else { return }
        (until, self.reason, self.resetsAt) = (end, reason, resetsAt)
    }

    /// Follows a pause of another host.
    mutating func follow(for duration: Duration, because reason: SkipReason, resetsAt: String?, at now: Instant) {
        let end = now.advanced(by: min(duration, Self.longest))
        guard end > until else { return }
        if !isOn(at: now) { since = now }
        (until, self.reason, self.resetsAt) = (end, reason, resetsAt)
    }

    /// Records a successful call.
    mutating func answered() { repeats = 0 }
}
