import EventLoop

/// Until when a source wants to be left alone: its own word, grown when it says so again and again.
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
    /// How far a pause grows that is not the source's own word.
    static let grownMax = Duration.seconds(300)

    private(set) var until = Instant(nanoseconds: .min)
    private(set) var since = Instant(nanoseconds: .min)
    private(set) var reason = Reason.rateLimit
    /// The source's word of when its quota begins anew.
    private(set) var resetsAt: String?
    /// Pauses asked for since the last good answer.
    private(set) var repeats = 0

    func isOn(at now: Instant) -> Bool { until > now }

    /// The source asked for a pause; one that is on is never cut short.
    ///
    /// The duration is nil when it named none that can be believed.
    mutating func asked(
        for duration: Duration?,
        because reason: Reason,
        resetsAt: String? = nil,
        at now: Instant
    ) {
        // Calls that were under way when the pause began say nothing new.
        let grown = isOn(at: now) ? .zero : Self.grown(repeats)
        if !isOn(at: now) {
            repeats = min(repeats + 1, 16)
            since = now
        }
        let said = min(max(duration ?? Self.unsaid, .zero), Self.longest)
        let end = now.advanced(by: max(said, grown))
        guard end > until else { return }
        until = end
        self.reason = reason
        self.resetsAt = resetsAt
    }

    /// A call went well.
    mutating func answered() {
        repeats = 0
    }

    /// What is waited at least after so many throttle answers in a row: nothing at first, then a second, and twice as
    /// long each time.
    private static func grown(_ repeats: Int) -> Duration {
        repeats == 0 ? .zero : min(.seconds(1 << min(repeats - 1, 16)), grownMax)
    }
}
