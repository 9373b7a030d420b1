import EventLoop
import RPC
import SearchModel
import Upstream

/// Getting the pages that a search lacks.
extension Federation {
    /// Gets pages, and further ones that turn out to be needed; returns when all have come or failed, the time is up,
    /// or the caller has enough.
    func load(
        _ needs: [PageNeed],
        _ search: OngoingSearch,
        _ observer: (any SearchObserver)?
    ) async {
        let request = search.request
        if let need = needs.first, needs.count == 1, observer == nil, !request.explain, !request.mayHaveEnough {
            let skip = plan(needs, search).skips[need.source]
            let outcome = await loader.load(need, for: request, by: search.run.deadline, unless: skip)
            return search.note(outcome, of: need.key, at: loop.now)
        }
        var loading = Loading(needs, plan(needs, search), at: loop.now)
        await withTaskGroup(of: Void.self) { group in
            while true {
                if isOver(search.run) { loading.startsNoMore() }
                if loading.isUnderWay { await reportProgress(search, observer) }
                if let need = loading.next(at: loop.now) {
                    start(need, loading, search, in: &group)
                    // One a turn: a source that answers at once is reported before all others have been asked.
                    await Task.yield()
                }
                if loading.arrivals.isEmpty, loading.hasMore { continue }
                if loading.arrivals.isEmpty, !loading.isUnderWay { return stopTimer(&loading) }
                if loading.arrivals.isEmpty, hasEnough(&loading, search) {
                    return await leaveRest(&loading, search, in: &group)
                }
                guard await take(&loading, search, observer) else { continue }
                let ahead = search.open.walk.needsAhead(upTo: search.run.target, without: search.run.excluded)
                    .filter { !loading.wasAsked($0.key) }
                loading.add(ahead, plan(ahead, search))
                if let observer { await report(search, to: observer) }
            }
        }
    }

    private func start(
        _ need: PageNeed,
        _ loading: Loading,
        _ search: OngoingSearch,
        in group: inout TaskGroup<Void>
    ) {
        let (request, deadline, skip) = (search.request, search.run.deadline, loading.plan.skips[need.source])
        search.run.looksFor(need.key, at: loop.now)
        group.addTask(executorPreference: loop) { [loader, loop, arrivals = loading.arrivals] in
            let outcome = await loader.load(need, for: request, by: deadline, unless: skip) { event in
                // Each event in the queue costs the loop a turn.
                guard request.explain || WaitNotice(event) != nil else { return }
                arrivals.put(PageEventQueue.Arrival(at: loop.now, news: .event(need.key, event)))
            }
            arrivals.put(PageEventQueue.Arrival(at: loop.now, news: .outcome(need.key, outcome)))
        }
    }

    /// Takes what comes next, together with what came at the same time; whether a page or a failure was among it.
    private func take(
        _ loading: inout Loading,
        _ search: OngoingSearch,
        _ observer: (any SearchObserver)?
    ) async -> Bool {
        var hasNews = false
        repeat {
            let arrival = await loading.arrivals.next()
            switch arrival.news {
            case .event(let key, let event):
                search.run.happened(event, to: key, at: arrival.at)
                if let observer, let notice = WaitNotice(event) { await observer.waiting(notice, on: key.source) }
            case .outcome(let key, let outcome):
                loading.ended(key, at: arrival.at)
                search.note(outcome, of: key, at: arrival.at)
                hasNews = true
            case .wake: break
            }
        } while !loading.arrivals.isEmpty
        return hasNews
    }

    private func reportProgress(_ search: OngoingSearch, _ observer: (any SearchObserver)?) async {
        guard let observer, let answered = search.run.newAnsweredCount() else { return }
        let run = search.run
        await observer.progress(answered: answered, asked: run.askedCount, waitingFor: run.outstanding)
    }

    // MARK: What is left out

    /// How calls for these pages would fare, and which sources are to be left out for now.
    private func plan(_ needs: [PageNeed], _ search: OngoingSearch) -> LoadingPlan {
        let request = search.request
        let names = Set(needs.map(\.source))
        guard !request.isLocal, request.mayHaveEnough || !names.isSubset(of: request.named) else {
            return LoadingPlan()
        }
        let sources = request.sources.map(\.name).filter(names.contains)
        let outlooks = outlooks(sources, request.priority, request.client.userID)
        let candidates = sources.compactMap { name in
            outlooks[name].map {
                SkipDecision.Candidate(source: name, isNamed: request.named.contains(name), outlook: $0)
            }
        }
        let skips = SkipDecision.skips(
            candidates,
            hasOthers: search.open.walk.end > search.run.position || !search.run.pages.isEmpty,
            mayWait: request.priority == .background
        )
        return LoadingPlan(outlooks: outlooks, skips: skips)
    }

    // MARK: Enough

    /// Whether what is still out is not worth waiting for; else the search is woken when it is not any more.
    private func hasEnough(_ loading: inout Loading, _ search: OngoingSearch) -> Bool {
        guard search.request.mayHaveEnough else { return false }
        let calls = loading.patience.calls
        var walk = search.open.walk
        walk.merge(upTo: search.run.target, without: search.request.names)
        let isFull = walk.end >= search.run.target
        let mayFill = isFull || walk.mayGrow(without: search.run.excluded.union(calls.map(\.need.source)))
        let need: Patience.Need = mayFill ? .none : walk.end > search.run.position ? .rest : .all
        let end = loading.patience.end(at: loop.now, need)
        search.run.waits(for: calls.count, until: end, isFull: isFull, at: loop.now)
        stopTimer(&loading)
        guard let end else { return true }
        loading.timer = loop.schedule(at: end) { [loop, arrivals = loading.arrivals] in
            arrivals.put(PageEventQueue.Arrival(at: loop.now, news: .wake))
        }
        return false
    }

    private func stopTimer(_ loading: inout Loading) {
        if let timer = loading.timer.take() { loop.cancel(timer) }
    }

    /// Waits no longer for the calls that are still out; they go on for the cache.
    private func leaveRest(_ loading: inout Loading, _ search: OngoingSearch, in group: inout TaskGroup<Void>) async {
        for call in loading.patience.calls {
            loader.keepCalling(call.need, for: search.request, by: search.run.deadline)
            search.run.leaves(call, at: loop.now)
        }
        group.cancelAll()
        // Each ends within a turn, and what it brings is too late.
        while loading.isUnderWay {
            if case .outcome(let key, _) = await loading.arrivals.next().news { loading.ended(key, at: loop.now) }
        }
    }
}
