import EventLoop

/// Admits calls at a steady rate, with bursts after idle times: the GCRA algorithm in whole nanoseconds.
///
/// Invariant: a window of any length has at most `burst` + ⌊length / `interval`⌋ admissions, without those that were
/// returned. A call is admitted exactly at the instant that `earliest` returns, and not a nanosecond earlier.
struct RateCell: Sendable {
    /// The average interval between admissions, in nanoseconds.
    let interval: Int64
    let burst: Int
    /// When `burst` calls may again be admitted at once; the theoretical arrival time of GCRA.
    ///
    /// The initial value is earlier than every instant, but far enough from the minimum of Int64 to avoid overflow.
    private var fullAt = Int64.min / 2
    /// The latest admission, and `fullAt` before it; nil after the admission was returned.
    private var latest: (at: Instant, fullAt: Int64)?

    /// Creates a cell with this rate, and with the admissions of another cell.
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

    /// Undoes the admission at an instant, whose call was not sent; does nothing if another call was admitted later.
    mutating func giveBack(admittedAt instant: Instant) {
        guard let latest, latest.at == instant else { return }
        fullAt = latest.fullAt
        self.latest = nil
    }

    /// Returns when a call would be admitted if `others` calls before it are admitted as early as possible.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let full = max(fullAt, now.nanoseconds) - Int64(burst - 1) * interval
        let (queue, overflow) = interval.multipliedReportingOverflow(by: Int64(others))
        let (earliest, tooLate) = full.addingReportingOverflow(queue)
        return overflow || tooLate ? Instant(nanoseconds: .max) : Instant(nanoseconds: max(now.nanoseconds, earliest))
    }
}

/// Allows a limited number of calls in any window of a given length, wherever the window begins.
///
/// It is used for quotas per minute, because a client does not know when the source's minute begins.
struct SlidingWindow: Sendable {
    let length: Duration
    /// The most calls in a window; at least one.
    var limit: Int
    /// When the latest calls were admitted, oldest first; never more than `limit`.
    private var admitted: [Instant] = []

    init(length: Duration, limit: Int) {
        self.length = length
        self.limit = limit
    }

    /// Returns when a call would be admitted after `others` other calls.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let admitted = admitted.filter { $0.advanced(by: length) > now }
        let waiting = admitted.count + others - limit
        guard waiting >= 0 else { return now }
        // The other calls will also count for a whole window.
        guard waiting < admitted.count else { return now.advanced(by: length * (waiting / limit + 1)) }
        return max(now, admitted[waiting].advanced(by: length))
    }

    /// Counts a call; `earliest` must allow it now.
    mutating func admit(at now: Instant) {
        admitted.removeAll { $0.advanced(by: length) <= now }
        admitted.append(now)
    }

    /// Removes a call that was admitted at an instant but not sent.
    mutating func giveBack(admittedAt instant: Instant) {
        if let index = admitted.lastIndex(of: instant) { admitted.remove(at: index) }
    }
}
