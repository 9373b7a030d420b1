package import Catalogue
package import EventLoop
package import SearchModel

/// Counts the calls of quotas, or their costs.
///
/// A call is charged before it is sent: the most that it can cost. Afterwards the charge is corrected, or refunded if
/// the call was never sent. All amounts are integers: calls, or millionths of a currency. A store may be a file, or a
/// server that responds within some milliseconds: each call needs one answer, and there may be many concurrent requests.
///
/// Invariant: a charge never takes the usage of a window above the quota's limit, even after crashes. When the wall
/// clock goes back, the later window stays until the clock has caught up.
package protocol QuotaStore: Sendable {
    /// Charges the cost of a call to all of these quotas or to none, durably before it returns.
    ///
    /// - Parameters:
    ///   - quotas: The quotas of the call, each with its cost.
    ///   - user: The caller.
    /// - Returns: Whether the call was charged, and the usage.
    /// - Throws: When the charge can't be written; then nothing is charged.
    func charge(_ quotas: [CountedQuota], for user: UInt32) async throws(SearchError) -> QuotaCharge

    /// Adds an amount to each part of a charge, before all later charges; a negative amount is a refund.
    ///
    /// If that fails, the charge stays as it is. The usage may exceed the limit.
    func correct(_ charge: QuotaCharge, by amounts: [Int])

    /// Reads the usage of quotas, and who has called their accounts in the last seven days.
    func usage(_ quotas: [CountedQuota]) async throws(SearchError) -> QuotaOverview

    /// Sets the usage of a quota in its present window; with `isMinimum`, a higher usage stays as it is.
    func set(_ quota: CountedQuota, used: Int, isMinimum: Bool) async throws(SearchError) -> QuotaUsage
}

/// Identifies a quota; its owner is a source, or an account whose sources share it.
package struct QuotaKey: Hashable, Sendable {
    package let owner: String
    package let name: String
    /// The currency, or nil for calls; a quota whose unit changes begins anew.
    package var currency: String?

    /// The owner, or the account of the source that owns it.
    package var account: String { String(owner.prefix { $0 != "." }) }
    /// The name of the count in a store: the quota's, with its currency.
    package var countName: String { currency.map { "\(name) \($0)" } ?? name }
}

/// A quota as a store counts it.
package struct CountedQuota: Sendable {
    package let key: QuotaKey
    package let quota: Quota

    package init(key: QuotaKey, quota: Quota) { (self.key, self.quota) = (key, quota) }
}

/// The usage of a quota in a window.
package struct QuotaUsage: Equatable, Sendable {
    package let key: QuotaKey
    /// In seconds since 1970.
    package var window: Range<Int64>
    /// Amounts by the users who made the calls.
    package var users: [UInt32: Int] = [:]
    /// The amount without a known user: set by an administrator, of other hosts, or kept by an older version.
    package var others = 0
    /// Whether `others` is a guess, because the ledger was damaged during the window.
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

/// Which users have called each account and when last, in seconds since 1970.
package typealias QuotaCallers = [String: [UInt32: Int64]]
package typealias QuotaOverview = (usages: [QuotaUsage], callers: QuotaCallers)

/// The outcome of a charge, with the usage of each quota afterwards.
package struct QuotaCharge: Sendable {
    package let user: UInt32
    /// False when one of the quotas has too little left; then nothing was charged.
    package let isAccepted: Bool
    package let usages: [QuotaUsage]
    /// What was charged to each quota.
    package let amounts: [Int]
    /// When a shared rate allows the call; nil means at once.
    package var start: Instant?

    package init(user: UInt32, isAccepted: Bool, usages: [QuotaUsage], amounts: [Int], start: Instant? = nil) {
        (self.user, self.isAccepted, self.usages) = (user, isAccepted, usages)
        (self.amounts, self.start) = (amounts, start)
    }
}
