package import RPC
package import SearchModel

/// Limits of accounts that several hosts share through a server; used on the loop.
///
/// As a quota store, it also counts the quotas of accounts that are not shared.
package protocol SharedLimits: QuotaStore {
    /// Replaces the accounts whose limits are shared.
    func configure(_ accounts: [SharedAccount])

    /// Returns why calls of a shared account can't start at the moment, or nil if they can.
    func obstacle(_ source: SourceName) -> Skip?

    /// Charges all rates and quotas of a call to a source of a shared account, or nothing.
    ///
    /// - Parameters:
    ///   - quotas: The quotas of the call.
    ///   - rates: The rates of the source and of its account.
    ///   - source: The source.
    ///   - wait: How long the call may wait for its rate.
    ///   - user: The caller.
    /// - Returns: The charge, and when the call must start; nil if a pause or `obstacle` now prevents the call.
    /// - Throws: `unavailable` if the server can't be used; `rateLimited` if the call would wait longer than `wait`.
    func charge(
        _ quotas: [CountedQuota],
        _ rates: [SharedRate],
        of source: SourceName,
        within wait: Duration,
        for user: UInt32
    ) async throws(SearchError) -> QuotaCharge?

    /// Sends a change to the other hosts.
    func share(_ change: SharedChange)
}

/// An account whose limits are shared by all hosts that have the same secrets.
package struct SharedAccount: Sendable {
    package let name: String
    package let secrets: [String: Secret]
    package let quotas: [CountedQuota]
    package let rates: [SharedRate]
}

/// The rate at which an account or a source may be called.
package struct SharedRate: Sendable {
    /// The name of the account or the source.
    package let owner: String
    /// The time between two calls, in microseconds; 0 means no limit.
    package let interval: Int64
    package let burst: Int
    /// The most calls in any minute; 0 means no limit.
    package let perMinute: Int
}

/// A change that one host makes and all other hosts apply.
package enum SharedChange: Equatable, Sendable {
    /// A source, or all sources of an account, must not be called for the time `wait`.
    case pause(owner: String, wait: Duration, reason: SkipReason, resetsAt: String?)
    /// The breaker of a source opened for the time `wait`, or closed if that is zero.
    case breaker(SourceName, wait: Duration)
    /// The usage of quotas, including that of other hosts.
    case usage([QuotaUsage])
}

extension QuotaKey {
    /// Returns the key of the same quota for another account name.
    package func renamed(account: String) -> QuotaKey {
        QuotaKey(owner: account + owner.dropFirst(self.account.count), name: name, currency: currency)
    }
}
