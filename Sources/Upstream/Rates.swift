import EventLoop

/// Admits calls at a steady rate, and bursts after a pause: the GCRA algorithm in whole nanoseconds.
///
/// Invariant: a window of any length holds at most `burst` + ⌊length / `interval`⌋ admissions, without returned ones. A
/// call is admitted at exactly the instant that `earliest` returns, and not a nanosecond earlier.
struct RateCell: Sendable {
    /// The average interval between admissions, in nanoseconds.
    let interval: Int64
    let burst: Int
    /// When as many as `burst` may be admitted at once again; the theoretical arrival time of GCRA.
    ///
    /// The initial value is long before every instant, but far enough from the minimum of Int64 to avoid overflow.
    private var fullAt = Int64.min / 2
    /// The latest admission, and `fullAt` before it; nil once it was returned.
    private var latest: (at: Instant, fullAt: Int64)?

    /// Creates a cell with this rate; keeps the admissions of another cell.
    init(interval: Int64, burst: Int, after other: RateCell? = nil) {
        precondition(interval > 0 && burst > 0, "a rate and a burst are positive")
        self.interval = interval
        self.burst = burst
        if let other { fullAt = other.fullAt }
    }

    /// Admits a call now; `earliest` must allow it.
    mutating func admit(at now: Instant) {
        latest = (now, fullAt)
        fullAt = max(fullAt, now.nanoseconds) + interval
    }

    /// Returns an admission of that instant, whose call was not sent; no effect if another call was admitted later.
    mutating func giveBack(admittedAt instant: Instant) {
        guard let latest, latest.at == instant else { return }
        fullAt = latest.fullAt
        self.latest = nil
    }

    /// When a call would be admitted if this many calls before it are admitted as early as possible.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let full = max(fullAt, now.nanoseconds) - Int64(burst - 1) * interval
        let (queue, overflow) = interval.multipliedReportingOverflow(by: Int64(others))
        let (earliest, tooLate) = full.addingReportingOverflow(queue)
        return overflow || tooLate ? Instant(nanoseconds: .max) : Instant(nanoseconds: max(now.nanoseconds, earliest))
    }
}

/// Allows a limited number of calls in any window of a given length, wherever it begins.
///
/// For quotas per minute, because a client does not know when the source's minute begins.
struct SlidingWindow: Sendable {
    let length: Duration
    /// At least one.
    var limit: Int
    /// When the latest calls were admitted, oldest first; at most `limit`.
    private var admitted: [Instant] = []

    init(length: Duration, limit: Int) {
        self.length = length
        self.limit = limit
    }

    /// When a call with this many calls before it would be admitted.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let admitted = admitted.filter { $0.advanced(by: length) > now }
        let waiting = admitted.count + others - limit
        guard waiting >= 0 else { return now }
        // The calls before it will also count for a whole window.
        guard waiting < admitted.count else { return now.advanced(by: length * (waiting / limit + 1)) }
        return max(now, admitted[waiting].advanced(by: length))
    }

    /// Counts a call; `earliest` must allow it now.
    mutating func admit(at now: Instant) {
        admitted.removeAll { $0.advanced(by: length) <= now }
        admitted.append(now)
    }

    /// Removes the call admitted then, which was not sent.
    mutating func giveBack(admittedAt instant: Instant) {
        if let index = admitted.lastIndex(of: instant) { admitted.remove(at: index) }
    }
}
