package import EventLoop
package import SearchModel
package import Upstream

/// Runs searches over their sources and keeps the walks that cursors continue.
package actor Federation: LoopActor {
    package static let walksMax = 10_000

    package nonisolated let loop: EventLoop
    let loader: PageLoader
    let outlooks: CallOutlooks
    private var walks: WalkTable
    private var random: any RandomNumberGenerator & Sendable
    private let wallClock: @Sendable () -> Int64
    package private(set) var figures = SearchFigures()

    /// - Parameters:
    ///   - loop: Where it lives.
    ///   - loader: Gets the pages.
    ///   - outlooks: Tells how calls to sources would fare; called on the loop.
    ///   - walkBytesMax: How many bytes of pages walks may keep from being freed, most of them in the cache anyway.
    ///   - random: Makes the ids of walks, which no client should guess.
    ///   - wallClock: Tells seconds since 1970, by which new hits are new.
    package init(
        on loop: EventLoop,
        loader: PageLoader,
        outlooks: @escaping CallOutlooks = { _, _, _ in [:] },
        walkBytesMax: Int = 64 << 20,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.loop = loop
        self.loader = loader
        self.outlooks = outlooks
        walks = WalkTable(walksMax: Self.walksMax, bytesMax: walkBytesMax)
        self.random = random
        self.wallClock = wallClock
    }

    /// Opens the walk of a search and takes what is in memory and fresh enough; never waits.
    ///
    /// Throws when the cursor is not known, or the offset too deep.
    package func begin(_ request: SearchRequest) throws(SearchError) -> OngoingSearch {
        let walk = try openWalk(request)
        walk.walk.look(upTo: request.lookedLimit)
        let run = SearchRun(
            request,
            ended: walk.walk.endedSources,
            position: walk.walk.start(of: request),
            startedAt: loop.now
        )
        let search = OngoingSearch(run, walk)
        while true {
            let needs = advance(search)
            if needs.isEmpty { return search }
            for need in needs {
                guard let page = loader.cached(need, for: request) else { return search }
                search.cached.append((need, page))
                search.received(page, at: search.run.startedAt)
            }
        }
    }

    /// The answer when everything it needs was in memory; never waits, never goes upstream.
    package func cachedAnswer(of search: OngoingSearch) throws(SearchError) -> SearchAnswer? {
        guard search.run.failures.isEmpty, advance(search).isEmpty else { return nil }
        useCached(search)
        return try answer(search)
    }

    /// The answer, from wherever it must come, within the request's timeout.
    ///
    /// - Parameters:
    ///   - request: The search.
    ///   - observer: Takes hits and sources as they come.
    /// - Returns: What came before the deadline; sources that failed or are late are reported in it.
    /// - Throws: When every source failed, or the cursor is not known.
    package func search(
        _ request: SearchRequest,
        observer: (any SearchObserver)? = nil
    ) async throws(SearchError) -> SearchAnswer {
        try await finish(begin(request), observer: observer)
    }

    /// The same, for a search that has begun.
    package func finish(
        _ search: OngoingSearch,
        observer: (any SearchObserver)? = nil
    ) async throws(SearchError) -> SearchAnswer {
        useCached(search)
        while true {
            let needs = search.run.hasEnough ? takeEnough(search) : advance(search)
            if let observer { await report(search, to: observer) }
            if needs.isEmpty || isOver(search.run) { break }
            await load(needs, search, observer)
        }
        if Task.isCancelled { throw .cancelled }
        let answer = try answer(search)
        if let observer {
            for report in answer.sources where !search.run.reported.contains(report.source) {
                await observer.source(report)
            }
        }
        return answer
    }

    /// Changes how many bytes of pages walks may keep, and evicts those that no longer fit.
    package func resize(walkBytesMax: Int) {
        walks.resize(to: walkBytesMax)
    }

    /// A finished answer is given again.
    package func gave(_ answer: FinishedAnswer) {
        figures.add(answer.counted)
    }

    /// Merges what is here; the pages that are lacking.
    private func advance(_ search: OngoingSearch) -> [PageNeed] {
        let (target, excluded) = (search.run.target, search.run.excluded)
        search.open.walk.merge(upTo: target, without: excluded)
        return search.open.walk.needs(upTo: target, without: excluded)
    }

    /// Merges what has come, and nothing else is lacking.
    private func takeEnough(_ search: OngoingSearch) -> [PageNeed] {
        search.open.walk.merge(upTo: search.run.target, without: search.request.names)
        return []
    }

    /// Whether nothing more is to be asked for: what has come is the answer.
    func isOver(_ run: SearchRun) -> Bool {
        Task.isCancelled || loop.now >= run.deadline
    }

    /// The pages that were found in memory are part of the answer now.
    private func useCached(_ search: OngoingSearch) {
        for (need, page) in search.cached { loader.took(page, need, for: search.request) }
        search.cached = []
    }

    /// Reports the window as it would be if nothing more came, and which sources have failed without a hit.
    ///
    /// So at the deadline all that the answer holds has been reported. Of one source nothing else ever is; of several,
    /// the next to answer may push out some of what the first ones brought: holding those back until the slowest has
    /// answered would spoil the stream.
    func report(_ search: OngoingSearch, to observer: any SearchObserver) async {
        for report in search.run.newFailures(in: search.open.walk) { await observer.source(report) }
        let request = search.request
        var walk = search.open.walk
        walk.merge(upTo: search.run.target, without: request.names)
        let window = walk.window(from: search.run.position, count: request.limit)
        for source in request.sources {
            let hits = search.run.unreported(window.filter { $0.source == source.name })
            if !hits.isEmpty { await observer.hits(hits, from: source.name) }
        }
    }

    // MARK: Walks

    private func openWalk(_ request: SearchRequest) throws(SearchError) -> OpenWalk {
        guard let cursor = request.cursor else {
            guard request.offset <= request.offsetLimit else { throw Self.tooDeep(request) }
            return OpenWalk(Walk(request, now: wallClock()))
        }
        guard let open = walks.walk(cursor.walk), open.walk.owner.map({ $0 == request.client.userID }) != false else {
            throw Self.expired
        }
        let names = open.walk.sources.map(\.profile.name)
        guard open.walk.query == request.query, open.walk.sort == request.sort,
            open.walk.filter == request.filter, names == request.sources.map(\.name),
            open.walk.mayContinue(at: cursor.position, request)
        else {
            throw SearchError(
                .invalidParams,
                "params.cursor: the cursor belongs to another search",
                retryable: false,
                hint: "Repeat the query, the sources, the sort and the filter that the cursor came from.",
                path: "params.cursor"
            )
        }
        // One list can't be made of what a source was before a reload and what it is now.
        guard open.walk.sources.map(\.profile.edition) == request.sources.map(\.edition) else { throw Self.expired }
        return open
    }

    private static func tooDeep(_ request: SearchRequest) -> SearchError {
        SearchError(
            .invalidParams,
            "params.offset: a list that is put together here can be entered at \(request.offsetLimit) at most",
            retryable: false,
            hint: "Go on with the cursor that an answer gives as \"next\", or ask one source in an order of its own.",
            path: "params.offset"
        )
    }

    /// For an offset that so few hits come up to.
    private static func tooFewKept(_ walk: Walk) -> SearchError {
        SearchError(
            .invalidParams,
            "params.offset: only \(walk.end) of the first \(walk.looked) hits pass the filter",
            retryable: false,
            hint: "Go on with the cursor that an answer gives as \"next\".",
            path: "params.offset"
        )
    }

    private static let expired = SearchError(
        .invalidParams,
        "params.cursor: the cursor has expired",
        retryable: false,
        hint: "Search again without the cursor.",
        path: "params.cursor"
    )

    /// The walk's number, under which it is kept from now on.
    private func keep(_ open: OpenWalk) -> UInt64 {
        let id = open.id ?? random.next()
        open.id = id
        walks.keep(open, as: id)
        return id
    }

    // MARK: Answering

    private func answer(_ search: OngoingSearch) throws(SearchError) -> SearchAnswer {
        let request = search.request
        // One copy of each, since every access would make another.
        let walk = search.open.walk
        let window = walk.window(from: search.run.position, count: request.limit)
        if walk.hasLookedEnough, walk.end < request.offset { throw Self.tooFewKept(walk) }
        let position = walk.position(behind: window, of: request, from: search.run.position)
        let filtered = walk.filtered(request, upTo: position)
        search.run.merged(window, of: walk, at: loop.now)
        search.run.filtered(filtered, at: loop.now)
        let run = search.run
        let reports = walk.sources.map { run.report($0, in: walk, window: window) }
        // What one user finds in data of the user's own is no other's to know.
        var counted = SearchFigures()
        for (report, source) in zip(reports, walk.sources) where source.profile.own == nil {
            counted.count(report, of: source.profile.kind)
        }
        figures.add(counted)
        if let error = run.failureOfAll(reports) { throw run.explained(error) }
        let end = run.position + window.count
        // What is not cached never comes while only the cache is searched; what failed may come next time.
        let hasMore = walk.end > end || walk.mayGrow(without: request.isLocal ? run.excluded : [])
        let pages = Self.distinct(window.map(\.page) + run.pages)
        var validity = pages.map(\.validity)
        var next: Cursor?
        if hasMore, request.typed == nil {
            next = Cursor(walk: keep(search.open), position: position)
            validity.append(walk.validity)
        }
        let validUntil = pages.map { page in
            min(page.freshUntil, request.maxAge.map { page.fetchedAt.advanced(by: $0) } ?? page.freshUntil)
        }.min()
        return SearchAnswer(
            query: request.typed ?? request.query,
            completedQuery: request.typed == nil ? nil : request.query,
            sort: request.sort,
            hits: Array(window),
            sources: reports,
            next: next,
            filtered: filtered,
            startedAt: run.startedAt,
            finishedAt: loop.now,
            validity: validity,
            pageCount: pages.count,
            validUntil: validUntil ?? run.startedAt,
            trace: request.explain ? run.trace : nil,
            counted: counted
        )
    }

    private static func distinct(_ pages: [CachedPage]) -> [CachedPage] {
        var seen: Set<ObjectIdentifier> = []
        return pages.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}
