package import RPC
package import SearchModel

/// Limits of accounts that several hosts share through a server; on the loop.
///
/// As a quota store, it also counts the quotas of all other accounts, on this host alone.
package protocol SharedLimits: QuotaStore {
    /// Replaces the accounts whose limits are shared.
    func configure(_ accounts: [SharedAccount])

    /// Why calls of a shared account can't start at the moment; nil if they can.
    func obstacle(_ source: SourceName) -> Skip?

    /// Charges the rates and quotas of a call to a source of a shared account, or none of them.
    ///
    /// - Parameters:
    ///   - quotas: The quotas of the call.
    ///   - rates: The rates of the source and of its account.
    ///   - source: The source.
    ///   - wait: How long the call may wait for its rate.
    ///   - user: The caller.
    /// - Returns: The charge, and when the call must start; nil if `obstacle`, or a pause, has the reason for none.
    /// - Throws: `unavailable` if the server can't be used; `rateLimited` if the call would wait too long.
    func charge(
        _ quotas: [CountedQuota],
        _ rates: [SharedRate],
        of source: SourceName,
        within wait: Duration,
        for user: UInt32
    ) async throws(SearchError) -> QuotaCharge?

    /// Tells the other hosts of a change.
    func share(_ change: SharedChange)
}

/// An account whose limits are shared by all hosts that have the same secrets.
package struct SharedAccount: Sendable {
    package let name: String
    package let secrets: [String: Secret]
    package let quotas: [CountedQuota]
    package let rates: [SharedRate]
}

/// How fast an account or a source may be called.
package struct SharedRate: Sendable {
    /// The account or the source.
    package let owner: String
    /// Between two calls, in microseconds; 0 for no limit.
    package let interval: Int64
    package let burst: Int
    /// At most so many calls in any minute; 0 for no limit.
    package let perMinute: Int
}

/// A change that one host makes and all hosts follow.
package enum SharedChange: Equatable, Sendable {
    /// A source, or all sources of an account, must not be called for so long.
    case pause(owner: String, wait: Duration, reason: SkipReason, resetsAt: String?)
    /// The breaker of a source opened for so long; zero when it closed.
    case breaker(SourceName, wait: Duration)
    /// The usage of quotas, as other hosts know it.
    case usage([QuotaUsage])
}

extension QuotaKey {
    /// The same quota of an account with another name.
    package func renamed(account: String) -> QuotaKey {
        QuotaKey(owner: account + owner.dropFirst(self.account.count), name: name, currency: currency)
    }
}
