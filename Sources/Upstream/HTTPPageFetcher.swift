import Catalogue
import EventLoop
import HTTP
package import SearchModel

/// The last step of a call: asks a source over HTTP.
///
/// The catalogue builds the request and reads the response, a `RequestSender` carries them.
package struct HTTPPageFetcher: PageFetcher {
    /// The largest body that is decoded on the loop: that takes at most 200 µs, less than leaving the loop is worth.
    ///
    /// Of a larger one all hits are read at once, since a caller who wants the rest of a page gets it on the loop.
    static let bytesOnLoopMax = 32 << 10

    private let sender: any RequestSender
    private let source: @Sendable (PageKey) -> UpstreamSource?
    private let figures: UpstreamFigures
    private let wallClock: @Sendable () -> Int64

    /// `source` finds the source of a page; `wallClock` reads seconds since 1970.
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
        let fetched: FetchedResponse
        do throws(FetchError) {
            fetched = try await sender.send(request, to: configured) { report(.sent) }
        } catch {
            var mapped = SearchError(error, of: key.source)
            // It may name a host that the source has sent.
            mapped.message = configured.access.redactor.redacted(mapped.message)
            figures.ended(key.source, mapped, at: wallClock())
            throw mapped
        }
        let (response, metrics) = (fetched.response, fetched.metrics)
        let elapsed = metrics.untilEnd - metrics.untilStarted
        report(.answered(status: response.status, bytes: metrics.bytesReceived, elapsed: elapsed))
        let hitsWanted = demand.hitsWanted
        let page = await Self.page(from: response, for: key, of: configured, hitsWanted: hitsWanted, at: wallClock())
        // While it waits to be decoded, the body counts among those that are held.
        withExtendedLifetime(fetched) {}
        figures.ended(key.source, page.failure, status: response.status, after: elapsed, at: wallClock())
        return try page.get()
    }

    /// Reads a page, away from the loop when it takes long; there it ends early with `cancelled` once this task is.
    ///
    /// No more run at once than the pool has threads; as much waits as the client's budget for bodies allows.
    static func page(
        from response: HTTPResponse,
        for key: PageKey,
        of configured: UpstreamSource,
        hitsWanted: Int,
        at now: Int64
    ) async -> Result<Page, SearchError> {
        let isOnLoop = response.body.count <= bytesOnLoopMax
        let decode = { @Sendable () -> Result<Page, SearchError> in
            Result { () throws(SearchError) in
                try configured.source.page(
                    from: response,
                    for: key.request,
                    account: configured.access,
                    keepRaw: true,
                    hitsWanted: isOnLoop ? hitsWanted : .max,
                    at: now,
                    // What is decoded on the loop is done before it could be cancelled.
                    while: { isOnLoop || !Task.isCancelled }
                )
            }
        }
        guard !isOnLoop else { return decode() }
        // A detached task: this one prefers the loop, and so would all that it calls.
        let decoding = Task.detached(operation: decode)
        return await withTaskCancellationHandler {
            await decoding.value
        } onCancel: {
            decoding.cancel()
        }
    }
}

extension Result where Failure == SearchError {
    fileprivate var failure: SearchError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
