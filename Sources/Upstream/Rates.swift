import EventLoop

/// A rate limit (GCRA): at most `burst` + ⌊length / `interval`⌋ admissions in a time span of any length.
struct RateCell: Sendable {
    /// In nanoseconds.
    let interval: Int64
    let burst: Int
    /// The theoretical arrival time of GCRA: from then on, `burst` calls may be admitted at once.
    private var fullAt = Int64.min / 2
    private var latest: (at: Instant, fullAt: Int64)?

    init(interval: Int64, burst: Int, after other: RateCell? = nil) {
        precondition(interval > 0 && burst > 0, "a rate and a burst are positive")
        self.interval = interval
        self.burst = burst
        if let other { fullAt = other.fullAt }
    }

    /// The caller must check `earliest` first.
    mutating func admit(at now: Instant) {
        latest = (now, fullAt)
        fullAt = max(fullAt, now.nanoseconds) + interval
    }

    /// Undoes the admission at this instant, unless another call was admitted later.
    mutating func giveBack(admittedAt instant: Instant) {
        guard let latest, latest.at == instant else { return }
        fullAt = latest.fullAt
        self.latest = nil
    }

    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let full = max(fullAt, now.nanoseconds) - Int64(burst - 1) * interval
        let (queue, overflow) = interval.multipliedReportingOverflow(by: Int64(others))
        let (earliest, tooLate) = full.addingReportingOverflow(queue)
        return overflow || tooLate ? Instant(nanoseconds: .max) : Instant(nanoseconds: max(now.nanoseconds, earliest))
    }
}

/// Limits the calls in any minute, because the start of the source's minute is unknown.
struct SlidingWindow: Sendable {
    let length: Duration
    var limit: Int
    private var admitted: [Instant] = []

    init(length: Duration, limit: Int) {
        self.length = length
        self.limit = limit
    }

    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let admitted = admitted.filter { $0.advanced(by: length) > now }
        let waiting = admitted.count + others - limit
        guard waiting >= 0 else { return now }
        guard waiting < admitted.count else { return now.advanced(by: length * (waiting / limit + 1)) }
        return max(now, admitted[waiting].advanced(by: length))
    }

    mutating func admit(at now: Instant) {
        admitted.removeAll { $0.advanced(by: length) <= now }
        admitted.append(now)
    }

    mutating func giveBack(admittedAt instant: Instant) {
        if let index = admitted.lastIndex(of: instant) { admitted.remove(at: index) }
    }
}
