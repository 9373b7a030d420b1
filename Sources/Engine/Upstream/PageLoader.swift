package import EventLoop
package import SearchModel

/// Gets a page the cheapest way there is: from the cache, by joining a call under way, or by a call of its own.
package struct PageLoader: Sendable {
    package struct Loaded: Sendable {
        package let page: CachedPage
        package let use: SourceReport.CacheUse
    }

    private let loop: EventLoop
    private let cache: ResultCache
    private let inFlight: InFlight<PageKey, CachedPage>
    private let fetcher: any PageFetcher

    package init(
        on loop: EventLoop,
        cache: ResultCache,
        inFlight: InFlight<PageKey, CachedPage>,
        fetcher: any PageFetcher
    ) {
        self.loop = loop
        self.cache = cache
        self.inFlight = inFlight
        self.fetcher = fetcher
    }

    /// The page when it is here and fresh enough; never asks anyone.
    ///
    /// On the loop.
    package func cached(_ key: PageKey, for request: SearchRequest) -> Loaded? {
        guard let freshness = Self.freshness(for: request) else { return nil }
        // All of these live on one loop, and this is called on it.
        let page = cache.assumeIsolated { $0.page(key, freshness) }
        return page.map { Loaded(page: $0, use: request.isLocal ? .offline : .hit) }
    }

    /// The page, from wherever it must come.
    ///
    /// - Parameters:
    ///   - key: The page.
    ///   - ttl: How long it will be fresh when it is fetched.
    ///   - request: The search that needs it.
    ///   - deadline: When the search stops waiting.
    ///   - tell: Is told on the loop what happens to a call upstream.
    /// - Returns: The page, and how it was got.
    /// - Throws: `timeout` at the deadline; `notFound` when it is not here and the caller is offline; what the source or the limits say otherwise.
    package func load(
        _ key: PageKey,
        ttl: Duration,
        for request: SearchRequest,
        by deadline: Instant,
        tell: (@Sendable (CallEvent) -> Void)? = nil
    ) async throws(SearchError) -> Loaded {
        if let freshness = Self.freshness(for: request), let page = await cache.page(key, freshness) {
            return Loaded(page: page, use: request.isLocal ? .offline : .hit)
        }
        if request.isLocal {
            throw SearchError(
                .notFound,
                "nothing of this is on this machine",
                source: key.source,
                retryable: false,
                hint: "Search without offline once."
            )
        }
        let late = SearchError(
            .timeout,
            "\(key.source) had not answered when the time was up",
            source: key.source,
            retryable: true,
            hint: "Search again, or with a longer timeout."
        )
        let shared = await inFlight.value(
            for: key,
            refresh: request.maxAge == .zero,
            caller: CallTicket.Caller(
                client: request.client,
                priority: request.priority,
                isPrivate: request.isPrivate,
                tell: tell
            ),
            deadline: InFlight.Deadline(deadline, error: late)
        ) { [self] ticket in
            do throws(SearchError) {
                let page = try await fetcher.fetch(key, for: ticket)
                let now = loop.now
                let kept = CachedPage(page, key: key, fetchedAt: now, freshUntil: now.advanced(by: ttl))
                // Of all who ever asked: those who have left by now have paid for it too.
                if ticket.mayBeKept { await cache.insert(kept) }
                return .success(kept)
            } catch {
                return .failure(error)
            }
        }
        let page = try shared.outcome.get()
        // Whoever joined when the page was there already came too late to say so.
        if shared.joined, !request.isPrivate { await cache.insert(page) }
        return Loaded(page: page, use: shared.joined ? .joined : .miss)
    }

    /// Which cached pages the caller takes; nil for none.
    private static func freshness(for request: SearchRequest) -> PageStore.Freshness? {
        if request.isLocal { return .any }
        guard let maxAge = request.maxAge else { return .fresh }
        return maxAge == .zero ? nil : .maxAge(maxAge)
    }
}
