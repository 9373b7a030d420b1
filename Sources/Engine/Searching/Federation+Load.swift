import EventLoop
import SearchModel
import Upstream

/// Loads the pages of a search, and reports the hits as pages arrive.
extension Federation {
    /// Returns when all pages have arrived or failed, when the deadline has passed, or when waiting is not useful.
    func load(_ needs: [PageNeed], _ search: OngoingSearch, _ observer: (any SearchObserver)?) async {
        var loading = Loading(at: loop.now)
        loading.add(needs) { plan($0, search) }
        await withTaskGroup(of: Void.self) { group in
            while true {
                if isOver(search) { loading.starting = [] }
                guard loading.isUnderWay else { break }
                await reportProgress(search, observer)
                if let need = loading.startNext(at: loop.now) {
                    start(need, loading, search, in: &group)
                    // Yields, so that the search can report fast sources before it has called all sources.
                    await Task.yield()
                }
                if loading.news.isEmpty {
                    guard loading.starting.isEmpty else { continue }
                    if hasEnough(&loading, search) { return await stopWaitingForRest(&loading, search, in: &group) }
                }
                guard await take(&loading, search, observer) else { continue }
                loading.add(search.open.walk.needsAhead(upTo: search.target, without: search.excluded)) {
                    plan($0, search)
                }
                if let observer { await report(search, to: observer) }
            }
        }
        stopTimer(&loading)
    }

    private func start(
        _ need: PageNeed,
        _ loading: Loading,
        _ search: OngoingSearch,
        in group: inout TaskGroup<Void>
    ) {
        let (request, deadline, skip) = (search.request, search.deadline, loading.skips[need.source])
        search.noteLookup(of: need.key, at: loop.now)
        group.addTask(executorPreference: loop) { [loader, loop, news = loading.news] in
            let outcome = await loader.load(need, for: request, by: deadline, unless: skip) { event in
                // Each event wakes the search, so events that neither the trace nor the client needs are dropped.
                guard request.explain || WaitNotice(event) != nil else { return }
                news.put(.event(need.key, event), at: loop.now)
            }
            news.put(.outcome(need, outcome), at: loop.now)
        }
    }

    private func take(
        _ loading: inout Loading,
        _ search: OngoingSearch,
        _ observer: (any SearchObserver)?
    ) async -> Bool {
        var hasOutcome = false
        for (at, news) in await loading.news.take() {
            switch news {
            case .event(let key, let event):
                search.record(event, for: key, at: at)
                if let observer, let notice = WaitNotice(event) { await observer.waiting(notice, on: key.source) }
            case .outcome(let need, let outcome):
                loading.ended(need.key, at: at)
                search.note(outcome, of: need, at: at)
                hasOutcome = true
            case .wake: break
            }
        }
        return hasOutcome
    }

    private func reportProgress(_ search: OngoingSearch, _ observer: (any SearchObserver)?) async {
        guard let observer, let answered = search.newAnsweredCount() else { return }
        await observer.progress(answered: answered, asked: search.askedCount, waitingFor: search.outstanding)
    }

    private func plan(
        _ needs: [PageNeed],
        _ search: OngoingSearch
    ) -> (outlooks: [SourceName: CallPrediction], skips: [SourceName: Skip]) {
        let request = search.request
        let names = Set(needs.map(\.source))
        guard !request.isLocal, request.mayHaveEnough || !names.isSubset(of: request.named) else { return ([:], [:]) }
        let sources = request.sources.map(\.name).filter(names.contains)
        let outlooks = outlooks(sources, request.priority, request.client.userID)
        let candidates = sources.compactMap { name in
            outlooks[name].map { (source: name, isNamed: request.named.contains(name), outlook: $0) }
        }
        let skips = SkipDecision.skips(
            candidates,
            hasOthers: search.open.walk.end > search.windowStart || !search.pages.isEmpty,
            mayWait: request.priority == .background
        )
        return (outlooks, skips)
    }

    /// Returns whether the search should stop waiting; if not, schedules the next check.
    private func hasEnough(_ loading: inout Loading, _ search: OngoingSearch) -> Bool {
        guard search.request.mayHaveEnough else { return false }
        let calls = loading.waitPolicy.calls
        var walk = search.open.walk
        walk.merge(upTo: search.target, without: search.request.names)
        let isFull = walk.end >= search.target
        let mayFill = isFull || walk.mayGrow(without: search.excluded.union(calls.map(\.need.source)))
        let need: WaitPolicy.Need = mayFill ? .none : walk.end > search.windowStart ? .rest : .all
        let end = loading.waitPolicy.end(at: loop.now, need)
        if isFull { search.noteFull(calls: calls.count, until: end, at: loop.now) }
        stopTimer(&loading)
        guard let end else { return true }
        loading.timer = loop.schedule(at: end) { [loop, news = loading.news] in news.put(.wake, at: loop.now) }
        return false
    }

    private func stopTimer(_ loading: inout Loading) {
        if let timer = loading.timer.take() { loop.cancel(timer) }
    }

    /// The calls continue, so that their pages are cached.
    private func stopWaitingForRest(_ loading: inout Loading, _ search: OngoingSearch, in group: inout TaskGroup<Void>)
        async
    {
        for call in loading.waitPolicy.calls {
            loader.keepCalling(call.need, for: search.request, by: search.deadline)
            search.stopWaiting(for: call, at: loop.now)
        }
        group.cancelAll()
        await group.waitForAll()
    }
}

/// The state of loading the pages of one search.
private struct Loading {
    let news = PageEvents()
    var waitPolicy: WaitPolicy
    var timer: Timer?
    var starting: [PageNeed] = []
    var skips: [SourceName: Skip] = [:]
    private var outlooks: [SourceName: CallPrediction] = [:]
    private var asked: Set<PageKey> = []
    private var inFlight = 0

    init(at now: Instant) {
        waitPolicy = WaitPolicy(at: now)
    }

    var isUnderWay: Bool { inFlight > 0 || !starting.isEmpty }

    mutating func add(
        _ needs: [PageNeed],
        _ plan: ([PageNeed]) -> (outlooks: [SourceName: CallPrediction], skips: [SourceName: Skip])
    ) {
        let new = needs.filter { asked.insert($0.key).inserted }
        guard !new.isEmpty else { return }
        let (outlooks, skips) = plan(new)
        starting += new
        self.outlooks.merge(outlooks) { _, latest in latest }
        self.skips.merge(skips) { _, latest in latest }
    }

    mutating func startNext(at now: Instant) -> PageNeed? {
        guard !starting.isEmpty else { return nil }
        let need = starting.removeFirst()
        inFlight += 1
        waitPolicy.began(need, outlooks[need.source], at: now)
        return need
    }

    mutating func ended(_ key: PageKey, at now: Instant) {
        inFlight -= 1
        waitPolicy.ended(key, at: now)
    }
}

/// A queue of events for a search that waits for pages.
private final class PageEvents: Sendable {
    enum News: Sendable {
        case event(PageKey, CallEvent)
        case outcome(PageNeed, PageOutcome)
        case wake
    }

    private struct State {
        var waiting: [(at: Instant, news: News)] = []
        var taker: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    func put(_ news: News, at now: Instant) {
        let taker = state.withLock { state in
            state.waiting.append((now, news))
            return state.taker.take()
        }
        taker?.resume()
    }

    func take() async -> [(at: Instant, news: News)] {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.waiting.isEmpty { state.taker = continuation }
                return !state.waiting.isEmpty
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
