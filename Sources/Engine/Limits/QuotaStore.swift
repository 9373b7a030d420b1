package import Catalogue

/// Both clocks at once, in seconds.
package struct QuotaTime: Equatable, Sendable {
    /// Of a clock that nobody sets and that goes on while the machine sleeps.
    package let steady: Int64
    /// Since 1970, as the machine believes at the moment.
    package let wall: Int64

    package init(steady: Int64, wall: Int64) {
        self.steady = steady
        self.wall = wall
    }
}

/// One quota of one owner: an account, whose sources share it, or a source.
package struct QuotaKey: Hashable, Sendable {
    package let owner: String
    package let name: String

    package init(owner: String, name: String) {
        self.owner = owner
        self.name = name
    }

    /// The account that it is, or that the source has.
    var account: String { String(owner.prefix { $0 != "." }) }
}

/// Units of a quota that the ledger has written off: whoever holds them may use them, and nobody else.
package struct QuotaGrant: Sendable {
    /// As many units as were asked for, or what was left.
    package let count: Int
    /// All units that count against the quota by now, these included.
    package let total: Int
    /// When there will be more, in seconds since 1970 by the wall clock, if there is none now.
    package let resetsAt: Int64
    /// Whether its units may be used at a time: not in another period than the one they were written off in.
    package let isGood: @Sendable (QuotaTime) -> Bool
    /// Takes units back that will not be used; when that fails, they are lost for their period.
    package let giveBack: @Sendable (_ unused: Int) async -> Void

    package init(
        count: Int,
        total: Int,
        resetsAt: Int64,
        isGood: @escaping @Sendable (QuotaTime) -> Bool,
        giveBack: @escaping @Sendable (_ unused: Int) async -> Void
    ) {
        self.count = count
        self.total = total
        self.resetsAt = resetsAt
        self.isGood = isGood
        self.giveBack = giveBack
    }
}

/// The durable ledger of quotas: units are written off before they are used.
///
/// Invariant: of a period no more is granted than its limit and what was given back, whatever crashes between, and
/// however the clock is set.
package protocol QuotaStore: Sendable {
    /// Writes off units, durably before it returns.
    ///
    /// - Parameters:
    ///   - count: How many; 0 only asks for the total.
    ///   - quota: How many there are, and when they begin anew.
    ///   - key: Whose quota it is.
    ///   - time: What the clocks say.
    /// - Returns: As many as were asked for, or what is left.
    /// - Throws: When nothing can be written; then nothing is granted.
    func lease(_ count: Int, of quota: Quota, _ key: QuotaKey, at time: QuotaTime) async throws -> QuotaGrant
}
