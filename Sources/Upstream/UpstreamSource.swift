package import Catalogue
package import HTTP
package import SearchModel

/// A source with everything that a call needs: its file, its account's secrets and its limits.
///
/// It is a class because copying a `Source` retains about thirty objects.
package final class UpstreamSource: Sendable {
    /// The maximum size of a response body.
    package static let responseBytesMax = 8 << 20
    private static let redirectsMax = 3

    package let source: Source
    package let access: AccountAccess
    package let isEnabled: Bool
    /// The configured limits, or where none is configured, the stricter of the source's and its account's limits.
    package let limits: Limits
    /// Why the source can't be called; nil if it can.
    package let unavailable: SearchError?

    package var name: SourceName { source.name }

    /// Creates a source; `limits` replaces the limits that the source's file and its account declare.
    package init(source: Source, access: AccountAccess, isEnabled: Bool = true, limits: Limits = Limits()) {
        self.source = source
        self.access = access
        self.isEnabled = isEnabled
        self.limits = source.limits.tightened(by: source.accountLimits).overridden(by: limits)
        let disabled = SearchError(
            .notConfigured,
            "\(source.name) is switched off in the configuration",
            source: source.name,
            retryable: false,
            hint: "Set sources.\"\(source.name)\".enabled to true."
        )
        unavailable = isEnabled ? source.missingSecrets(access) : disabled
    }

    // MARK: Requests

    /// Returns a request that can reach only the hosts that this source may reach.
    ///
    /// A user's own source file can reach public addresses only, also by redirects. The administrator can allow more,
    /// by setting the address of its account or by allowing its host. Then redirects can lead only to allowed hosts.
    package func fetchRequest(_ request: HTTPRequest) -> FetchRequest {
        var redirectHosts = Set(source.redirectHosts)
        var fetch = FetchRequest(request)
        fetch.addresses = .any
        if case .user(let allowedHosts) = source.trust {
            if isOnInternet { fetch.addresses = .publicOnly } else { redirectHosts.formIntersection(allowedHosts) }
        }
        fetch.responseBytesMax = Self.responseBytesMax
        if !redirectHosts.isEmpty {
            fetch.redirects = .follow(upTo: Self.redirectsMax) { [redirectHosts] in redirectHosts.contains($0.host) }
        }
        return fetch
    }

    /// Whether the source is on the Internet; false if the administrator has set another address.
    package var isOnInternet: Bool {
        guard access.baseURL == nil else { return false }
        guard case .user(let hosts) = source.trust else { return true }
        return host.map { !hosts.contains($0) } ?? true
    }

    /// The host that the source's file names for the available secrets.
    private var host: String? {
        source.access(with: access.secrets.keys).flatMap { WebAddress($0.base)?.host }
    }

    // MARK: Quotas

    /// The quotas that a call uses.
    package var quotas: [Quota] { source.quotas(for: access, perDay: limits.perDay) }

    /// Returns the key of a quota, which belongs to the account, whose sources share it, or to this source.
    func key(of quota: Quota) -> QuotaKey {
        let owner = quota.scope == .account ? source.account : source.name.text
        return QuotaKey(owner: owner, name: quota.name, currency: quota.currency)
    }
}
