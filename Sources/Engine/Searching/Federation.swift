package import EventLoop
package import SearchModel

/// Runs searches over their sources and keeps the walks that cursors go on with.
package actor Federation: LoopActor {
    package static let walksMax = 10_000

    package nonisolated let loop: EventLoop
    private let loader: PageLoader
    private var walks: WalkTable
    private var random: any RandomNumberGenerator & Sendable
    package private(set) var figures = SearchFigures()

    /// - Parameters:
    ///   - loop: The actor's executor.
    ///   - loader: Gets pages.
    ///   - walkBytesMax: The bytes of pages that walks may keep from being freed; most of them are in the cache anyway.
    ///   - random: Makes the numbers of walks, which nobody should guess.
    package init(
        on loop: EventLoop,
        loader: PageLoader,
        walkBytesMax: Int = 64 << 20,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.loop = loop
        self.loader = loader
        walks = WalkTable(walksMax: Self.walksMax, bytesMax: walkBytesMax)
        self.random = random
    }

    /// The answer when everything it needs is in the cache and fresh enough; never waits, never goes upstream.
    package func cachedAnswer(_ request: SearchRequest) throws(SearchError) -> SearchAnswer? {
        let open = try openWalk(request)
        var run = SearchRun(request, ended: open.walk.endedSources, startedAt: loop.now)
        guard run.failures.isEmpty else { return nil }
        var found: [(Walk.Need, PageLoader.Loaded)] = []
        while true {
            open.walk.merge(upTo: run.target, without: [], whole: loader.whole)
            let needs = open.walk.needs(upTo: run.target, without: [])
            if needs.isEmpty { break }
            for need in needs {
                guard let page = loader.cached(need.key, need.freshness, notBefore: need.notBefore, for: request)
                else { return nil }
                found.append((need, page))
                run.received(page, at: run.startedAt)
                open.walk.received(page.page)
            }
        }
        let answer = try answer(&run, open)
        for (need, page) in found { loader.took(page, need.freshness, for: request) }
        return answer
    }

    /// The answer, from wherever it must come, within the request's timeout.
    ///
    /// - Parameters:
    ///   - request: The search.
    ///   - observer: Is told of hits and sources as they come.
    /// - Returns: What came in time; sources that failed or are late are reported in it.
    /// - Throws: When every source failed, or the cursor is not known.
    package func search(
        _ request: SearchRequest,
        observer: (any SearchObserver)? = nil
    ) async throws(SearchError) -> SearchAnswer {
        if let observer, let answer = try cachedAnswer(request) {
            await tell(answer, of: request, observer)
            return answer
        }
        let open = try openWalk(request)
        var run = SearchRun(request, ended: open.walk.endedSources, startedAt: loop.now)
        while true {
            open.walk.merge(upTo: run.target, without: run.excluded, whole: loader.whole)
            if let observer { await tell(&run, open, observer) }
            let needs = open.walk.needs(upTo: run.target, without: run.excluded)
            if needs.isEmpty || isOver(run) { break }
            await load(needs, &run, open, observer)
        }
        if Task.isCancelled { throw .cancelled }
        let answer = try answer(&run, open)
        if let observer {
            for report in answer.sources where !run.reported.contains(report.source) { await observer.source(report) }
        }
        return answer
    }

    /// Changes how many bytes of pages walks may keep, and gives up those that no longer fit.
    package func resize(walkBytesMax: Int) {
        walks.resize(to: walkBytesMax)
    }

    // MARK: Loading

    private func load(
        _ needs: [Walk.Need],
        _ run: inout SearchRun,
        _ open: OpenWalk,
        _ observer: (any SearchObserver)?
    ) async {
        let request = run.request
        if let need = needs.first, needs.count == 1, observer == nil, !request.explain {
            let outcome = await Self.load(need, request, by: run.deadline, loader, tell: nil)
            return note(outcome, of: need.key, at: loop.now, &run, open)
        }
        let arrivals = PageEventQueue()
        await withTaskGroup(of: Void.self) { group in
            var starting = needs[...]
            var asked: Set<PageKey> = []
            var underWay = 0
            while true {
                if isOver(run) { starting = [] }
                if underWay > 0 || !starting.isEmpty { await tellProgress(&run, observer) }
                if let need = starting.popFirst(), asked.insert(need.key).inserted {
                    underWay += 1
                    run.looksFor(need.key, at: loop.now)
                    group.addTask(executorPreference: loop) { [loader, loop, deadline = run.deadline] in
                        let outcome = await Self.load(need, request, by: deadline, loader) { event in
                            // Each thing that is told costs the loop a turn.
                            guard request.explain || WaitNotice(event) != nil else { return }
                            arrivals.put(PageEventQueue.Arrival(at: loop.now, key: need.key, news: .event(event)))
                        }
                        arrivals.put(PageEventQueue.Arrival(at: loop.now, key: need.key, news: .outcome(outcome)))
                    }
                    // One a turn: who answers at once is not told only when all others have been asked.
                    await Task.yield()
                }
                if arrivals.isEmpty, !starting.isEmpty { continue }
                if arrivals.isEmpty, underWay == 0 { return }
                var hasNews = false
                // What came at the same time is told together.
                repeat {
                    let arrival = await arrivals.next()
                    switch arrival.news {
                    case .event(let event): await happened(event, arrival, &run, observer)
                    case .outcome(let outcome):
                        underWay -= 1
                        note(outcome, of: arrival.key, at: arrival.at, &run, open)
                        hasNews = true
                    }
                } while !arrivals.isEmpty
                guard hasNews else { continue }
                starting += open.walk.needsAhead(upTo: run.target, without: run.excluded)
                if let observer { await tell(&run, open, observer) }
            }
        }
    }

    private func tellProgress(_ run: inout SearchRun, _ observer: (any SearchObserver)?) async {
        guard let observer, let answered = run.newAnsweredCount() else { return }
        await observer.progress(answered: answered, asked: run.request.sources.count)
    }

    /// Whether nothing more is to be asked for: what has come is the answer.
    private func isOver(_ run: SearchRun) -> Bool {
        Task.isCancelled || loop.now >= run.deadline
    }

    private func happened(
        _ event: CallEvent,
        _ arrival: PageEventQueue.Arrival,
        _ run: inout SearchRun,
        _ observer: (any SearchObserver)?
    ) async {
        run.happened(event, to: arrival.key, at: arrival.at)
        if let observer, let notice = WaitNotice(event) { await observer.waiting(notice, on: arrival.key.source) }
    }

    private func note(
        _ outcome: Result<PageLoader.Loaded, SearchError>,
        of key: PageKey,
        at instant: Instant,
        _ run: inout SearchRun,
        _ open: OpenWalk
    ) {
        switch outcome {
        case .success(let page):
            run.received(page, at: instant)
            open.walk.received(page.page)
        case .failure(let error):
            run.missed(key)
            run.failed(key.source, error, at: instant)
        }
    }

    private static func load(
        _ need: Walk.Need,
        _ request: SearchRequest,
        by deadline: Instant,
        _ loader: PageLoader,
        tell: (@Sendable (CallEvent) -> Void)?
    ) async -> Result<PageLoader.Loaded, SearchError> {
        do throws(SearchError) {
            let loaded = try await loader.load(
                need.key,
                need.freshness,
                notBefore: need.notBefore,
                hitsWanted: need.hitsWanted,
                for: request,
                by: deadline,
                tell: tell
            )
            return .success(loaded)
        } catch {
            return .failure(error)
        }
    }

    /// Tells a stream the window as it would be if nothing more came, and which sources have failed with nothing.
    ///
    /// So whenever the time is up, all that the answer holds has been told. Of one source nothing else ever is; of
    /// several, the next to answer may push out some of what the first ones brought: holding those back until the slowest
    /// has answered would spoil the stream.
    private func tell(_ run: inout SearchRun, _ open: OpenWalk, _ observer: any SearchObserver) async {
        for report in run.untoldFailures(in: open.walk) { await observer.source(report) }
        var walk = open.walk
        walk.merge(upTo: run.target, without: Set(run.request.sources.map(\.name)), whole: loader.whole)
        let window = walk.window(from: run.position, count: run.request.limit)
        for source in run.request.sources {
            let hits = run.untold(window.filter { $0.source == source.name })
            if !hits.isEmpty { await observer.hits(hits, from: source.name) }
        }
    }

    /// Tells a stream an answer that is here already: its window and no other hits, since nothing can push them out.
    private func tell(_ answer: SearchAnswer, of request: SearchRequest, _ observer: any SearchObserver) async {
        for source in request.sources {
            let hits = answer.hits.filter { $0.source == source.name }
            if !hits.isEmpty { await observer.hits(hits, from: source.name) }
        }
        for report in answer.sources { await observer.source(report) }
    }

    // MARK: Walks

    private func openWalk(_ request: SearchRequest) throws(SearchError) -> OpenWalk {
        guard let cursor = request.cursor else {
            guard request.offset <= request.offsetLimit else { throw Self.tooDeep(request) }
            return OpenWalk(Walk(request))
        }
        guard let open = walks.walk(cursor.walk) else { throw Self.expired }
        let names = open.walk.sources.map(\.profile.name)
        guard open.walk.query == request.query, open.walk.sort == request.sort,
            names == request.sources.map(\.name),
            cursor.position <= max(open.walk.end, request.offsetLimit)
        else {
            throw SearchError(
                .invalidParams,
                "params.cursor: the cursor belongs to another search",
                retryable: false,
                hint: "Repeat the query, the sources and the sort that the cursor came from.",
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

    private func answer(_ run: inout SearchRun, _ open: OpenWalk) throws(SearchError) -> SearchAnswer {
        let request = run.request
        // One copy, which the walk's questions are put to; each would be one of its own.
        let walk = open.walk
        let window = walk.window(from: run.position, count: request.limit)
        run.merged(window, of: walk, at: loop.now)
        let reports = walk.sources.map { run.report($0, in: walk, window: window) }
        for (report, source) in zip(reports, walk.sources) { figures.count(report, of: source.profile.kind) }
        if let error = run.failureOfAll(reports) { throw run.explained(error) }
        let end = run.position + window.count
        // What is not on this machine never comes while only that is searched; what failed may come next time.
        let hasMore = walk.end > end || walk.mayGrow(without: request.isLocal ? run.excluded : [])
        let pages = Self.distinct(window.map(\.page) + run.pages)
        var leases = pages.map(\.lease)
        var next: Cursor?
        if hasMore {
            next = Cursor(walk: keep(open), position: max(end, walk.base))
            leases.append(walk.lease)
        }
        let validUntil = pages.map { page in
            min(page.freshUntil, request.maxAge.map { page.fetchedAt.advanced(by: $0) } ?? page.freshUntil)
        }.min()
        return SearchAnswer(
            query: request.query,
            sort: request.sort,
            hits: Array(window),
            sources: reports,
            next: next,
            startedAt: run.startedAt,
            finishedAt: loop.now,
            leases: leases,
            pageCount: pages.count,
            validUntil: validUntil ?? run.startedAt,
            trace: request.explain ? run.trace : nil
        )
    }

    private static func distinct(_ pages: [CachedPage]) -> [CachedPage] {
        var seen: Set<ObjectIdentifier> = []
        return pages.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}
