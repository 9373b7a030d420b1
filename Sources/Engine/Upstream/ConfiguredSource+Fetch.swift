import Catalogue
package import HTTP
package import SearchModel

/// What its source does, with its account's access; the source itself, which has some thirty references, is not copied.
extension ConfiguredSource {
    package var hitReader: any HitReader { source.hitReader }
}

/// The terms of requests to a source.
extension ConfiguredSource {
    /// A response body larger than this is no page of hits.
    package static let responseBytesMax = 8 << 20
    private static let redirectsMax = 3

    /// The request within what this source may reach.
    ///
    /// A file that is not the program's own reaches public addresses only, also by redirects. The administrator may let
    /// it reach more: by an address for its account, or by allowing its host; then redirects lead to allowed hosts
    /// only.
    package func fetchRequest(_ request: HTTPRequest, willSend: (@Sendable () -> Void)? = nil) -> FetchRequest {
        let allowedHosts: Set<String>? =
            if case .user(let hosts) = source.trust { hosts } else { nil }
        let reachesAllowedHost = allowedHosts.map { hosts in host.map(hosts.contains) ?? false } ?? true
        let isTrusted = access.baseURL != nil || reachesAllowedHost
        var redirectHosts = Set(source.redirectHosts)
        if isTrusted, let allowedHosts { redirectHosts.formIntersection(allowedHosts) }
        var fetch = FetchRequest(request)
        fetch.responseBytesMax = Self.responseBytesMax
        if !redirectHosts.isEmpty {
            fetch.redirects = .follow(upTo: Self.redirectsMax) { [redirectHosts] in redirectHosts.contains($0.host) }
        }
        fetch.addresses = isTrusted ? .any : .publicOnly
        fetch.willSend = willSend
        return fetch
    }

    /// Whether it can't be reached without the Internet: not of one that the administrator has sent elsewhere.
    package var isOnInternet: Bool {
        guard access.baseURL == nil else { return false }
        guard case .user(let hosts) = source.trust else { return true }
        return host.map { !hosts.contains($0) } ?? true
    }

    /// The host that the source's own file names for the secrets that are there.
    private var host: String? {
        source.access(with: access.secrets.keys).flatMap { WebAddress($0.base)?.host }
    }
}
