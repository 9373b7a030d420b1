package import Catalogue
package import EventLoop
package import SearchModel

/// Stores the usage of each quota: the number of calls, or their cost in millionths of a currency.
///
/// Before a call is sent, its maximum cost is charged. Afterwards the charge is corrected, or refunded if the call was
/// not sent. A charge can take some milliseconds, and several requests can run at the same time.
///
/// Invariant: a charge never raises the usage above the quota's limit, even after a crash. If the wall clock is set
/// back, the later period stays in use until the clock reaches it.
package protocol QuotaStore: Sendable {
    /// Charges the cost of a call to all of these quotas, or to none.
    ///
    /// When the method returns, the charge is durable. If it throws, nothing is charged.
    func charge(_ quotas: [CountedQuota], for user: UInt32) async throws(SearchError) -> QuotaCharge

    /// Adds an amount to each part of a charge; a negative amount is a refund.
    ///
    /// Later charges include the correction. The usage may exceed the limit afterwards. If the correction can't be
    /// written, the charge stays unchanged.
    func correct(_ charge: QuotaCharge, by amounts: [Int])

    /// Returns the usage of quotas, and the users who called their accounts in the last seven days.
    func usage(_ quotas: [CountedQuota]) async throws(SearchError) -> QuotaOverview

    /// Sets the usage of a quota in the present period; if `isMinimum` is true, the usage is only raised.
    func set(_ quota: CountedQuota, used: Int, isMinimum: Bool) async throws(SearchError) -> QuotaUsage
}

/// Identifies a quota of a source, or of an account whose sources share the quota.
package struct QuotaKey: Hashable, Sendable {
    package let owner: String
    package let name: String
    /// The currency, or nil for calls; each currency is counted separately.
    package var currency: String?

    package var account: String { String(owner.prefix { $0 != "." }) }
    package var countName: String { currency.map { "\(name) \($0)" } ?? name }
}

package struct CountedQuota: Sendable {
    package let key: QuotaKey
    package let quota: Quota

    package init(key: QuotaKey, quota: Quota) { (self.key, self.quota) = (key, quota) }
}

package struct QuotaUsage: Equatable, Sendable {
    package let key: QuotaKey
    /// The period of the usage, such as a day, in seconds since 1970.
    package var window: Range<Int64>
    package var users: [UInt32: Int] = [:]
    /// The usage that belongs to no user: set by an administrator, from other hosts, or from an older version.
    package var others = 0
    /// Whether `others` is an assumption, because the ledger was damaged during this period.
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

package struct QuotaCharge: Sendable {
    package let user: UInt32
    /// False if a quota has too little left, so nothing was charged.
    package let isAccepted: Bool
    package let usages: [QuotaUsage]
    package let amounts: [Int]
    /// When the shared rate allows the call to start; nil means at once.
    package var start: Instant?

    package init(user: UInt32, isAccepted: Bool, usages: [QuotaUsage], amounts: [Int], start: Instant? = nil) {
        (self.user, self.isAccepted, self.usages) = (user, isAccepted, usages)
        (self.amounts, self.start) = (amounts, start)
    }
}
