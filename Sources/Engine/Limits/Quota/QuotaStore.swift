package import Catalogue

/// Both clocks at once, in seconds.
package struct QuotaTime: Equatable, Sendable {
    /// Of a clock that is never set and goes on while the machine sleeps.
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

    /// By the owner alone, who has few quotas.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(owner)
    }

    /// The account that it is, or that the source has.
    var account: String { String(owner.prefix { $0 != "." }) }
}

/// So many units of a quota are wanted; 0 only asks how many are used.
package struct QuotaWant: Equatable, Sendable {
    /// The count that writes off whatever is left.
    package static let everything = Int.max

    package let key: QuotaKey
    package let quota: Quota
    package let count: Int
}

/// Units of a grant that will not be used.
package struct QuotaReturn: Sendable {
    package let key: QuotaKey
    package let grant: QuotaGrant
    package let count: Int
}

/// Units of a quota that the ledger has written off: only their holder may use them.
package struct QuotaGrant: Sendable {
    /// As many units as were asked for, or what was left.
    package let count: Int
    /// All units that count against the quota by now, these included.
    package let total: Int
    /// When there will be more, in seconds since 1970 by the wall clock, if there is none now.
    package let resetsAt: Int64
    /// What its store knows it by.
    package let receipt: any Sendable
    /// Notes in the store that so many units are about to be used, or, below zero, will not be used after all; false
    /// when the store can't note that, so that they must not be used.
    package var use: @Sendable (Int) -> Bool = { _ in true }
    /// Whether its units may be used at a time: not in another period than the one they were written off in.
    package let isGood: @Sendable (QuotaTime) -> Bool
}

/// Where quotas are counted: units are written off before they are used, durably if the store outlives the process.
///
/// Invariant: of a period no more is granted than its limit and what was given back, whatever crashes between, and
/// however the clock is set.
package protocol QuotaStore: Sendable {
    /// Writes off units of several quotas, all together and durably before it returns.
    ///
    /// - Parameters:
    ///   - wants: How many of which.
    ///   - time: What the clocks say.
    /// - Returns: For each, as many as were asked for, or what is left; a store may grant fewer at a time, but not of
    ///   `everything`.
    /// - Throws: When nothing can be written; then nothing is granted.
    func lease(_ wants: [QuotaWant], at time: QuotaTime) async throws -> [QuotaGrant]

    /// Takes units back, all together; when that fails, they are lost for their periods.
    func giveBack(_ returns: [QuotaReturn]) async
}
