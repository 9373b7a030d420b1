import Catalogue
import EventLoop
import HTTP
package import SearchModel

/// The last step of a call: asks a source over HTTP.
///
/// The catalogue builds the request and reads the response; a `NetworkSender` transfers them.
package struct HTTPPageFetcher: PageFetcher {
    /// The largest body that is decoded on the loop: decoding takes at most 200 µs, less than leaving the loop costs.
    private static let bytesOnLoopMax = 32 << 10

    private let sender: NetworkSender
    private let source: @Sendable (PageKey) -> UpstreamSource?
    private let figures: UpstreamFigures
    private let wallClock: @Sendable () -> Int64

    /// Creates a fetcher; `source` finds the source of a page, and `wallClock` reads seconds since 1970.
    package init(
        sender: NetworkSender,
        source: @escaping @Sendable (PageKey) -> UpstreamSource?,
        figures: UpstreamFigures,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.sender = sender
        self.source = source
        self.figures = figures
        self.wallClock = wallClock
    }

    package func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page {
        guard let configured = source(key) else { throw .gone(key.source) }
        if let error = configured.unavailable { throw error }
        let request = try configured.source.request(for: key.request, account: configured.access)
        guard configured.source.mayHave(page: key.request.page) else { return Page(isEnd: true) }
        let fetched: FetchedResponse
        do throws(FetchError) {
            fetched = try await sender.send(request, to: configured) { report(.sent) }
        } catch {
            var mapped = SearchError(error, of: key.source)
            // The response may name a host that the source sent.
            mapped.message = configured.access.redactor.redacted(mapped.message)
            figures.ended(key.source, mapped, at: wallClock())
            throw mapped
        }
        let response = fetched.response
        let elapsed = fetched.metrics.elapsed
        report(.answered(status: response.status, bytes: fetched.metrics.bytesReceived, elapsed: elapsed))
        let page = await Self.page(from: response, for: key, of: configured, at: wallClock())
        // The body counts as held until it is decoded.
        withExtendedLifetime(fetched) {}
        figures.ended(key.source, page.failure, status: response.status, after: elapsed, at: wallClock())
        return try page.get()
    }

    /// Reads a page, on another thread if that takes long.
    ///
    /// At most as many pages are read at once as the pool has threads. The client's limit for bodies also limits the
    /// waiting pages.
    private static func page(
        from response: HTTPResponse,
        for key: PageKey,
        of configured: UpstreamSource,
        at now: Int64
    ) async -> Result<Page, SearchError> {
        let decode = { @Sendable () -> Result<Page, SearchError> in
            Result { () throws(SearchError) in
                try configured.source.page(
                    from: response,
                    for: key.request,
                    account: configured.access,
                    keepRaw: true,
                    at: now
                )
            }
        }
        // A detached task is needed: this task prefers the loop, and so would its child tasks.
        let isShort = response.body.count <= bytesOnLoopMax
        return isShort ? decode() : await Task.detached(operation: decode).value
    }
}

extension Result where Failure == SearchError {
    fileprivate var failure: SearchError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
