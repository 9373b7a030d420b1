import Catalogue
import EventLoop
import RPC

/// When the limits of an account or a source allow the next call, and how many at once.
struct LimitState: Sendable {
    /// Networks can deliver calls closer together than they were sent, so calls are sent further apart than required.
    static let spacing = 1.02

    var pause = Pause()
    /// How many calls may run at once; nil for any number.
    private(set) var slots: Int?
    private var cell: RateCell?
    private var minutes: SlidingWindow?

    /// Sets the limits, and at most `perMinute` calls in any minute; calls that were allowed stay allowed.
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

    /// The rate, for a store that hosts share.
    func shared(_ owner: String) -> SharedRate {
        SharedRate(
            owner: owner,
            interval: cell.map { ($0.interval + 999) / 1000 } ?? 0,
            burst: cell?.burst ?? 1,
            perMinute: minutes?.limit ?? 0
        )
    }

    /// When the rate allows a call with this many calls before it.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let start = max(now, pause.until)
        return max(
            cell?.earliest(at: start, behind: others) ?? start,
            minutes?.earliest(at: start, behind: others) ?? start
        )
    }

    /// When a call would leave half of a burst, and half of a minute's calls, to others.
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

    /// Removes a call of that instant that was never sent.
    mutating func giveBack(startedAt instant: Instant) {
        cell?.giveBack(admittedAt: instant)
        minutes?.giveBack(admittedAt: instant)
    }
}

/// Until when a source must not be called: the requested time, increased for repeated requests.
struct Pause: Sendable {
    /// For a source that reports rate limiting without a retry time.
    static let unsaid = Duration.seconds(5)
    /// Longer pauses are ignored: no quota has a longer period.
    static let longest = Duration.seconds(32 * 86_400)
    /// The maximum addition to the requested pause.
    static let grownMax = Duration.seconds(300)

    private(set) var until = Instant(nanoseconds: .min)
    private(set) var since = Instant(nanoseconds: .min)
    private(set) var reason = SkipReason.rateLimit
    /// When the quota resets, as the source reports.
    private(set) var resetsAt: String?
    /// Pauses requested since the last good answer.
    private(set) var repeats = 0

    func isOn(at now: Instant) -> Bool { until > now }

    /// Starts or extends a pause; a running pause never becomes shorter.
    ///
    /// The duration is nil if the source gave no plausible one.
    mutating func asked(for duration: Duration?, because reason: SkipReason, resetsAt: String? = nil, at now: Instant) {
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
