/// The periods that a call made now may fall into, by the source's calendar.
///
/// Pure. There is more than one around the turn of a period, since neither clock nor network is exact, and for some days
/// after the clock was set.
struct QuotaCharge: Equatable {
    /// How far from a turn both periods are charged.
    static let marginSeconds: Int64 = 5

    struct Period: Equatable {
        let start: Int64
        let end: Int64
        /// The uptime at which it ends.
        let endsAt: Int64
    }

    /// Different ones, by their start.
    let periods: [Period]
    /// The uptime from which another period must be charged too.
    let endsAt: Int64

    init(_ quota: LedgerQuota, clocks: PlausibleClocks, at reading: ClockReading) {
        let boot = reading.bootSeconds
        let length = { (instant: Int64) in Int64(quota.period(instant).count) }
        var found: [Int64: Period] = [:]
        var endsAt = Int64.max
        for offset in clocks.offsets(at: boot, periodSeconds: length) {
            let early = quota.period(boot + offset - Self.marginSeconds)
            let late = quota.period(boot + offset + Self.marginSeconds)
            for range in [early, late] {
                let period = Period(
                    start: range.lowerBound,
                    end: range.upperBound,
                    endsAt: max(range.upperBound - offset, found[range.lowerBound]?.endsAt ?? .min)
                )
                found[period.start] = period
            }
            endsAt = min(endsAt, late.upperBound - offset - Self.marginSeconds)
        }
        periods = found.values.sorted { $0.start < $1.start }
        self.endsAt = endsAt
    }
}
