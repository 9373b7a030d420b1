import Catalogue
import EventLoop
import RPC

/// The rate limits and the pause of an account or a source: when the next call may start.
struct LimitState: Sendable {
    /// Networks can deliver calls closer together than they were sent, so calls are sent further apart than required.
    static let spacing = 1.02

    var pause = Pause()
    /// How many calls may run at once; nil for any number.
    private(set) var slots: Int?
    private var cell: RateCell?
    private var minutes: SlidingWindow?

    /// Sets the limits, with at most `perMinute` calls in any minute.
    ///
    /// Earlier calls still count.
    mutating func change(_ limits: Limits, perMinute: Int?) {
        slots = limits.concurrency
        cell = limits.perSecond.map { perSecond in
            let interval = max(Int64((1e9 / perSecond * Self.spacing).rounded(.up)), 1)
            return RateCell(interval: interval, burst: max(limits.burst ?? 1, 1), after: cell)
        }
        minutes = perMinute.map { perMinute in
            var window = minutes ?? SlidingWindow(length: .seconds(60) * Self.spacing, limit: 1)
            window.limit = max(perMinute, 1)
            return window
        }
    }

    /// Returns when the rate allows a call that has this many calls before it.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let start = max(now, pause.until)
        return max(
            cell?.earliest(at: start, behind: others) ?? start,
            minutes?.earliest(at: start, behind: others) ?? start
        )
    }

    /// Returns when a call would leave half of the burst and half of the minute's calls to others.
    func spare(at now: Instant) -> Instant {
        let start = max(now, pause.until)
        return max(
            cell.map { $0.earliest(at: start, behind: $0.burst / 2) } ?? start,
            minutes.map { $0.earliest(at: start, behind: $0.limit / 2) } ?? start
        )
    }

    /// Records the start of a call that `earliest` allowed.
    mutating func start(at now: Instant) {
        cell?.admit(at: now)
        minutes?.admit(at: now)
    }

    /// Removes the record of a call that started at this instant and was never sent.
    mutating func giveBack(startedAt instant: Instant) {
        cell?.giveBack(admittedAt: instant)
        minutes?.giveBack(admittedAt: instant)
    }
}

/// Until when a source must not be called.
///
/// This is the pause that the source requested, or a longer one if it requests pauses repeatedly.
struct Pause: Sendable {
    /// The pause if the source reports rate limiting without a retry time.
    static let unsaid = Duration.seconds(5)
    /// Longer pauses are shortened to this: no quota has a longer period.
    static let longest = Duration.seconds(32 * 86_400)
    /// The longest pause that repeated requests alone cause.
    static let grownMax = Duration.seconds(300)

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
