package import Catalogue
package import EventLoop
package import SearchModel

/// Stores the usage of each quota: the number of calls, or their cost in millionths of a currency.
package protocol QuotaStore: Sendable {
    /// Charges all of these quotas, or none; a returned charge is durable.
    func charge(_ quotas: [CountedQuota], for user: UInt32) async throws(SearchError) -> QuotaCharge

    /// Corrects a charge by an amount for each of its quotas; a negative amount is a refund.
    func correct(_ charge: QuotaCharge, by amounts: [Int])

    /// Returns the usage, and the users who called the accounts in the last seven days.
    func usage(_ quotas: [CountedQuota]) async throws(SearchError) -> QuotaOverview

    /// Sets the usage; if `isMinimum` is true, only raises it.
    func set(_ quota: CountedQuota, used: Int, isMinimum: Bool) async throws(SearchError) -> QuotaUsage
}

package struct QuotaKey: Hashable, Sendable {
    package let owner: String
    package let name: String
    /// Nil if the quota counts calls.
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
    package var key: QuotaKey
    /// Seconds since 1970.
    package var window: Range<Int64>
    package var users: [UInt32: Int] = [:]
    /// The usage without a user: set by an administrator, from other hosts, or from an older version.
    package var others = 0
    /// Whether `others` is an assumption, because the ledger was damaged during this period.
    package var isGuess = false

    package init(key: QuotaKey, window: Range<Int64>, others: Int = 0) {
        (self.key, self.window, self.others) = (key, window, others)
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
