package import EventLoop
import RPC
import SearchModel
package import Upstream

/// A page that a search needs, with the conditions for using a cached page.
struct PageNeed: Sendable {
    let key: PageKey
    let freshness: Freshness
    /// A page that was fetched before this time is used only if its source fails.
    var notBefore: Instant?
    /// Whether the page is needed only for sorting; its call then has background priority.
    var isFurther = false
    var own: OwnSource?
    /// Whether the source may be called while the user types.
    var whileTyping = true

    var source: SourceName { key.source }
}

struct LoadedPage: Sendable {
    let page: CachedPage
    let use: CacheUse
    var failure: SearchError?
}

package struct FetchedPage: Sendable {
    let page: CachedPage
    var isFromOtherHost = false
}

enum PageOutcome: Sendable {
    case loaded(LoadedPage)
    case failed(SearchError)
    case skipped(Skip)
}

/// Loads a page from memory, the disk, another host or a call in flight, or else calls the source.
package struct PageLoader: Sendable {
    static let refreshTimeout = Duration.seconds(30)

    private let loop: EventLoop
    private let cache: ResultCache
    private let inFlight: InFlight<PageKey, FetchedPage>
    private let fetcher: any PageFetcher
    private let tier: DiskTier?
    private let shared: SharedTier?
    private let own: (any OwnPages)?

    package init(
        on loop: EventLoop,
        cache: ResultCache,
        tier: DiskTier? = nil,
        shared: SharedTier? = nil,
        inFlight: InFlight<PageKey, FetchedPage>,
        fetcher: any PageFetcher,
        own: (any OwnPages)? = nil
    ) {
        (self.loop, self.cache, self.tier, self.inFlight) = (loop, cache, tier, inFlight)
        (self.fetcher, self.shared, self.own) = (fetcher, shared, own)
    }

    /// The caller must call `countUse` when it uses the page.
    func cached(_ need: PageNeed, for request: SearchRequest) -> LoadedPage? {
        // All users share the cache, so the cache never contains a user's own data.
        need.own == nil ? inCache { $0.page(need.key) }.flatMap { usable($0, need, for: request) } : nil
    }

    private func usable(_ page: CachedPage, _ need: PageNeed, for request: SearchRequest) -> LoadedPage? {
        if request.isLocal { return LoadedPage(page: page, use: .offline) }
        if let notBefore = need.notBefore, page.fetchedAt < notBefore { return nil }
        switch use(of: page, need, for: request) {
        case .fresh: return LoadedPage(page: page, use: .hit)
        // A private search stores nothing, so it cannot refresh the cached page.
        case .stale: return request.isPrivate ? nil : LoadedPage(page: page, use: .stale)
        case .lastResort, .none: return nil
        }
    }

    private func use(of page: CachedPage, _ need: PageNeed, for request: SearchRequest) -> Freshness.Use {
        need.freshness.use(
            fetchedAt: page.fetchedAt,
            freshUntil: page.freshUntil,
            maxAge: request.maxAge,
            now: loop.now
        )
    }

    func countUse(of loaded: LoadedPage, _ need: PageNeed, for request: SearchRequest) {
        loaded.page.validity.use()
        inCache { $0.count(loaded.use) }
        guard loaded.use == .stale, need.whileTyping || !request.isTyping, request.callBudget?.take() != false,
            inCache({ $0.beginRefresh(need.key) })
        else {
            return
        }
        Task(executorPreference: loop) { [client = request.client] in
            let caller = CallDemand.Caller(client: client, priority: .background)
            // A page of another host is useful only if it is newer than this page.
            let maxAge = max(.milliseconds(1), loaded.page.fetchedAt.duration(to: loop.now) - .milliseconds(1))
            _ = await fetched(need, maxAge: maxAge, for: caller, by: loop.now.advanced(by: Self.refreshTimeout))
            inCache { $0.endRefresh(need.key) }
        }
    }

    private func lastResort(_ need: PageNeed, for request: SearchRequest, after error: SearchError) -> LoadedPage? {
        guard Freshness.prefersStale(to: error), let page = inCache({ $0.page(need.key) }),
            use(of: page, need, for: request) != .none || error.isOffline && request.maxAge == nil
        else { return nil }
        page.validity.use()
        inCache { $0.count(.stale) }
        return LoadedPage(page: page, use: .stale, failure: error)
    }

    /// If `skip` is not nil, starts no call, but joins a call that was already sent.
    func load(
        _ need: PageNeed,
        for request: SearchRequest,
        by deadline: Instant,
        unless skip: Skip? = nil,
        report: CallReport? = nil
    ) async -> PageOutcome {
        if let source = need.own { return await load(need, of: source, for: request) }
        if let page = await page(need.key, for: request, by: deadline), let loaded = usable(page, need, for: request) {
            countUse(of: loaded, need, for: request)
            return .loaded(loaded)
        }
        var refusal: Skip?
        if !inFlight.onLoop({ $0.isSent(need.key) }) {
            let mayType = need.whileTyping || !request.isTyping || request.isLocal
            let skip = mayType ? skip : .typing(need.source)
            let mayCall = request.isLocal || skip != nil || request.callBudget?.take() != false
            refusal = mayCall ? skip : .callsSpent(need.source)
        }
        let result: Result<LoadedPage, SearchError> =
            if let refusal {
                if let page = await sharedPage(need, for: request, by: deadline) {
                    .success(page)
                } else {
                    .failure(refusal.error)
                }
            } else {
                await asked(need, for: request, by: deadline, report)
            }
        switch result {
        case .success(let loaded):
            inCache { $0.count(loaded.use) }
            return .loaded(loaded)
        case .failure(let error):
            if let stale = lastResort(need, for: request, after: error) { return .loaded(stale) }
            if let refusal { return .skipped(refusal) }
            inCache { $0.count(.miss) }
            return .failed(error)
        }
    }

    private func load(_ need: PageNeed, of source: OwnSource, for request: SearchRequest) async -> PageOutcome {
        guard let own else { return .failed(.noOwnData(need.source)) }
        do throws(SearchError) {
            let (found, age) = try await own.page(of: source, need.key.request, for: request.client.userID)
            let fetchedAt = loop.now.advanced(by: .zero - age)
            let page = CachedPage(found, key: need.key, fetchedAt: fetchedAt, freshUntil: fetchedAt)
            return .loaded(LoadedPage(page: page, use: .offline))
        } catch {
            return .failed(error)
        }
    }

    private func page(_ key: PageKey, for request: SearchRequest, by deadline: Instant) async -> CachedPage? {
        if let page = inCache({ $0.page(key) }) { return page }
        // A private search leaves no trace on the disk.
        guard let tier, !request.isPrivate, request.maxAge != .zero else { return nil }
        let found = await tier.get(key, by: deadline)
        return inCache { cache in
            if let found { cache.insert(found, isFetched: false) }
            // A call may have stored a newer page meanwhile. A page that is too large is not stored.
            return cache.page(key) ?? found
        }
    }

    private func sharedPage(_ need: PageNeed, for request: SearchRequest, by deadline: Instant) async -> LoadedPage? {
        guard let shared, !request.isPrivate, !request.isLocal, request.maxAge != .zero,
            let page = await shared.page(need.key, by: deadline), let loaded = usable(page, need, for: request)
        else { return nil }
        keep(page)
        return loaded
    }

    private func asked(
        _ need: PageNeed,
        for request: SearchRequest,
        by deadline: Instant,
        _ report: CallReport?
    ) async -> Result<LoadedPage, SearchError> {
        guard !request.isLocal else { return .failure(.notCached(need.source)) }
        let begun = loop.now
        if request.maxAge != .zero, let failure = inCache({ $0.failure(of: need.key) }) { return .failure(failure) }
        let caller = Self.caller(request, of: need)
        let shared = await fetched(need, maxAge: request.maxAge, for: caller, by: deadline, report)
        return shared.outcome.map { fetched in
            let joined = shared.joined || fetched.isFromOtherHost
            let use: CacheUse = !joined ? .miss : fetched.page.fetchedAt < begun ? .hit : .joined
            return LoadedPage(page: fetched.page, use: use)
        }
    }

    private static func caller(_ request: SearchRequest, of need: PageNeed) -> CallDemand.Caller {
        CallDemand.Caller(
            client: request.client,
            priority: need.isFurther ? .background : request.priority,
            isPrivate: request.isPrivate,
            isNamed: request.named.contains(need.source)
        )
    }

    /// Lets a call continue after its search has stopped waiting, so that the page is cached.
    func keepCalling(_ need: PageNeed, for request: SearchRequest, by deadline: Instant) {
        guard !request.isPrivate else { return }
        inFlight.onLoop { $0.keep(need.key, for: Self.caller(request, of: need), until: deadline) }
    }

    /// If `maxAge` is zero, uses no pages of other hosts, and joins no calls that were already sent.
    private func fetched(
        _ need: PageNeed,
        maxAge: Duration?,
        for caller: CallDemand.Caller,
        by deadline: Instant,
        _ report: CallReport? = nil
    ) async -> InFlight<PageKey, FetchedPage>.Shared {
        let shared = await inFlight.value(
            for: need.key,
            refresh: maxAge == .zero,
            caller: caller,
            until: deadline,
            late: .late(need.source),
            report: report
        ) { [self] demand, report in
            await sharedCall(need, maxAge: maxAge, for: demand, report)
        }
        // If all callers were private when the page arrived, the page was not stored, so this caller stores it.
        if shared.joined, !caller.isPrivate, case .success(let fetched) = shared.outcome { keep(fetched.page) }
        return shared
    }

    private func sharedCall(
        _ need: PageNeed,
        maxAge: Duration?,
        for demand: CallDemand,
        _ report: @escaping CallReport
    ) async -> Result<FetchedPage, SearchError> {
        guard let shared else { return await call(need, for: demand, report).outcome.map { FetchedPage(page: $0) } }
        // A private search leaves no trace on other machines.
        guard demand.mayBeStored, maxAge != .zero else {
            let outcome = await call(need, for: demand, report).outcome
            if demand.mayBeStored, case .success(let page) = outcome { shared.publish(page) }
            return outcome.map { FetchedPage(page: $0) }
        }
        switch await shared.find(need.key, maxAge: maxAge, for: demand) {
        case .page(let page):
            keep(page)
            return .success(FetchedPage(page: page, isFromOtherHost: true))
        case .failure(let error):
            inCache { $0.failed(need.key, error, need.freshness) }
            return .failure(error)
        case .refused(let error): return .failure(error)
        case .call(let claim):
            let (outcome, isSent) = await call(need, for: demand, report)
            claim(isSent ? outcome : nil)
            return outcome.map { FetchedPage(page: $0) }
        }
    }

    private func call(
        _ need: PageNeed,
        for demand: CallDemand,
        _ report: @escaping CallReport
    ) async -> (outcome: Result<CachedPage, SearchError>, isSent: Bool) {
        let isSent = Locked(false)
        do throws(SearchError) {
            let page = try await fetcher.fetch(need.key, for: demand) { event in
                if case .sent = event { isSent.withLock { $0 = true } }
                report(event)
            }
            let now = loop.now
            let end = need.freshness.freshUntil(isEmpty: page.hits.isEmpty, fetchedAt: now)
            let made = CachedPage(page, key: need.key, fetchedAt: now, freshUntil: end)
            if demand.mayBeStored { keep(made) }
            return (.success(made), isSent.withLock { $0 })
        } catch {
            if demand.mayBeStored, isSent.withLock({ $0 }) { inCache { $0.failed(need.key, error, need.freshness) } }
            return (.failure(error), isSent.withLock { $0 })
        }
    }

    private func keep(_ page: CachedPage) {
        guard inCache({ $0.insert(page) }) else { return }
        tier?.put(page, until: page.freshUntil.advanced(by: Freshness.staleIfErrorMax))
    }

    private func inCache<Value: Sendable>(_ body: (isolated ResultCache) -> Value) -> Value {
        cache.onLoop(body)
    }
}

extension SearchError {
    fileprivate static func notCached(_ source: SourceName) -> SearchError {
        SearchError(
            .notFound,
            "the page is not cached on this machine",
            source: source,
            retryable: false,
            hint: "Search once without \"offline\"."
        )
    }

    fileprivate static func noOwnData(_ source: SourceName) -> SearchError {
        SearchError(
            .unavailable,
            "this searchd does not store data of users",
            source: source,
            retryable: false,
            hint: "Set a directory with --state, or with stateDirectory in its configuration."
        )
    }

    fileprivate static func late(_ source: SourceName) -> SearchError {
        SearchError(
            .timeout,
            "\(source) did not answer before the deadline",
            source: source,
            retryable: true,
            hint: "Search again, perhaps with a longer timeout."
        )
    }
}
