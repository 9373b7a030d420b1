package import RPC
package import SearchModel

/// Limits of accounts that several hosts share through a server; used on the loop.
///
/// It also counts the quotas of accounts that are not shared.
package protocol SharedLimits: QuotaStore {
    func configure(_ accounts: [SharedAccount])

    func obstacle(_ source: SourceName) -> Skip?

    /// Charges a call to all of these rates and quotas, or to none.
    ///
    /// Returns the charge with the time when the call must start; returns nil if a pause or `obstacle` prevents the
    /// call. Throws `unavailable` if the server can't be used and this host has no share of the limits for this case, and
    /// `rateLimited` if the call would wait longer than `wait`.
    func charge(
        _ quotas: [CountedQuota],
        _ rates: [SharedRate],
        of source: SourceName,
        within wait: Duration,
        for user: UInt32
    ) async throws(SearchError) -> QuotaCharge?

    func share(_ change: SharedChange)
}

/// An account whose limits are shared by all hosts that have the same secrets.
package struct SharedAccount: Sendable {
    package let name: String
    package let secrets: [String: Secret]
    package let quotas: [CountedQuota]
    package let rates: [SharedRate]
}

package struct SharedRate: Sendable {
    package let owner: String
    /// The time between two calls, in microseconds; 0 means no limit.
    package let interval: Int64
    package let burst: Int
    /// The maximum number of calls in any minute; 0 means no limit.
    package let perMinute: Int
}

package enum SharedChange: Equatable, Sendable {
    /// The source `owner`, or all sources of the account `owner`, must not be called for the time `wait`.
    case pause(owner: String, wait: Duration, reason: SkipReason, resetsAt: String?)
    /// The breaker of a source opened for the time `wait`, or closed if `wait` is zero.
    case breaker(SourceName, wait: Duration)
    case usage([QuotaUsage])
}

extension QuotaKey {
    package func renamed(account: String) -> QuotaKey {
        QuotaKey(owner: account + owner.dropFirst(self.account.count), name: name, currency: currency)
    }
}
