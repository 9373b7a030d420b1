import Catalogue
import EventLoop
package import Fetch
import HTTPMessage
package import SearchModel

/// Asks sources over HTTP: the catalogue says how and reads the answer, `HTTPClient` carries it.
package struct HTTPPageFetcher: PageFetcher {
    /// A response body larger than this is no page of hits.
    package static let responseBytesMax = 8 << 20
    private static let redirectsMax = 3

    private let client: HTTPClient
    private let directory: SourceDirectory
    private let figures: UpstreamFigures
    private let wallClock: @Sendable () -> Int64

    /// Asks with a client for the sources of a directory.
    ///
    /// - Parameters:
    ///   - client: Carries the requests.
    ///   - directory: The sources and their accounts.
    ///   - figures: Counts the calls.
    ///   - wallClock: Seconds since 1970: a source's quota begins anew at a time of day.
    package init(
        client: HTTPClient,
        directory: SourceDirectory,
        figures: UpstreamFigures,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.client = client
        self.directory = directory
        self.figures = figures
        self.wallClock = wallClock
    }

    package func fetch(_ key: PageKey, sent: @escaping @Sendable () -> Void) async throws(SearchError) -> Page {
        guard let configured = directory[key.source] else {
            throw SearchError(.unknownSource, "\(key.source) is gone", source: key.source, retryable: false)
        }
        if let error = configured.unavailable { throw error }
        let source = configured.source
        let request = try source.request(for: key.request, account: configured.access)
        let response: HTTPResponse
        do throws(FetchError) {
            response = try await client.fetch(fetchRequest(request, configured, sent)).response
        } catch {
            let mapped = SearchError(error, of: key.source)
            figures.count(key.source, mapped.kind.rawValue)
            throw mapped
        }
        figures.count(key.source, String(response.status))
        return try source.page(
            from: response,
            for: key.request,
            account: configured.access,
            keepRaw: true,
            at: wallClock()
        )
    }

    private func fetchRequest(
        _ request: HTTPRequest,
        _ configured: ConfiguredSource,
        _ sent: @escaping @Sendable () -> Void
    ) -> FetchRequest {
        let hosts = Set(configured.source.redirectHosts)
        // An address in the administrator's own configuration is trusted; so are those of the program's own files.
        let isTrusted = configured.access.baseURL != nil || configured.source.trust == .builtIn
        return FetchRequest(
            request,
            responseBytesMax: Self.responseBytesMax,
            redirects: hosts.isEmpty ? .none : .follow(upTo: Self.redirectsMax) { hosts.contains($0.host) },
            addresses: isTrusted ? .any : .publicOnly,
            willSend: sent
        )
    }
}
