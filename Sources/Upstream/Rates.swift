import EventLoop

/// Admits calls at a steady rate, with bursts after idle times: the GCRA algorithm in whole nanoseconds.
///
/// Invariant: a time span of any length has at most `burst` + ⌊length / `interval`⌋ admissions, not counting admissions
/// that were returned.
struct RateCell: Sendable {
    /// The average interval between admissions, in nanoseconds.
    let interval: Int64
    let burst: Int
    /// The theoretical arrival time of GCRA: when `burst` calls may again be admitted at once.
    ///
    /// The initial value is earlier than every instant, but far enough from `Int64.min` to avoid overflow.
    private var fullAt = Int64.min / 2
    /// The latest admission, and the value of `fullAt` before it; nil if the admission was returned.
    private var latest: (at: Instant, fullAt: Int64)?

    /// Creates a cell with this rate; admissions of `other` still count.
    init(interval: Int64, burst: Int, after other: RateCell? = nil) {
        precondition(interval > 0 && burst > 0, "a rate and a burst are positive")
        self.interval = interval
        self.burst = burst
        if let other { fullAt = other.fullAt }
    }

    /// Admits a call now; the caller has checked with `earliest` that this is allowed.
    mutating func admit(at now: Instant) {
        latest = (now, fullAt)
        fullAt = max(fullAt, now.nanoseconds) + interval
    }

    /// Undoes the admission at this instant; does nothing if another call was admitted later.
    mutating func giveBack(admittedAt instant: Instant) {
        guard let latest, latest.at == instant else { return }
        fullAt = latest.fullAt
        self.latest = nil
    }

    /// Returns when a call would be admitted after `others` calls, which are admitted as early as possible.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let full = max(fullAt, now.nanoseconds) - Int64(burst - 1) * interval
        let (queue, overflow) = interval.multipliedReportingOverflow(by: Int64(others))
        let (earliest, tooLate) = full.addingReportingOverflow(queue)
        return overflow || tooLate ? Instant(nanoseconds: .max) : Instant(nanoseconds: max(now.nanoseconds, earliest))
    }
}

/// Allows a limited number of calls in any time span of a given length.
///
/// It counts quotas per minute, because a client does not know when the source's minute begins.
struct SlidingWindow: Sendable {
    let length: Duration
    /// The maximum number of calls in a time span of this length; at least one.
    var limit: Int
    /// When the calls of the latest time span were admitted, oldest first.
    private var admitted: [Instant] = []

    init(length: Duration, limit: Int) {
        self.length = length
        self.limit = limit
    }

    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let admitted = admitted.filter { $0.advanced(by: length) > now }
        let waiting = admitted.count + others - limit
        guard waiting >= 0 else { return now }
        // Each of the `others` calls also counts for `length` after its admission.
        guard waiting < admitted.count else { return now.advanced(by: length * (waiting / limit + 1)) }
        return max(now, admitted[waiting].advanced(by: length))
    }

    /// Counts a call; the caller has checked with `earliest` that it may start.
    mutating func admit(at now: Instant) {
        admitted.removeAll { $0.advanced(by: length) <= now }
        admitted.append(now)
    }

    mutating func giveBack(admittedAt instant: Instant) {
        if let index = admitted.lastIndex(of: instant) { admitted.remove(at: index) }
    }
}
