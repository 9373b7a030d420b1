import EventLoop

/// Until when a source must not be called: the requested time, increased for repeated requests.
struct Pause: Sendable {
    enum Reason: Equatable, Sendable {
        case rateLimit
        case quota
        case trouble
    }

    /// For a source that reports rate limiting without a retry time.
    static let unsaid = Duration.seconds(5)
    /// Longer pauses are ignored: no quota has a longer period.
    static let longest = Duration.seconds(32 * 86_400)
    /// The maximum addition to the requested pause.
    static let grownMax = Duration.seconds(300)

    private(set) var until = Instant(nanoseconds: .min)
    private(set) var since = Instant(nanoseconds: .min)
    private(set) var reason = Reason.rateLimit
    /// When the quota resets, as the source reports.
    private(set) var resetsAt: String?
    /// Pauses requested since the last good answer.
    private(set) var repeats = 0

    func isOn(at now: Instant) -> Bool { until > now }

    /// Starts or extends a pause; a running pause never becomes shorter.
    ///
    /// The duration is nil if the source gave no plausible one.
    mutating func asked(for duration: Duration?, because reason: Reason, resetsAt: String? = nil, at now: Instant) {
        var least = Duration.zero
        // Calls in flight when the pause began add no information.
        if !isOn(at: now) {
            // The addition is zero at first, then a second, then doubles each time.
            if repeats > 0 { least = min(.seconds(1 << min(repeats - 1, 16)), Self.grownMax) }
            repeats += 1
            since = now
        }
        let end = now.advanced(by: max(least, min(duration ?? Self.unsaid, Self.longest)))
        guard end > until else { return }
        (until, self.reason, self.resetsAt) = (end, reason, resetsAt)
    }

    /// Records a successful call.
    mutating func answered() { repeats = 0 }
}
