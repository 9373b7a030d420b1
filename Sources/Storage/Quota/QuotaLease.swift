/// Calls that the ledger has charged already: only its holder may make them.
package struct QuotaLease: Equatable, Sendable {
    /// What is lost at most when the machine stops.
    package static let unitsMax = 16
    /// Asks for all calls that are left, so that none is made: the source has said that there are none.
    package static let everything = Int.max

    package let account: String
    package let quota: String
    /// How many calls; 0 when the quota is used up.
    package let granted: Int
    /// All calls that count against the quota by now, these included.
    package let total: Int
    /// When there may be more, in seconds since 1970 by the wall clock; now, while there is any.
    package let resetsAt: Int64
    /// What it was charged to.
    let periods: [QuotaCharge.Period]
    /// Where the wall clock stood when it was made, and the uptime from which another period may have begun.
    let offset: Int64
    let endsAt: Int64
    /// Where is written how much of it has been used; nil where that can't be.
    let mark: LeaseMark?
    /// Since when the ledger knows its periods by their numbers.
    let epoch: Int

    /// So many of its calls are about to be made, or, below zero, will not be made after all.
    ///
    /// It costs a system call and no disk. What a killed process has not used in this way may be leased again.
    ///
    /// - Returns: Whether they may be made: false when it can't be written down.
    package func use(_ count: Int) -> Bool { mark?.use(count) ?? true }

    /// Whether its calls may be made now: not when a new period has begun, or the clock was set, since it was charged.
    ///
    /// One that is not good any more is given back.
    package func isGood(at reading: ClockReading) -> Bool {
        reading.bootSeconds < endsAt && abs(reading.offset - offset) <= PlausibleClocks.toleranceSeconds
    }
}

/// A quota as the ledger counts it.
package struct LedgerQuota: Sendable {
    /// Who is counted, as `kakao`.
    package let account: String
    /// Which of the account's quotas; quotas of single sources must have the source in it.
    package let name: String
    package let limit: Int
    /// The period that holds an instant, both in seconds since 1970: the source's own calendar.
    package let period: @Sendable (Int64) -> Range<Int64>

    package init(account: String, name: String, limit: Int, period: @escaping @Sendable (Int64) -> Range<Int64>) {
        self.account = account
        self.name = name
        self.limit = limit
        self.period = period
    }
}
