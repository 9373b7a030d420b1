/// The periods that a call made now may fall into, by the source's calendar.
///
/// Pure. There is more than one around the turn of a period, since neither clock nor network is exact, and for some
/// days after the clock was set: then each belief in what time it is has its own.
struct QuotaCharge: Equatable {
    /// How far from a turn both periods are charged.
    static let marginSeconds: Int64 = 5

    struct Period: Equatable {
        let belief: PlausibleClocks.Belief
        let start: Int64
        let end: Int64

        /// The uptimes of its start and its end, if the belief is right.
        var startedAt: Int64 { start - belief.offset }
        var endsAt: Int64 { end - belief.offset }
        /// Whether calls were made in it before the belief was one.
        var isOlderThanBelief: Bool { startedAt < belief.since }
    }

    let periods: [Period]
    /// The uptime from which another period must be charged too.
    let endsAt: Int64

    init(_ quota: LedgerQuota, clocks: PlausibleClocks, at reading: ClockReading) {
        let boot = reading.bootSeconds
        var periods: [Period] = []
        var endsAt = Int64.max
        for belief in clocks.counting(at: boot, periodSeconds: { Int64(quota.period($0).count) }) {
            let early = quota.period(boot + belief.offset - Self.marginSeconds)
            let late = quota.period(boot + belief.offset + Self.marginSeconds)
            for range in early == late ? [late] : [early, late] {
                periods.append(Period(belief: belief, start: range.lowerBound, end: range.upperBound))
            }
            endsAt = min(endsAt, late.upperBound - belief.offset - Self.marginSeconds)
        }
        self.periods = periods
        self.endsAt = endsAt
    }
}
