package import Catalogue
package import HTTP
package import SearchModel

/// A source with its account's secrets and limits; a class, because copying a `Source` is slow.
package final class UpstreamSource: Sendable {
    package static let responseBytesMax = 8 << 20
    private static let redirectsMax = 3

    package let source: Source
    package let access: AccountAccess
    package let isEnabled: Bool
    /// The configured limits; where the configuration has none, the stricter limit of the source and its account.
    package let limits: Limits
    package let unavailable: SearchError?

    package var name: SourceName { source.name }

    package init(source: Source, access: AccountAccess, isEnabled: Bool = true, limits: Limits = Limits()) {
        self.source = source
        self.access = access
        self.isEnabled = isEnabled
        self.limits = source.limits.tightened(by: source.shared.limits).overridden(by: limits)
        let disabled = SearchError(
            .notConfigured,
            "\(source.name) is switched off in the configuration",
            source: source.name,
            retryable: false,
            hint: "Set sources.\"\(source.name)\".enabled to true."
        )
        unavailable = isEnabled ? source.missingSecrets(access) : disabled
    }

    /// Returns the request with the addresses that it may reach.
    ///
    /// A source in a user's file reaches only public addresses, unless an administrator has allowed its host.
    package func fetchRequest(_ request: HTTPRequest) -> FetchRequest {
        var redirectHosts = Set(source.shared.redirectHosts)
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

    /// False if an administrator has set the source's address or allowed its host.
    package var isOnInternet: Bool {
        guard access.baseURL == nil else { return false }
        guard case .user(let hosts) = source.trust else { return true }
        let address = source.access(with: access.secrets.keys).flatMap { WebAddress($0.base) }
        return address.map { !hosts.contains($0.host) } ?? true
    }

    package var quotas: [Quota] { source.quotas(for: access, perDay: limits.perDay) }

    func key(of quota: Quota) -> QuotaKey {
        let owner = quota.scope == .account ? source.account : source.name.text
        return QuotaKey(owner: owner, name: quota.name, currency: quota.currency)
    }
}
