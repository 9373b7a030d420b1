import EventLoop
import RPC

/// The time until which a source or an account must not be called.
///
/// It is the pause that the source requested, or a longer one if the source requests pauses repeatedly.
struct Pause: Sendable {
    /// The pause if the source limits calls without saying until when.
    static let unspecified = Duration.seconds(5)
    /// The longest pause; longer requests are shortened to this, because no quota has a longer period.
    static let longest = Duration.seconds(32 * 86_400)
    /// The longest pause that is caused only by repeated requests.
    static let repeatedMax = Duration.seconds(300)

    private(set) var until = Instant(nanoseconds: .min)
    private(set) var since = Instant(nanoseconds: .min)
    private(set) var reason = SkipReason.rateLimit
    /// When the quota resets, if the source says so.
    private(set) var resetsAt: String?
    /// How many pauses the source has requested since the last successful call.
    private(set) var repeats = 0

    func isOn(at now: Instant) -> Bool { until > now }

    /// Starts or extends a pause that the source requests, but never shortens it.
    ///
    /// The duration is nil if the source named none, or none that is plausible.
    mutating func asked(for duration: Duration?, because reason: SkipReason, resetsAt: String? = nil, at now: Instant) {
        var least = Duration.zero
        // A response to a call that was sent before the pause began is not a new request.
        if !isOn(at: now) {
            // The shortest pause is zero for the first request, a second for the next one, and then doubles each time.
            if repeats > 0 { least = min(.seconds(1 << min(repeats - 1, 16)), Self.repeatedMax) }
            repeats += 1
            since = now
        }
        let end = now.advanced(by: max(least, min(duration ?? Self.unspecified, Self.longest)))
        guard end > until else { return }
        (until, self.reason, self.resetsAt) = (end, reason, resetsAt)
    }

    /// Applies a pause of another host.
    mutating func follow(for duration: Duration, because reason: SkipReason, resetsAt: String?, at now: Instant) {
        let end = now.advanced(by: min(duration, Self.longest))
        guard end > until else { return }
        if !isOn(at: now) { since = now }
        (until, self.reason, self.resetsAt) = (end, reason, resetsAt)
    }

    /// Records a successful call.
    mutating func answered() { repeats = 0 }

    /// Ends a pause for a quota that the source said was used up.
    mutating func quotaWasSet() { if reason == .quotaExhausted { self = Pause() } }
}
