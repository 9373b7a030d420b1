import Catalogue
import EventLoop
import JSON
import RPC
import SearchModel
import Upstream

/// What one search has seen so far: reports, failures, what its observer has had.
///
/// Pure.
struct SearchRun {
    let request: SearchRequest
    let startedAt: Instant
    /// Where the window begins and ends in the merged list.
    let position: Int
    /// Sources that had given all they have before this search began.
    let ended: Set<SourceName>
    /// Whether what has come fills the window.
    private(set) var isFull = false
    /// Whether that is the answer though sources are still out.
    private(set) var hasEnough = false
    private(set) var failures: [SourceName: SearchError] = [:]
    /// The sources that are left out for now.
    private(set) var skips: [SourceName: Skip] = [:]
    var events: [TraceEvent] = []
    /// Pages that were looked for in the cache at an instant, as long as it is not known whether they were there.
    private var lookedFor: [PageKey: Instant] = [:]
    private var loaded: [SourceName: [LoadedPage]] = [:]
    private var finishedAt: [SourceName: Instant] = [:]
    /// The hits that its observer has had.
    private var reportedHits: Set<String> = []
    /// The sources whose end its observer has had.
    private(set) var reported: Set<SourceName> = []
    private var answeredReported: Int?

    /// `position` is where the window begins, of a search with a filter.
    init(_ request: SearchRequest, ended: Set<SourceName> = [], position: Int? = nil, startedAt: Instant) {
        self.request = request
        self.ended = ended
        self.startedAt = startedAt
        self.position = position ?? request.cursor?.position ?? request.offset
        for source in request.sources { failures[source.name] = source.unavailable }
        planned()
        for source in request.sources {
            guard let refusal = source.queryRules.refusal(of: request.query, by: source.name),
                !request.named.contains(source.name)
            else { continue }
            skipped(source.name, Skip(reason: .tooShort, error: refusal), at: startedAt)
        }
    }

    /// When what has come is the answer.
    var deadline: Instant { startedAt.advanced(by: request.timeout) }
    var target: Int { position + request.limit }
    var excluded: Set<SourceName> { Set(failures.keys).union(skips.keys) }
    /// How many sources are not left out.
    var askedCount: Int { request.sources.count - skips.count }
    /// Every page that came.
    var pages: [CachedPage] { loaded.values.flatMap { $0.map(\.page) } }

    /// The story in the order in which it happened.
    var trace: [TraceEvent] {
        let order = events.indices.sorted { (events[$0].at, $0) < (events[$1].at, $1) }
        return order.map { events[$0] }
    }

    /// A page is looked for, first in the cache.
    mutating func looksFor(_ key: PageKey, at now: Instant) {
        if request.explain { lookedFor[key] = now }
    }

    /// A page that was looked for was not in the cache, as shows when a call begins or ends.
    mutating func missed(_ key: PageKey) {
        guard let then = lookedFor.removeValue(forKey: key) else { return }
        let event = request.maxAge == .zero && !request.isLocal ? "cacheSkipped" : "cacheMiss"
        note(event, of: key.source, at: then) { $0.member(.page, key.request.page) }
    }

    mutating func received(_ page: LoadedPage, at now: Instant) {
        let source = page.page.key.source
        loaded[source, default: []].append(page)
        finishedAt[source] = now
        if let failure = page.failure { noteFailure(source, failure, at: now) }
        guard request.explain else { return }
        let event =
            switch page.use {
            case .hit, .offline: "cacheHit"
            case .stale: "cacheStale"
            case .joined, .miss: "received"
            }
        if event == "received" { missed(page.page.key) } else { lookedFor[page.page.key] = nil }
        note(event, of: source, at: now) { [page = page.page] writer in
            writer.member(.page, page.key.request.page)
            writer.member(.hits, page.entries.count)
            guard event != "received" else { return }
            // In seconds, as ages are everywhere, with one decimal.
            writer.member(.age, (page.fetchedAt.duration(to: now).milliseconds / 100).rounded() / 10)
        }
    }

    private mutating func noteFailure(_ source: SourceName, _ error: SearchError, at now: Instant) {
        note("failed", of: source, at: now) { writer in
            writer.member(.kind, error.kind.rawValue)
            writer.member(.message, error.message)
        }
    }

    mutating func failed(_ source: SourceName, _ error: SearchError, at now: Instant) {
        failures[source] = failures[source] ?? error
        finishedAt[source] = now
        noteFailure(source, error, at: now)
    }

    /// The search decides on waiting for calls that are still out; nil for no longer.
    mutating func waits(for count: Int, until end: Instant?, isFull: Bool, at now: Instant) {
        guard isFull, !self.isFull else { return }
        self.isFull = true
        note("full", at: now) { writer in
            writer.member(.sources, count)
            writer.member(.wait, end.map { now.duration(to: $0) } ?? .zero)
        }
    }

    /// The search waits for a call no longer.
    mutating func leaves(_ call: Patience.Call, at now: Instant) {
        hasEnough = isFull
        let (source, elapsed) = (call.need.source, call.askedAt.duration(to: now))
        missed(call.need.key)
        note("left", of: source, at: now) { writer in
            writer.member(.page, call.need.key.request.page)
            writer.member(.elapsed, elapsed)
            if let usual = call.usual { writer.member(.usual, usual) }
        }
        failures[source] = failures[source] ?? .notWaitedFor(source, after: elapsed, usual: call.usual)
        finishedAt[source] = now
    }

    mutating func skipped(_ source: SourceName, _ skip: Skip, at now: Instant) {
        skips[source] = skip
        note("skipped", of: source, at: now) { writer in
            writer.member(.reason, skip.reason.rawValue)
            if let retryAfter = skip.retryAfter { writer.member(.wait, retryAfter) }
        }
    }

    /// Of these hits those that the observer has not had.
    mutating func unreported(_ hits: some Sequence<HitPosition>) -> [HitPosition] {
        hits.filter { reportedHits.insert($0.entry.id).inserted }
    }

    /// The new reports of sources that failed or were left out before any hit of theirs came along the walk.
    ///
    /// Nothing that comes later changes them; what became of any other source is known at the end only.
    mutating func newFailures(in walk: Walk) -> [SourceReport] {
        guard reported.count < failures.count + skips.count else { return [] }
        return walk.sources.compactMap { source in
            let name = source.profile.name
            guard failures[name] != nil || skips[name] != nil, !source.hasFigures, reported.insert(name).inserted else {
                return nil
            }
            return report(source, in: walk, window: [])
        }
    }

    private var answeredSources: Set<SourceName> { ended.union(failures.keys).union(finishedAt.keys) }

    /// The sources that have neither answered nor failed and are not left out, in the order of the search.
    var outstanding: [SourceName] {
        let done = answeredSources.union(skips.keys)
        return request.sources.map(\.name).filter { !done.contains($0) }
    }

    /// How many sources have answered or failed, when that is news.
    mutating func newAnsweredCount() -> Int? {
        let answered = answeredSources.subtracting(skips.keys).count
        defer { answeredReported = answered }
        return answered == answeredReported ? nil : answered
    }

    /// The error of a search that got nothing: every source that had something left to give has failed.
    func failureOfAll(_ reports: [SourceReport]) -> SearchError? {
        let asked = reports.filter { !ended.contains($0.source) || $0.count > 0 }
        let gaveNothing = asked.allSatisfy { report in
            switch report.status {
            case .failed, .late: true
            case .skipped: skips[report.source] != nil
            case .ok, .partial, .queued, .retrying: false
            }
        }
        guard gaveNothing else { return nil }
        if let failure = asked.first(where: { $0.error != nil })?.error { return failure }
        // That of the one which can be asked first.
        let left = asked.compactMap { skips[$0.source] }
        return left.min { ($0.retryAfter ?? .seconds(Int64.max)) < ($1.retryAfter ?? .seconds(Int64.max)) }?.error
    }

    /// What became of a source, given the walk and the window of the answer.
    func report(_ source: SourceWalk, in walk: Walk, window: ArraySlice<HitPosition>) -> SourceReport {
        let name = source.profile.name
        let own = window.filter { $0.source == name }
        let error = failures[name]
        let hasPart = !own.isEmpty || window.contains { hit in hit.duplicates.contains { $0.source == name } }
        let status = status(of: name, hasHits: hasPart)
        var report = SourceReport(source: name, status: status)
        if status == .skipped {
            report.reason = skips[name]?.reason ?? (request.isUnfinished ? .unfinished : nil)
            report.retryAfter = skips[name]?.retryAfter
        }
        report.error = status == .skipped ? nil : error
        report.count = own.count
        report.total = source.total
        report.totalIsEstimate = source.totalIsEstimate
        report.reachable = source.reachable
        report.isEnd =
            source.isEnd && walk.endedSources.contains(name)
            && !walk.merged[window.endIndex...].contains { $0.source == name }
        report.isSortedByDaemon = !source.profile.makes(walk.sort)
        let pages = own.map(\.page) + (loaded[name] ?? []).map(\.page)
        report.fetchedAt = pages.map(\.fetchedAt).min()
        report.cache = pages.isEmpty ? nil : (loaded[name] ?? []).map(\.use).max() ?? .hit
        report.elapsed = finishedAt[name].map { startedAt.duration(to: $0) } ?? .zero
        if request.typed != nil { report.becomesUnfinished() }
        return report
    }

    private func status(of source: SourceName, hasHits: Bool) -> SourceStatus {
        if skips[source] != nil { return hasHits || loaded[source] != nil ? .ok : .skipped }
        guard let error = failures[source] else { return .ok }
        if request.isLocal, error.kind == .notFound { return hasHits ? .ok : .skipped }
        if hasHits { return .partial }
        return error.kind == .timeout ? .late : .failed
    }
}

extension SearchError {
    /// For a source that had not answered when its search had enough.
    fileprivate static func notWaitedFor(_ source: SourceName, after elapsed: Duration, usual: Duration?) -> SearchError
    {
        let usually = usual.map { ", and usually takes \($0.wholeMilliseconds) ms" } ?? ""
        return SearchError(
            .timeout,
            "\(source) had not answered after \(elapsed.wholeMilliseconds) ms\(usually)",
            source: source,
            retryable: true,
            hint: "Search again in a moment to have its hits, too: its answer will be cached."
        )
    }
}
