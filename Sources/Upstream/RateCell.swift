import EventLoop

/// Admits calls at a steady rate, and several at once after a pause: GCRA on whole nanoseconds.
///
/// Invariant: a window of any length holds at most `burst` + ⌊length / `interval`⌋ admissions, without returned ones. A
/// call is admitted at exactly the instant that `earliest` returns, and not a nanosecond earlier.
struct RateCell: Sendable {
    /// The change made by an admission.
    struct Permit: Hashable, Sendable {
        fileprivate let before: Int64
        fileprivate let after: Int64
    }

    /// If a rate allows one call at a time, background calls leave it unused for this many intervals.
    static let idleIntervals: Int64 = 3

    /// The average interval between admissions, in nanoseconds.
    let interval: Int64
    let burst: Int
    /// When as many as `burst` may be admitted at once again; the theoretical arrival time of GCRA.
    ///
    /// The initial value is long before every instant, but far enough from the minimum of Int64 to avoid overflow.
    private var fullAt = Int64.min / 2

    /// Creates a cell with this rate; keeps the admissions of another cell.
    init(interval: Int64, burst: Int, after other: RateCell? = nil) {
        precondition(interval > 0 && burst > 0, "a rate and a burst are positive")
        self.interval = interval
        self.burst = burst
        if let other { fullAt = other.fullAt }
    }

    /// Admits a call now; `earliest` must allow it.
    mutating func admit(at now: Instant) -> Permit {
        let permit = Permit(before: fullAt, after: max(fullAt, now.nanoseconds) + interval)
        fullAt = permit.after
        return permit
    }

    /// Returns the admission of a call that was not sent; no effect if another call was admitted after it.
    mutating func giveBack(_ permit: Permit) {
        if fullAt == permit.after { fullAt = permit.before }
    }

    /// When a call would be admitted if this many calls before it are admitted as early as possible.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let full = max(fullAt, now.nanoseconds) - Int64(burst - 1) * interval
        let (queue, overflow) = interval.multipliedReportingOverflow(by: Int64(others))
        let (earliest, tooLate) = full.addingReportingOverflow(queue)
        return overflow || tooLate ? Instant(nanoseconds: .max) : Instant(nanoseconds: max(now.nanoseconds, earliest))
    }

    /// When a call would leave half of a burst to others.
    ///
    /// If a burst is one call: when the rate has been unused for the time of `idleIntervals` calls.
    func spare(at now: Instant) -> Instant {
        guard burst == 1 else { return earliest(at: now, behind: burst / 2) }
        let (idle, isTooLate) = fullAt.addingReportingOverflow(interval * Self.idleIntervals)
        return isTooLate ? Instant(nanoseconds: .max) : max(now, Instant(nanoseconds: idle))
    }
}
