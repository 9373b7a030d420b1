import Catalogue
import EventLoop
import HTTP
package import SearchModel

/// Asks sources over HTTP: the catalogue builds the request and reads the response, a `RequestSender` carries them.
package struct HTTPPageFetcher: PageFetcher {
    /// What is decoded in 200 µs at the most, and so in less time than leaving the loop is worth.
    static let bytesOnLoopMax = 32 << 10

    private let sender: any RequestSender
    private let source: @Sendable (PageKey) -> UpstreamSource?
    private let figures: UpstreamFigures
    private let wallClock: @Sendable () -> Int64

    /// `source` finds what a page is a page of; `wallClock` reads seconds since 1970.
    package init(
        sender: any RequestSender,
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
        guard let configured = source(key) else { throw LimitErrors.unknown(key.source) }
        if let error = configured.unavailable { throw error }
        let request = try configured.source.request(for: key.request, account: configured.access)
        guard configured.source.mayHave(page: key.request.page) else { return Page(isEnd: true) }
        let (outcome, status) = await page(request, for: key, of: configured, demand, report)
        switch outcome {
        case .success: figures.ended(key.source, nil, at: wallClock())
        // Every call fails now, which says nothing about this source.
        case .failure(let error) where error.isOffline: break
        case .failure(let error): figures.ended(key.source, error, status: status, at: wallClock())
        }
        return try outcome.get()
    }

    /// The page, and the status of the response, if there was one.
    private func page(
        _ request: HTTPRequest,
        for key: PageKey,
        of configured: UpstreamSource,
        _ demand: CallDemand,
        _ report: @escaping CallReport
    ) async -> (Result<Page, SearchError>, status: Int?) {
        let fetched: FetchedResponse
        do throws(FetchError) {
            fetched = try await sender.send(request, to: configured) { report(.sent) }
        } catch {
            var mapped = SearchError(error, of: key.source)
            // It may name a host that the source has sent.
            mapped.message = configured.access.redactor.redacted(mapped.message)
            figures.failed(key.source, mapped.kind)
            return (.failure(mapped), nil)
        }
        let response = fetched.response
        let elapsed = fetched.metrics.elapsed
        figures.answered(key.source, status: response.status, after: elapsed)
        report(.answered(status: response.status, bytes: fetched.metrics.bytesReceived, elapsed: elapsed))
        let page = await Self.page(from: response, for: key, of: configured, at: wallClock())
        // While it waits to be decoded, the body counts among those that are held.
        withExtendedLifetime(fetched) {}
        return (page, response.status)
    }

    /// Reads a page, away from the loop when that takes long.
    ///
    /// No more run at once than the pool has threads; as much waits as the client's budget for bodies allows.
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
        // A detached task: this one prefers the loop, and so would all that it calls.
        return isDecodedOnLoop(response.body.count) ? decode() : await Task.detached(operation: decode).value
    }

    /// Whether a body is short enough to be decoded while everyone else waits.
    static func isDecodedOnLoop(_ bodyBytes: Int) -> Bool {
        bodyBytes <= bytesOnLoopMax
    }
}
