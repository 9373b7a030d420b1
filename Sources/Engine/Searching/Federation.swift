package import EventLoop
import RPC
package import SearchModel
package import Upstream

/// Runs searches, and keeps their merged lists (`Walk`) for cursors.
package actor Federation: LoopActor {
    package static let walksMax = 10_000

    package nonisolated let loop: EventLoop
    let loader: PageLoader
    let outlooks: CallPredictions
    private var walks: WalkTable
    private var random: any RandomNumberGenerator & Sendable
    private let wallClock: @Sendable () -> Int64
    package private(set) var figures = SearchCounts()

    /// `random` makes ids that must be hard to guess; `wallClock` returns seconds since 1970.
    package init(
        on loop: EventLoop,
        loader: PageLoader,
        outlooks: @escaping CallPredictions = { _, _, _ in [:] },
        walkBytesMax: Int = 64 << 20,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        wallClock: @escaping @Sendable () -> Int64
    ) {
        (self.loop, self.loader, self.outlooks, self.wallClock) = (loop, loader, outlooks, wallClock)
        self.random = random
        walks = WalkTable(walksMax: Self.walksMax, bytesMax: walkBytesMax)
    }

    /// Never waits; throws if the cursor is unknown or belongs to another search.
    package func begin(_ request: SearchRequest) throws(SearchError) -> OngoingSearch {
        let open = try openWalk(request)
        open.walk.look(upTo: request.lookedLimit)
        let search = OngoingSearch(request, open, startedAt: loop.now)
        while true {
            let needs = advance(search)
            search.isComplete = needs.isEmpty
            for need in needs {
                guard let page = loader.cached(need, for: request) else { return search }
                search.cached.append((need, page))
                search.received(page, at: search.startedAt)
            }
            if needs.isEmpty { return search }
        }
    }

    /// Never waits; returns nil if a needed page was not in memory.
    package func cachedAnswer(of search: OngoingSearch) throws(SearchError) -> SearchAnswer? {
        guard search.isComplete, !search.hasFailures else { return nil }
        useCached(search)
        return try answer(search)
    }

    package func search(
        _ request: SearchRequest,
        observer: (any SearchObserver)? = nil
    ) async throws(SearchError) -> SearchAnswer {
        try await finish(begin(request), observer: observer)
    }

    package func finish(
        _ search: OngoingSearch,
        observer: (any SearchObserver)? = nil
    ) async throws(SearchError) -> SearchAnswer {
        useCached(search)
        while true {
            var needs: [PageNeed] = []
            if search.hasEnough || isOver(search) {
                search.open.walk.merge(upTo: search.target, without: search.request.names)
            } else {
                needs = advance(search)
            }
            if let observer { await report(search, to: observer) }
            if needs.isEmpty { break }
            await load(needs, search, observer)
        }
        if Task.isCancelled { throw .cancelled }
        let answer = try answer(search)
        if let observer {
            for report in search.unreported(answer.sources) { await observer.source(report) }
        }
        return answer
    }

    package func resize(walkBytesMax: Int) {
        walks.resize(to: walkBytesMax)
    }

    package func countReuse(of answer: FinishedAnswer) {
        figures.count(answer.sources)
    }

    private func advance(_ search: OngoingSearch) -> [PageNeed] {
        let (target, excluded) = (search.target, search.excluded)
        search.open.walk.merge(upTo: target, without: excluded)
        return search.open.walk.needs(upTo: target, without: excluded)
    }

    func isOver(_ search: OngoingSearch) -> Bool {
        Task.isCancelled || loop.now >= search.deadline
    }

    private func useCached(_ search: OngoingSearch) {
        for (need, page) in search.cached { loader.countUse(of: page, need, for: search.request) }
        search.cached = []
    }

    /// Slower sources may later push reported hits out of the requested range.
    func report(_ search: OngoingSearch, to observer: any SearchObserver) async {
        for report in search.newFailures() { await observer.source(report) }
        let request = search.request
        var walk = search.open.walk
        walk.merge(upTo: search.target, without: request.names)
        let window = walk.window(from: search.windowStart, count: request.limit)
        for source in request.sources {
            let hits = search.unreported(window.filter { $0.source == source.name })
            if !hits.isEmpty { await observer.hits(hits, from: source.name) }
        }
    }

    private func openWalk(_ request: SearchRequest) throws(SearchError) -> OpenWalk {
        guard let cursor = request.cursor else {
            guard request.offset <= request.offsetLimit else { throw Self.tooDeep(request) }
            return OpenWalk(Walk(request, now: wallClock()))
        }
        guard let open = walks.walk(cursor.walk), open.walk.owner.map({ $0 == request.client.userID }) != false else {
            throw Self.expired
        }
        let profiles = open.walk.sources.map(\.profile)
        guard open.walk.query == request.query, open.walk.sort == request.sort,
            open.walk.filter == request.filter, profiles.map(\.name) == request.sources.map(\.name),
            open.walk.mayContinue(at: cursor.position, request)
        else {
            throw Parameters.invalid(
                "params.cursor",
                "the cursor belongs to another search",
                hint: "Repeat the query, sources, order and filter of the search that returned the cursor."
            )
        }
        // If a reload changed a source, its pages may differ from the earlier ones, so the list cannot continue.
        guard profiles.map(\.edition) == request.sources.map(\.edition) else { throw Self.expired }
        return open
    }

    private static func tooDeep(_ request: SearchRequest) -> SearchError {
        Parameters.invalid(
            "params.offset",
            "the maximum offset of a merged or sorted list is \(request.offsetLimit)",
            hint: "Use the cursor in \"next\" of an answer, or search one source in an order that this source supports."
        )
    }

    private static func tooFewKept(_ walk: Walk) -> SearchError {
        Parameters.invalid(
            "params.offset",
            "only \(walk.end) of the first \(walk.pool.filtering?.looked ?? 0) hits pass the filter",
            hint: "Use the cursor in \"next\" of an answer."
        )
    }

    private static let expired = Parameters.invalid(
        "params.cursor",
        "the cursor has expired",
        hint: "Search again without the cursor."
    )

    private func keep(_ open: OpenWalk) -> UInt64 {
        let id = open.id ?? random.next()
        open.id = id
        walks.keep(open, as: id)
        return id
    }

    private func answer(_ search: OngoingSearch) throws(SearchError) -> SearchAnswer {
        let request = search.request
        // Each access to the property copies the walk.
        let walk = search.open.walk
        let window = walk.window(from: search.windowStart, count: request.limit)
        if walk.hasLookedEnough, walk.end < request.offset { throw Self.tooFewKept(walk) }
        let position = walk.position(after: window, of: request, from: search.windowStart)
        let filtered = walk.filtered(request, upTo: position)
        search.noteAnswer(window, of: walk, filtered, at: loop.now)
        let reports = request.sources.indices.map { search.report($0, window: window) }
        figures.count(reports)
        if let error = search.failureOfAll(reports) { throw search.explained(error) }
        // Offline, a missing page never arrives. Online, a page that failed may arrive with the next request.
        let hasMore =
            walk.end > search.windowStart + window.count
            || walk.mayGrow(without: request.isLocal ? search.excluded : [])
        let pages = Self.distinct(window.map(\.page) + search.pages)
        var validity = pages.map(\.validity)
        var next: Cursor?
        if hasMore, request.typed == nil {
            next = Cursor(walk: keep(search.open), position: position)
            validity.append(walk.validity)
        }
        let ends = pages.map { page in
            min(page.freshUntil, request.maxAge.map { page.fetchedAt.advanced(by: $0) } ?? page.freshUntil)
        }
        return SearchAnswer(
            query: request.typed ?? request.query,
            completedQuery: request.typed == nil ? nil : request.query,
            sort: request.sort,
            hits: Array(window),
            sources: reports,
            next: next,
            filtered: filtered,
            startedAt: search.startedAt,
            validity: validity,
            pageCount: pages.count,
            validUntil: ends.min() ?? search.startedAt,
            trace: request.explain ? search.trace : nil
        )
    }

    private static func distinct(_ pages: [CachedPage]) -> [CachedPage] {
        var seen: Set<ObjectIdentifier> = []
        return pages.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}
