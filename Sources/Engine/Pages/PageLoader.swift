package import EventLoop
import RPC
import SearchModel
package import Upstream

/// A page that a search lacks.
struct PageNeed: Equatable, Sendable {
    let key: PageKey
    let freshness: Freshness
    /// A page that was fetched earlier is only a last resort.
    var notBefore: Instant?
    /// What it is a page of when it is of a user's own data.
    var own: OwnSource?

    var source: SourceName { key.source }
}

/// A page, and how it was got.
struct LoadedPage: Sendable {
    let page: CachedPage
    let use: CacheUse
    /// What kept the source from giving a newer one.
    var failure: SearchError?
}

/// What came of a page that a search needs.
enum PageOutcome: Sendable {
    case loaded(LoadedPage)
    case failed(SearchError)
    /// It is not cached, and the source is left out for now.
    case skipped(Skip)
}

/// Gets a page in the cheapest way: from the cache, by joining a call in flight, or with a new call.
///
/// To be used on the loop, where all its parts live.
package struct PageLoader: Sendable {
    /// How long a stale page's successor may take.
    static let refreshTimeout = Duration.seconds(30)

    private let loop: EventLoop
    private let cache: ResultCache
    private let inFlight: InFlight<PageKey, CachedPage>
    private let fetcher: any PageFetcher
    private let tier: (any PageTier)?
    private let own: (any OwnPages)?

    package init(
        on loop: EventLoop,
        cache: ResultCache,
        tier: (any PageTier)? = nil,
        inFlight: InFlight<PageKey, CachedPage>,
        fetcher: any PageFetcher,
        own: (any OwnPages)? = nil
    ) {
        self.loop = loop
        self.cache = cache
        self.tier = tier
        self.inFlight = inFlight
        self.fetcher = fetcher
        self.own = own
    }

    // MARK: From the cache

    /// The page when it is in memory and may be used as it is; counts as a use only with `took`.
    func cached(_ need: PageNeed, for request: SearchRequest) -> LoadedPage? {
        // A user's own data is in no cache, which all users share.
        guard need.own == nil else { return nil }
        return inCache { $0.page(need.key) }.flatMap { usable($0, need, for: request) }
    }

    /// A page as an answer, when it may be one just as it is.
    private func usable(_ page: CachedPage, _ need: PageNeed, for request: SearchRequest) -> LoadedPage? {
        if request.isLocal { return LoadedPage(page: page, use: .offline) }
        if let notBefore = need.notBefore, page.fetchedAt < notBefore { return nil }
        switch use(of: page, need.freshness, for: request) {
        case .fresh: return LoadedPage(page: page, use: .hit)
        // Nothing is kept of a private search, so nothing can be fetched behind it.
        case .stale: return request.isPrivate ? nil : LoadedPage(page: page, use: .stale)
        case .lastResort, .none: return nil
        }
    }

    /// Notes that a page from the cache is answered; a stale one is fetched anew, by a call without a waiting client.
    func took(_ loaded: LoadedPage, _ need: PageNeed, for request: SearchRequest) {
        loaded.page.validity.use()
        inCache { $0.count(loaded.use) }
        if loaded.use == .stale, request.callBudget?.take() != false {
            refresh(loaded.page, need.freshness, for: request.client)
        }
    }

    private func use(of page: CachedPage, _ freshness: Freshness, for request: SearchRequest) -> Freshness.Use {
        freshness.use(fetchedAt: page.fetchedAt, freshUntil: page.freshUntil, maxAge: request.maxAge, now: loop.now)
    }

    // MARK: From anywhere

    /// The page, from wherever it must come.
    ///
    /// - Parameters:
    ///   - need: The page.
    ///   - request: The search that needs it.
    ///   - deadline: When the search stops waiting.
    ///   - skip: Why the source is not to be asked, unless its call is under way.
    ///   - report: Takes what happens to a call upstream.
    /// - Returns: The page, and how it was got: a stale one also when the source fails, with the failure; `timeout` at
    ///   the deadline; `notFound` when it is not cached and the caller is offline; what the source or the limits say
    ///   otherwise.
    func load(
        _ need: PageNeed,
        for request: SearchRequest,
        by deadline: Instant,
        unless skip: Skip? = nil,
        report: CallReport? = nil
    ) async -> PageOutcome {
        if let source = need.own { return await load(need, of: source, for: request) }
        var page = inCache { $0.page(need.key) }
        if page == nil { page = await restored(need.key, for: request, by: deadline) }
        if let loaded = page.flatMap({ usable($0, need, for: request) }) {
            took(loaded, need, for: request)
            return .loaded(loaded)
        }
        // The calls live on this loop, too.
        if !inFlight.onLoop({ $0.isSent(need.key) }) {
            let hasCall = skip != nil || request.isLocal || request.callBudget?.take() != false
            if let skip = hasCall ? skip : .callsSpent(need.source) {
                return stale(need, for: request, after: skip.error).map { .loaded($0) } ?? .skipped(skip)
            }
        }
        do throws(SearchError) {
            let loaded = try await asked(need, for: request, by: deadline, report)
            inCache { $0.count(loaded.use) }
            return .loaded(loaded)
        } catch {
            if let stale = stale(need, for: request, after: error) { return .loaded(stale) }
            inCache { $0.count(.miss) }
            return .failed(error)
        }
    }

    /// A page of the user's own data.
    private func load(_ need: PageNeed, of source: OwnSource, for request: SearchRequest) async -> PageOutcome {
        guard let own else { return .failed(.noOwnData(need.source)) }
        let (key, userID) = (need.key, request.client.userID)
        switch await own.page(of: source, key.request, pageSize: OwnSource.pageSize, for: userID) {
        case .failure(let error): return .failed(error)
        case .success(let found):
            let fetchedAt = loop.now.advanced(by: .zero - found.age)
            let page = CachedPage(found.page, key: key, fetchedAt: fetchedAt, freshUntil: fetchedAt)
            return .loaded(LoadedPage(page: page, use: .offline))
        }
    }

    /// The cached page that stands in for one that could not be got.
    private func stale(_ need: PageNeed, for request: SearchRequest, after error: SearchError) -> LoadedPage? {
        guard let page = lastResort(need, for: request, after: error) else { return nil }
        page.validity.use()
        inCache { $0.count(.stale) }
        return LoadedPage(page: page, use: .stale, failure: error)
    }

    /// The page from the second tier, in memory from now on, or what has come into memory meanwhile.
    private func restored(_ key: PageKey, for request: SearchRequest, by deadline: Instant) async -> CachedPage? {
        // A private search is to leave no trace, and a page's last use is one.
        guard let tier, !request.isPrivate, request.maxAge != .zero else { return nil }
        let page = await tier.get(key, by: deadline, looksTwice: request.isLocal)
        // Meanwhile another's call may have brought it, or a newer one: a call of our own would be the second. One that
        // is too large for memory is an answer all the same.
        return inCache { cache in
            if let page { cache.restore(page) }
            return cache.page(key) ?? page
        }
    }

    private func asked(
        _ need: PageNeed,
        for request: SearchRequest,
        by deadline: Instant,
        _ report: CallReport?
    ) async throws(SearchError) -> LoadedPage {
        guard !request.isLocal else { throw .notCached(need.source) }
        if request.maxAge != .zero, let failure = inCache({ $0.failure(of: need.key) }) { throw failure }
        let caller = Self.caller(for: request)
        let isRefresh = request.maxAge == .zero
        let shared = await fetched(need.key, need.freshness, isRefresh, for: caller, by: deadline, report)
        let page = try shared.outcome.get()
        return LoadedPage(page: page, use: shared.joined ? .joined : .miss)
    }

    private static func caller(for request: SearchRequest) -> CallDemand.Caller {
        CallDemand.Caller(
            client: request.client,
            priority: request.priority,
            isPrivate: request.isPrivate
        )
    }

    /// Keeps a call wanted that is under way and that its search does not wait for any more, so that the next search
    /// finds in the cache what it brings.
    ///
    /// At the latest until the deadline. Of a private search nothing is kept.
    func keepCalling(_ need: PageNeed, for request: SearchRequest, by deadline: Instant) {
        guard !request.isPrivate else { return }
        inFlight.onLoop { $0.keep(need.key, for: Self.caller(for: request), until: deadline) }
    }

    /// The cached page, when it may stand in for one that could not be got.
    private func lastResort(
        _ need: PageNeed,
        for request: SearchRequest,
        after error: SearchError
    ) -> CachedPage? {
        guard Freshness.prefersStale(to: error), let page = inCache({ $0.page(need.key) }),
            use(of: page, need.freshness, for: request) != .none || error.isOffline && request.maxAge == nil
        else { return nil }
        return page
    }

    // MARK: From the source

    /// Makes the call or joins it; what it brings is kept, unless all who want it are private.
    private func fetched(
        _ key: PageKey,
        _ freshness: Freshness,
        _ isRefresh: Bool = false,
        for caller: CallDemand.Caller,
        by deadline: Instant,
        _ report: CallReport? = nil
    ) async -> InFlight<PageKey, CachedPage>.Shared {
        let shared = await inFlight.value(
            for: key,
            refresh: isRefresh,
            caller: caller,
            deadline: InFlight.Deadline(instant: deadline, error: .late(key.source)),
            report: report
        ) { [self] demand, report in
            await call(key, freshness, for: demand, report)
        }
        // A caller that joined when the page had come already came too late for `mayBeKept`.
        if shared.joined, !caller.isPrivate, case .success(let page) = shared.outcome { keep(page, freshness) }
        return shared
    }

    private func call(
        _ key: PageKey,
        _ freshness: Freshness,
        for demand: CallDemand,
        _ report: @escaping CallReport
    ) async -> Result<CachedPage, SearchError> {
        let isSent = Locked(false)
        do throws(SearchError) {
            let page = try await fetcher.fetch(key, for: demand) { event in
                if case .sent = event { isSent.withLock { $0 = true } }
                report(event)
            }
            let made = inCache { $0.made(page, key: key, freshness) }
            // Of all callers so far: those that have left by now count too.
            if demand.mayBeKept { keep(made, freshness) }
            return .success(made)
        } catch {
            if demand.mayBeKept, isSent.withLock({ $0 }) { inCache { $0.failed(key, error, freshness) } }
            return .failure(error)
        }
    }

    private func keep(_ page: CachedPage, _ freshness: Freshness) {
        guard inCache({ $0.insert(page) }) else { return }
        tier?.put(page, until: page.freshUntil.advanced(by: freshness.staleIfError))
    }

    private func refresh(_ stale: CachedPage, _ freshness: Freshness, for client: ClientIdentity) {
        let key = stale.key
        guard inCache({ $0.beginRefresh(key) }) else { return }
        // It ends with its call, at the latest when the deadline has come.
        Task(executorPreference: loop) {
            let deadline = loop.now.advanced(by: Self.refreshTimeout)
            let caller = CallDemand.Caller(client: client, priority: .background)
            _ = await fetched(key, freshness, for: caller, by: deadline)
            inCache { $0.endRefresh(key) }
        }
    }

    /// Asks the cache at once: everything here is called on the loop, where it lives.
    private func inCache<Value: Sendable>(_ body: (isolated ResultCache) -> Value) -> Value {
        cache.onLoop(body)
    }
}

extension SearchError {
    fileprivate static func notCached(_ source: SourceName) -> SearchError {
        SearchError(
            .notFound,
            "nothing of this is on this machine",
            source: source,
            retryable: false,
            hint: "Search without offline once."
        )
    }

    fileprivate static func noOwnData(_ source: SourceName) -> SearchError {
        SearchError(
            .unavailable,
            "this searchd keeps no data of users",
            source: source,
            retryable: false,
            hint: "Give it a directory with --state, or as stateDirectory in its configuration."
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
