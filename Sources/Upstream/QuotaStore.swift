package import Catalogue
package import EventLoop
package import SearchModel

/// Stores how much of each quota is used: the number of calls, or their cost.
///
/// Before a call is sent, the most that it can cost is charged. Afterwards the charge is corrected, or refunded if the
/// call was never sent. Amounts are integers: calls, or millionths of a currency. A store may be a file, or a server
/// that takes some milliseconds: each call needs one answer, and there may be many requests at the same time.
///
/// Invariant: a charge never raises the usage of a window above the quota's limit, even after crashes. If the wall
/// clock is set back, the later window stays in use until the clock reaches it.
package protocol QuotaStore: Sendable {
    /// Charges the cost of a call to all of these quotas, or to none; the charge is durable when this returns.
    ///
    /// - Parameters:
    ///   - quotas: The quotas of the call, each with its cost.
    ///   - user: The caller.
    /// - Returns: Whether the call was charged, and the usage.
    /// - Throws: An error if the charge can't be written; then nothing is charged.
    func charge(_ quotas: [CountedQuota], for user: UInt32) async throws(SearchError) -> QuotaCharge

    /// Adds an amount to each part of a charge, before any later charge; a negative amount is a refund.
    ///
    /// The usage may exceed the limit afterwards. If the correction can't be written, the charge stays unchanged.
    func correct(_ charge: QuotaCharge, by amounts: [Int])

    /// Returns the usage of quotas, and who has called their accounts in the last seven days.
    func usage(_ quotas: [CountedQuota]) async throws(SearchError) -> QuotaOverview

    /// Sets the usage of a quota in the present window; if `isMinimum` is true, a higher usage is kept.
    func set(_ quota: CountedQuota, used: Int, isMinimum: Bool) async throws(SearchError) -> QuotaUsage
}

/// Identifies a quota, whose owner is a source, or an account whose sources share the quota.
package struct QuotaKey: Hashable, Sendable {
    package let owner: String
    package let name: String
    /// The currency, or nil for calls; a quota in another currency is counted separately.
    package var currency: String?

    /// The account: the owner, or the account of the owning source.
    package var account: String { String(owner.prefix { $0 != "." }) }
    /// The name of the quota in a store, with its currency.
    package var countName: String { currency.map { "\(name) \($0)" } ?? name }
}

/// A quota with the key under which a store counts it.
package struct CountedQuota: Sendable {
    package let key: QuotaKey
    package let quota: Quota

    package init(key: QuotaKey, quota: Quota) { (self.key, self.quota) = (key, quota) }
}

/// The usage of a quota in a window.
package struct QuotaUsage: Equatable, Sendable {
    package let key: QuotaKey
    /// The begin and end of the window, in seconds since 1970.
    package var window: Range<Int64>
    /// The amounts by user.
    package var users: [UInt32: Int] = [:]
    /// The amount without a user: set by an administrator, used by other hosts, or recorded by an older version.
    package var others = 0
    /// Whether `others` is an assumption, because the ledger was damaged during the window.
    package var isGuess = false

    package init(
        key: QuotaKey,
        window: Range<Int64>,
        users: [UInt32: Int] = [:],
        others: Int = 0,
        isGuess: Bool = false
    ) {
        (self.key, self.window, self.users, self.others, self.isGuess) = (key, window, users, others, isGuess)
    }

    package var total: Int { users.values.reduce(others, +) }
}

/// When each user last called an account, in seconds since 1970, by account.
package typealias QuotaCallers = [String: [UInt32: Int64]]
package typealias QuotaOverview = (usages: [QuotaUsage], callers: QuotaCallers)

/// The outcome of a charge, with the usage of each quota afterwards.
package struct QuotaCharge: Sendable {
    package let user: UInt32
    /// False if one of the quotas has too little left; then nothing was charged.
    package let isAccepted: Bool
    package let usages: [QuotaUsage]
    /// The amount that was charged to each quota.
    package let amounts: [Int]
    /// When a shared rate allows the call to start; nil means at once.
    package var start: Instant?

    package init(user: UInt32, isAccepted: Bool, usages: [QuotaUsage], amounts: [Int], start: Instant? = nil) {
        (self.user, self.isAccepted, self.usages) = (user, isAccepted, usages)
        (self.amounts, self.start) = (amounts, start)
    }
}
