package import RPC
package import SearchModel

/// Limits of accounts that several hosts share through a server; called only on the loop.
package protocol SharedLimits: QuotaStore {
    func configure(_ accounts: [SharedAccount])

    func obstacle(_ source: SourceName) -> Skip?

    /// Charges all of these rates and quotas, or none; returns nil if a pause or `obstacle` prevents the call.
    func charge(
        _ quotas: [CountedQuota],
        _ rates: [SharedRate],
        of source: SourceName,
        within wait: Duration,
        for user: UInt32
    ) async throws(SearchError) -> QuotaCharge?

    func share(_ change: SharedChange)
}

/// All hosts with the same secrets share the limits of this account.
package struct SharedAccount: Sendable {
    package let name: String
    package let secrets: [String: Secret]
    package let quotas: [CountedQuota]
    package let rates: [SharedRate]
}

package struct SharedRate: Sendable {
    package let owner: String
    /// Microseconds between two calls; 0 means no limit.
    package let interval: Int64
    package let burst: Int
    package let perMinute: Int
}

/// A change that hosts report to each other.
package enum SharedChange: Equatable, Sendable {
    /// `owner` is a source or an account.
    case pause(owner: String, wait: Duration, reason: SkipReason, resetsAt: String?)
    case breaker(SourceName, wait: Duration)
    case usage([QuotaUsage])
}

extension QuotaKey {
    package func renamed(account: String) -> QuotaKey {
        QuotaKey(owner: account + owner.dropFirst(self.account.count), name: name, currency: currency)
    }
}
