import EventLoop

/// Until when a source wants to be left alone: the time it asked for, grown when it asks again and again.
struct Pause: Sendable {
    enum Reason: Equatable, Sendable {
        case rateLimit
        case quota
        case trouble
    }

    /// For a source that reports rate limiting without a retry time.
    static let unsaid = Duration.seconds(5)
    /// A longer pause is not believed: no quota has a longer period.
    static let longest = Duration.seconds(32 * 86_400)
    /// The longest pause beyond the requested one.
    static let grownMax = Duration.seconds(300)

    private(set) var until = Instant(nanoseconds: .min)
    private(set) var since = Instant(nanoseconds: .min)
    private(set) var reason = Reason.rateLimit
    /// When the quota resets, as the source reports.
    private(set) var resetsAt: String?
    /// Pauses asked for since the last good answer.
    private(set) var repeats = 0

    func isOn(at now: Instant) -> Bool { until > now }

    /// Starts or extends a pause; a running pause never becomes shorter.
    ///
    /// The duration is nil when it named none that can be believed.
    mutating func asked(for duration: Duration?, because reason: Reason, resetsAt: String? = nil, at now: Instant) {
        var least = Duration.zero
        // Calls that were under way when the pause began say nothing new.
        if !isOn(at: now) {
            // Nothing at first, then a second, and twice as long each time.
            if repeats > 0 { least = min(.seconds(1 << min(repeats - 1, 16)), Self.grownMax) }
            repeats += 1
            since = now
        }
        let end = now.advanced(by: max(least, min(duration ?? Self.unsaid, Self.longest)))
        guard end > until else { return }
        (until, self.reason, self.resetsAt) = (end, reason, resetsAt)
    }

    /// A call went well.
    mutating func answered() { repeats = 0 }
}
