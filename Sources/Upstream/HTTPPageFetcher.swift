import Catalogue
import EventLoop
package import HTTP
package import SearchModel

/// The last step of a call: sends the request to the source over HTTP and decodes the response.
package struct HTTPPageFetcher: PageFetcher {
    /// `elapsed` is zero if there is no response.
    package typealias Record = @Sendable (SourceName, SearchError?, _ status: Int?, _ elapsed: Duration) -> Void

    private static let bytesOnLoopMax = 32 << 10
    /// How long the result “offline” is reused; a new check can take 1.5 seconds.
    private static let offlineKnownFor = Duration.seconds(1)
    /// For this time after a response, names are assumed to be resolvable.
    private static let responseMemory = Duration.seconds(60)

    private let client: HTTPClient
    private let reachability: Reachability
    private let offlineUntil = Locked<Instant?>(nil)
    private let respondedAt = Locked<Instant?>(nil)
    private let source: @Sendable (PageKey) -> UpstreamSource?
    private let wallClock: @Sendable () -> Int64
    private let record: Record
    private let lists = KeptLists()

    package init(
        client: HTTPClient,
        reachability: Reachability = .ofThisMachine,
        source: @escaping @Sendable (PageKey) -> UpstreamSource?,
        wallClock: @escaping @Sendable () -> Int64,
        record: @escaping Record = { _, _, _, _ in }
    ) {
        (self.client, self.reachability) = (client, reachability)
        self.source = source
        self.wallClock = wallClock
        self.record = record
    }

    package func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page {
        guard let configured = source(key) else { throw .gone(key.source) }
        if let error = configured.unavailable { throw error }
        var request = configured.fetchRequest(
            try configured.source.request(for: key.request, account: configured.access)
        )
        request.willSend = { report(.sent) }
        guard configured.source.mayHave(page: key.request.page) else { return Page(isEnd: true) }
        if let list = lists.response(for: request.request.url, at: wallClock()) {
            return try await Self.page(from: list, for: key, of: configured, at: wallClock()).0.get()
        }
        let fetched: FetchedResponse
        do throws(FetchError) {
            fetched = try await response(to: request, of: configured)
        } catch {
            var mapped = SearchError(error, of: key.source)
            mapped.message = configured.access.redactor.redacted(mapped.message)
            record(key.source, mapped, nil, .zero)
            throw mapped
        }
        let response = fetched.response
        let elapsed = fetched.metrics.elapsed
        report(.answered(status: response.status, bytes: fetched.metrics.bytesReceived, elapsed: elapsed))
        if configured.source.isSearchedHere {
            lists.keep(response, of: configured.source, request.request.url, at: wallClock())
        }
        let (page, bill) = await Self.page(from: response, for: key, of: configured, at: wallClock())
        if let bill { report(.billed(bill)) }
        // While `fetched` is alive, its body counts towards the limit of all bodies.
        withExtendedLifetime(fetched) {}
        record(key.source, page.thrown, response.status, elapsed)
        return try page.get()
    }

    private func response(
        to request: FetchRequest,
        of source: UpstreamSource
    ) async throws(FetchError) -> FetchedResponse {
        guard source.isOnInternet else { return try await client.fetch(request) }
        if let until = offlineUntil.withLock({ $0 }), client.loop.now < until { throw .offline }
        do throws(FetchError) {
            let response = try await client.fetch(request)
            respondedAt.withLock { $0 = client.loop.now }
            return response
        } catch {
            let host = WebAddress(request.request.url)?.host ?? ""
            let start = client.loop.now.advanced(by: .zero - Self.responseMemory)
            let hasResponse = respondedAt.withLock { $0.map { $0 > start } ?? false }
            guard !error.wasSent, await reachability.isOffline(after: error, host: host, hasResponse: hasResponse)
            else { throw error }
            offlineUntil.withLock { $0 = client.loop.now.advanced(by: Self.offlineKnownFor) }
            throw .offline
        }
    }

    private static func page(
        from response: HTTPResponse,
        for key: PageKey,
        of configured: UpstreamSource,
        at now: Int64
    ) async -> (Result<Page, SearchError>, Bill?) {
        let decode = { @Sendable () -> (Result<Page, SearchError>, Bill?) in
            let page = Result { () throws(SearchError) in
                try configured.source.page(
                    from: response,
                    for: key.request,
                    account: configured.access,
                    keepRaw: true,
                    at: now
                )
            }
            do throws(SearchError) {
                return (page, try configured.source.bill(for: response, page, quotas: configured.quotas))
            } catch {
                return (.failure(error), nil)
            }
        }
        // A child task would also run on the loop, so the task is detached.
        let isShort = response.body.count <= bytesOnLoopMax
        return isShort ? decode() : await Task.detached(operation: decode).value
    }
}

extension Result {
    var thrown: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension FetchError {
    package var kind: SearchError.Kind {
        switch code {
        case .timeoutResolve, .timeoutConnect, .timeoutFirstByte, .timeoutWhole: .timeout
        case .tooLarge, .redirect, .protocolError, .invalidURL, .invalidRequest: .badResponse
        case .addressRefused: .forbidden
        case .overloaded: .overloaded
        case .cancelled: .cancelled
        case .closed: .shuttingDown
        default: .unavailable
        }
    }
}

extension SearchError {
    package init(_ error: FetchError, of source: SourceName) {
        let isOffline = error.code == .offline
        self.init(
            error.kind,
            isOffline ? error.message : "\(source): \(error.message)",
            source: source,
            retryable: error.isRetryable,
            retryAfter: error.kind == .overloaded ? .seconds(1) : nil,
            hint: error.hint ?? "Try again later."
        )
        self.isOffline = isOffline
    }
}

/// Responses of sources that return the same list for every query, by URL; the daemon itself searches these lists.
private final class KeptLists: Sendable {
    private static let countMax = 32
    private static let bytesMax = 1 << 20

    private let lists = Locked<[String: (response: HTTPResponse, until: Int64)]>([:])

    func response(for url: String, at now: Int64) -> HTTPResponse? {
        lists.withLock { lists in lists[url].flatMap { now < $0.until ? $0.response : nil } }
    }

    func keep(_ response: HTTPResponse, of source: Source, _ url: String, at now: Int64) {
        guard (200...299).contains(response.status), response.body.count <= Self.bytesMax else { return }
        lists.withLock { lists in
            if lists.count >= Self.countMax { lists = [:] }
            lists[url] = (response, now + source.ttl.components.seconds)
        }
    }
}
