import Catalogue
import EventLoop
import JSON
import RPC
import SearchModel
import Upstream

/// A search in progress; `@unchecked` is safe because only the federation uses the members, on its loop.
package final class OngoingSearch: @unchecked Sendable {
    private struct SourceState {
        var hadEnded = false
        var failure: SearchError?
        /// The error of a call that is being repeated.
        var retried: SearchError?
        var skip: Skip?
        var pages: [LoadedPage] = []
        var finishedAt: Instant?
        var isReported = false

        var isAnswered: Bool { hadEnded || failure != nil || finishedAt != nil }
    }

    let request: SearchRequest
    let open: OpenWalk
    let startedAt: Instant
    /// The position of the answer's first hit in the merged list.
    let windowStart: Int
    /// Pages from memory that are not counted as used yet.
    var cached: [(need: PageNeed, page: LoadedPage)] = []
    var isComplete = false
    /// Whether the search stopped waiting because it had all requested hits.
    private(set) var hasEnough = false
    private var isFull = false
    private var states: [SourceState]
    private var reportedHits: Set<String> = []
    private var answeredReported: Int?
    var events: [TraceEvent] = []
    /// When each page was looked up in the cache; removed when the result is known.
    var lookedFor: [PageKey: Instant] = [:]

    init(_ request: SearchRequest, _ open: OpenWalk, startedAt: Instant) {
        (self.request, self.open, self.startedAt) = (request, open, startedAt)
        windowStart = open.walk.start(of: request)
        states = request.sources.indices.map { index in
            SourceState(hadEnded: open.walk.hasEnded(index), failure: request.sources[index].unavailable)
        }
        notePlan()
        for (index, source) in request.sources.enumerated() {
            guard let refusal = source.queryRules.refusal(of: request.query, by: source.name),
                !request.named.contains(source.name)
            else { continue }
            skipped(index, Skip(reason: .tooShort, error: refusal), at: startedAt)
        }
    }

    var deadline: Instant { startedAt.advanced(by: request.timeout) }
    var target: Int { windowStart + request.limit }
    var pages: [CachedPage] { states.flatMap { $0.pages.map(\.page) } }
    var hasFailures: Bool { states.contains { $0.failure != nil } }

    var excluded: Set<SourceName> {
        var excluded: Set<SourceName> = []
        for (state, source) in zip(states, request.sources) where state.failure != nil || state.skip != nil {
            excluded.insert(source.name)
        }
        return excluded
    }

    private func index(of source: SourceName) -> Int {
        guard let index = request.sources.firstIndex(where: { $0.name == source }) else {
            preconditionFailure("a page of a source that was not asked")
        }
        return index
    }

    func note(_ outcome: PageOutcome, of need: PageNeed, at now: Instant) {
        let (key, index) = (need.key, index(of: need.source))
        switch outcome {
        case .loaded(let page): received(page, at: now)
        case .failed(let error) where need.isFurther && error.kind == .quotaExhausted: refused(need)
        case .skipped where need.isFurther: refused(need)
        case .failed(let error):
            missed(key)
            failed(index, error, at: now)
            noteFailure(key.source, error, at: now)
        case .skipped(let skip):
            missed(key)
            skipped(index, skip, at: now)
        }
    }

    func received(_ page: LoadedPage, at now: Instant) {
        let index = index(of: page.page.key.source)
        states[index].pages.append(page)
        states[index].finishedAt = now
        noteReceived(page, at: now)
        // With `offline`, cached pages of any age are used.
        open.walk.received(page.page, of: index, isLastResort: page.failure != nil || page.use == .offline)
    }

    /// Sorts the list without a page whose call was refused; the page contains no requested hits.
    private func refused(_ further: PageNeed) {
        missed(further.key)
        open.walk.sortWithout(further.key.request.page, of: index(of: further.source))
    }

    private func failed(_ index: Int, _ error: SearchError, at now: Instant) {
        // The error of a failed attempt says more than the timeout of its repetition.
        let cause = error.kind == .timeout ? states[index].retried ?? error : error
        if states[index].failure == nil { states[index].failure = cause }
        states[index].finishedAt = now
    }

    func noteRetry(of source: SourceName, after error: SearchError) { states[index(of: source)].retried = error }

    private func skipped(_ index: Int, _ skip: Skip, at now: Instant) {
        states[index].skip = skip
        note("skipped", of: request.sources[index].name, at: now) { writer in
            writer.member(.reason, skip.reason.rawValue)
            if let retryAfter = skip.retryAfter { writer.member(.wait, retryAfter) }
        }
    }

    func noteFull(calls count: Int, until end: Instant?, at now: Instant) {
        guard !isFull else { return }
        isFull = true
        note("full", at: now) { writer in
            writer.member(.sources, count)
            writer.member(.wait, end.map { now.duration(to: $0) } ?? .zero)
        }
    }

    func stopWaiting(for call: WaitPolicy.Call, at now: Instant) {
        hasEnough = isFull
        let elapsed = call.askedAt.duration(to: now)
        missed(call.need.key)
        note("left", of: call.need.source, at: now) { writer in
            writer.member(.page, call.need.key.request.page)
            writer.member(.elapsed, elapsed)
            if let usual = call.usual { writer.member(.usual, usual) }
        }
        failed(index(of: call.need.source), .notWaitedFor(call.need.source, after: elapsed, usual: call.usual), at: now)
    }

    func unreported(_ hits: some Sequence<HitPosition>) -> [HitPosition] {
        hits.filter { reportedHits.insert($0.entry.id).inserted }
    }

    func newFailures() -> [SourceReport] {
        states.indices.filter { index in
            let state = states[index]
            return (state.failure != nil || state.skip != nil) && !state.isReported
                && !open.walk.sources[index].hasFigures
        }.map { index in
            states[index].isReported = true
            return report(index, window: [])
        }
    }

    func unreported(_ reports: [SourceReport]) -> [SourceReport] {
        zip(states, reports).filter { !$0.0.isReported }.map(\.1)
    }

    var askedCount: Int { states.count { $0.skip == nil } }

    var outstanding: [SourceName] {
        zip(states, request.sources).filter { !$0.0.isAnswered && $0.0.skip == nil }.map(\.1.name)
    }

    func newAnsweredCount() -> Int? {
        let answered = states.count { $0.isAnswered && $0.skip == nil }
        defer { answeredReported = answered }
        return answered == answeredReported ? nil : answered
    }

    /// Returns an error if every source that had more hits has failed or was skipped.
    func failureOfAll(_ reports: [SourceReport]) -> SearchError? {
        let asked = zip(states, reports).filter { !$0.0.hadEnded || $0.1.count > 0 }
        let gaveNothing = asked.allSatisfy { state, report in
            switch report.status {
            case .failed, .late: true
            case .skipped: state.skip != nil
            case .ok, .partial, .queued, .retrying: false
            }
        }
        guard gaveNothing else { return nil }
        if let failure = asked.first(where: { $0.1.error != nil })?.1.error { return failure }
        return asked.compactMap(\.0.skip).min {
            ($0.retryAfter ?? .seconds(Int64.max)) < ($1.retryAfter ?? .seconds(Int64.max))
        }?.error
    }

    func report(_ index: Int, window: ArraySlice<HitPosition>) -> SourceReport {
        let (state, source) = (states[index], open.walk.sources[index])
        let name = source.profile.name
        var (count, hasPart, fetchedAt) = (0, false, state.pages.map(\.page.fetchedAt).min())
        for hit in window {
            if hit.source == name {
                count += 1
                fetchedAt = min(fetchedAt ?? hit.page.fetchedAt, hit.page.fetchedAt)
            } else if hit.duplicates.contains(where: { $0.sourceIndex == index }) {
                hasPart = true
            }
        }
        let status = status(of: state, hasHits: count > 0 || hasPart)
        var report = SourceReport(source: name, status: status)
        // Without a kind, metrics do not count the report, so they do not show the use of own data.
        report.kind = source.profile.own == nil ? source.profile.kind : nil
        if status == .skipped {
            report.reason = state.skip?.reason ?? (request.isUnfinished ? .unfinished : nil)
            report.retryAfter = state.skip?.retryAfter
        } else {
            report.error = state.failure
        }
        (report.count, report.fetchedAt) = (count, fetchedAt)
        (report.total, report.totalIsEstimate) = (source.total, source.totalIsEstimate)
        report.reachable = source.reachable
        report.isEnd =
            open.walk.hasEnded(index) && !open.walk.merged[window.endIndex...].contains { $0.source == name }
        report.isSortedByDaemon = !source.profile.makes(open.walk.sort)
        report.sorted = report.isSortedByDaemon ? source.sortedCount : nil
        report.cache = fetchedAt == nil ? nil : state.pages.map(\.use).max() ?? .hit
        report.elapsed = state.finishedAt.map { startedAt.duration(to: $0) } ?? .zero
        if request.typed != nil { report.becomesUnfinished() }
        return report
    }

    private func status(of state: SourceState, hasHits: Bool) -> SourceStatus {
        if state.skip != nil { return hasHits || !state.pages.isEmpty ? .ok : .skipped }
        guard let error = state.failure else { return .ok }
        if request.isLocal, error.kind == .notFound { return hasHits ? .ok : .skipped }
        if hasHits { return .partial }
        return error.kind == .timeout ? .late : .failed
    }
}

extension SearchError {
    fileprivate static func notWaitedFor(_ source: SourceName, after elapsed: Duration, usual: Duration?) -> SearchError
    {
        let usually = usual.map { ", and usually takes \($0.wholeMilliseconds) ms" } ?? ""
        return SearchError(
            .timeout,
            "\(source) had not answered after \(elapsed.wholeMilliseconds) ms\(usually)",
            source: source,
            retryable: true,
            hint: "Search again in a moment to include its hits. Its answer will be cached."
        )
    }
}
