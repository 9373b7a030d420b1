package import EventLoop
package import SearchModel

/// Gets a page the cheapest way there is: from the cache, by joining a call under way, or by a call of its own.
package struct PageLoader: Sendable {
    /// How long a stale page's successor may take.
    package static let refreshTimeout = Duration.seconds(30)

    package struct Loaded: Sendable {
        package let page: CachedPage
        package let use: SourceReport.CacheUse
        /// What kept the source from giving a newer one.
        package var failure: SearchError?
    }

    private let loop: EventLoop
    private let cache: ResultCache
    private let inFlight: InFlight<PageKey, CachedPage>
    private let fetcher: any PageFetcher
    private let disk: DiskTier?

    /// - Parameters:
    ///   - loop: Where all of these live.
    ///   - cache: The first tier.
    ///   - disk: The second, if there is one.
    ///   - inFlight: Shares calls.
    ///   - fetcher: Makes them.
    package init(
        on loop: EventLoop,
        cache: ResultCache,
        disk: DiskTier? = nil,
        inFlight: InFlight<PageKey, CachedPage>,
        fetcher: any PageFetcher
    ) {
        self.loop = loop
        self.cache = cache
        self.disk = disk
        self.inFlight = inFlight
        self.fetcher = fetcher
    }

    // MARK: From the cache

    /// The page when it is in memory and may be used as it is; never asks anyone, and is no use of it until `took`.
    ///
    /// On the loop.
    package func cached(
        _ key: PageKey,
        _ freshness: Freshness,
        notBefore: Instant? = nil,
        for request: SearchRequest
    ) -> Loaded? {
        inCache { $0.page(key) }.flatMap { usable($0, freshness, notBefore: notBefore, for: request) }
    }

    /// A page as an answer, when it may be one just as it is.
    private func usable(
        _ page: CachedPage,
        _ freshness: Freshness,
        notBefore: Instant?,
        for request: SearchRequest
    ) -> Loaded? {
        if request.isLocal { return Loaded(page: page, use: .offline) }
        if let notBefore, page.fetchedAt < notBefore { return nil }
        switch use(of: page, freshness, for: request) {
        case .fresh: return Loaded(page: page, use: .hit)
        // Nothing is kept of a private search, so nothing can be fetched behind it.
        case .stale: return request.isPrivate ? nil : Loaded(page: page, use: .stale)
        case .lastResort, .none: return nil
        }
    }

    /// Notes that what `cached` found is answered; a stale page is fetched anew, by a call that nobody waits for.
    ///
    /// On the loop.
    package func took(_ loaded: Loaded, _ freshness: Freshness, for request: SearchRequest) {
        loaded.page.lease.use()
        inCache { $0.count(loaded.use) }
        if loaded.use == .stale { refresh(loaded.page, freshness, for: request.client) }
    }

    private func use(of page: CachedPage, _ freshness: Freshness, for request: SearchRequest) -> Freshness.Use {
        freshness.use(fetchedAt: page.fetchedAt, freshUntil: page.freshUntil, maxAge: request.maxAge, now: loop.now)
    }

    /// A page with all its hits read; on the loop.
    package func whole(_ page: CachedPage) -> CachedPage {
        inCache { $0.whole(page) }
    }

    // MARK: From anywhere

    /// The page, from wherever it must come; on the loop.
    ///
    /// - Parameters:
    ///   - key: The page.
    ///   - freshness: How long it may be used.
    ///   - notBefore: One that was fetched earlier is only a last resort.
    ///   - hitsWanted: How many of its first hits had best be read at once.
    ///   - request: The search that needs it.
    ///   - deadline: When the search stops waiting.
    ///   - tell: Is told on the loop what happens to a call upstream.
    /// - Returns: The page, and how it was got: a stale one also when the source fails, with the failure.
    /// - Throws: `timeout` at the deadline; `notFound` when it is not here and the caller is offline; what the source or
    ///   the limits say otherwise.
    package func load(
        _ key: PageKey,
        _ freshness: Freshness,
        notBefore: Instant? = nil,
        hitsWanted: Int = .max,
        for request: SearchRequest,
        by deadline: Instant,
        tell: (@Sendable (CallEvent) -> Void)? = nil
    ) async throws(SearchError) -> Loaded {
        if let loaded = cached(key, freshness, notBefore: notBefore, for: request) {
            took(loaded, freshness, for: request)
            return loaded
        }
        if let page = await restored(key, for: request, by: deadline),
            let loaded = usable(page, freshness, notBefore: notBefore, for: request)
        {
            took(loaded, freshness, for: request)
            return loaded
        }
        do throws(SearchError) {
            let loaded = try await asked(key, freshness, hitsWanted, for: request, by: deadline, tell: tell)
            inCache { $0.count(loaded.use) }
            return loaded
        } catch {
            guard error.kind != .cancelled, let page = lastResort(key, freshness, for: request, error) else {
                inCache { $0.count(.miss) }
                throw error
            }
            page.lease.use()
            inCache { $0.count(.stale) }
            return Loaded(page: page, use: .stale, failure: error)
        }
    }

    /// The page from the second tier, in memory from now on, or what has come into memory meanwhile.
    private func restored(_ key: PageKey, for request: SearchRequest, by deadline: Instant) async -> CachedPage? {
        // A private search is to leave no trace, and a page's last use is one.
        guard let disk, !request.isPrivate, request.maxAge != .zero, inCache({ $0.page(key) }) == nil else {
            return nil
        }
        let page = await disk.page(key, by: deadline, looksTwice: request.isLocal)
        // Meanwhile another's call may have brought it, or a newer one: a call of our own would be the second. One that is
        // too large for memory is an answer all the same.
        return inCache { cache in
            if let page { cache.restore(page) }
            return cache.page(key) ?? page
        }
    }

    private func asked(
        _ key: PageKey,
        _ freshness: Freshness,
        _ hitsWanted: Int,
        for request: SearchRequest,
        by deadline: Instant,
        tell: (@Sendable (CallEvent) -> Void)?
    ) async throws(SearchError) -> Loaded {
        guard !request.isLocal else { throw .notHere(key.source) }
        if request.maxAge != .zero, let failure = inCache({ $0.failure(of: key) }) { throw failure }
        let shared = await fetched(
            key,
            freshness,
            refresh: request.maxAge == .zero,
            caller: CallTicket.Caller(
                client: request.client,
                priority: request.priority,
                isPrivate: request.isPrivate,
                hitsWanted: hitsWanted,
                tell: tell
            ),
            by: deadline
        )
        return Loaded(page: try shared.outcome.get(), use: shared.joined ? .joined : .miss)
    }

    /// The page that is here, when it may stand in for one that could not be got.
    private func lastResort(
        _ key: PageKey,
        _ freshness: Freshness,
        for request: SearchRequest,
        _ error: SearchError
    ) -> CachedPage? {
        guard Freshness.prefersStale(to: error), let page = inCache({ $0.page(key) }),
            use(of: page, freshness, for: request) != .none
        else { return nil }
        return page
    }

    // MARK: From the source

    /// Makes the call or joins it; what it brings is kept, unless all who want it are private.
    private func fetched(
        _ key: PageKey,
        _ freshness: Freshness,
        refresh: Bool = false,
        caller: CallTicket.Caller,
        by deadline: Instant
    ) async -> InFlight<PageKey, CachedPage>.Shared {
        let shared = await inFlight.value(
            for: key,
            refresh: refresh,
            caller: caller,
            deadline: InFlight.Deadline(deadline, error: .late(key.source))
        ) { [self] ticket in
            do throws(SearchError) {
                let page = try await fetcher.fetch(key, for: ticket)
                let made = inCache { $0.made(page, key: key, freshness) }
                // Of all who ever asked: those who have left by now have paid for it too.
                if ticket.mayBeKept { keep(made) }
                return .success(made)
            } catch {
                if ticket.mayBeKept, ticket.isSent { inCache { $0.failed(key, error, freshness) } }
                return .failure(error)
            }
        }
        // Whoever joined when the page was there already came too late to say so.
        if shared.joined, !caller.isPrivate, case .success(let page) = shared.outcome { keep(page) }
        return shared
    }

    private func keep(_ page: CachedPage) {
        guard inCache({ $0.insert(page) }) else { return }
        disk?.keep(page)
    }

    private func refresh(_ stale: CachedPage, _ freshness: Freshness, for client: ClientIdentity) {
        let key = stale.key
        guard inCache({ $0.beginRefresh(key) }) else { return }
        // It ends with its call, at the latest when the deadline has come.
        Task(executorPreference: loop) {
            let deadline = loop.now.advanced(by: Self.refreshTimeout)
            // As much as has been wanted so far.
            let caller = CallTicket.Caller(
                client: client,
                priority: .background,
                hitsWanted: stale.isWhole ? .max : stale.entries.count
            )
            _ = await fetched(key, freshness, caller: caller, by: deadline)
            inCache { $0.endRefresh(key) }
        }
    }

    /// Asks the cache at once: all of these live on one loop, and everything here is called on it.
    private func inCache<Value: Sendable>(_ body: (isolated ResultCache) -> Value) -> Value {
        cache.onLoop(body)
    }
}

extension SearchError {
    fileprivate static func notHere(_ source: SourceName) -> SearchError {
        SearchError(
            .notFound,
            "nothing of this is on this machine",
            source: source,
            retryable: false,
            hint: "Search without offline once."
        )
    }

    fileprivate static func late(_ source: SourceName) -> SearchError {
        SearchError(
            .timeout,
            "\(source) had not answered when the time was up",
            source: source,
            retryable: true,
            hint: "Search again, or with a longer timeout."
        )
    }
}
