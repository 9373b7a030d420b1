import EventLoop

/// Lets calls through at a steady rate and after a pause some at once: GCRA on whole nanoseconds.
///
/// Invariant: no window of any length holds more than `burst` + ⌊length / `interval`⌋ of the admissions that were not
/// given back; a call is admitted at exactly the instant that `earliest` returns, and not a nanosecond earlier.
struct RateCell: Sendable {
    /// What an admission has changed.
    struct Permit: Hashable, Sendable {
        fileprivate let before: Int64
        fileprivate let after: Int64
    }

    /// Work that no one waits for leaves a rate that allows one call at a time unused for so many calls.
    static let idleIntervals: Int64 = 3

    /// Nanoseconds from one admission to the next, in the long run.
    let interval: Int64
    let burst: Int
    /// When as many as `burst` may be admitted at once again; the theoretical arrival time of GCRA.
    ///
    /// At first long before every instant, and far enough from the end of Int64 to be reckoned with.
    private var fullAt = Int64.min / 2

    /// A cell with this rate; what another one has admitted stays admitted.
    init(interval: Int64, burst: Int, after other: RateCell? = nil) {
        precondition(interval > 0 && burst > 0, "a rate and a burst are positive")
        self.interval = interval
        self.burst = burst
        if let other { fullAt = other.fullAt }
    }

    /// Admits a call now, which `earliest` allowed.
    mutating func admit(at now: Instant) -> Permit {
        let permit = Permit(before: fullAt, after: max(fullAt, now.nanoseconds) + interval)
        fullAt = permit.after
        return permit
    }

    /// The call was not sent: it is as though it had never been admitted, unless others were admitted after it.
    mutating func giveBack(_ permit: Permit) {
        if fullAt == permit.after { fullAt = permit.before }
    }

    /// When a call would be admitted that has so many before it, all of them as early as they can.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let full = max(fullAt, now.nanoseconds) - Int64(burst - 1) * interval
        let (queue, overflow) = interval.multipliedReportingOverflow(by: Int64(others))
        let (earliest, tooLate) = full.addingReportingOverflow(queue)
        return overflow || tooLate ? Instant(nanoseconds: .max) : Instant(nanoseconds: max(now.nanoseconds, earliest))
    }

    /// When a call would leave half of a burst to others, or where a burst is one call, has left the rate unused for as
    /// long as `idleIntervals` calls take.
    func spare(at now: Instant) -> Instant {
        guard burst == 1 else { return earliest(at: now, behind: burst / 2) }
        let (idle, isTooLate) = fullAt.addingReportingOverflow(interval * Self.idleIntervals)
        return isTooLate ? Instant(nanoseconds: .max) : max(now, Instant(nanoseconds: idle))
    }
}
