import Catalogue
import EventLoop
import JSON
import RPC
import SearchModel
import Upstream

/// One step of a search, recorded if the request has `explain`.
package struct TraceEvent: Sendable {
    let at: Instant
    let source: SourceName?
    package let event: String
    let details: @Sendable (inout JSONWriter) -> Void

    static func write(_ trace: [TraceEvent], since start: Instant, to writer: inout JSONWriter) {
        writer.array { writer in
            for step in trace {
                writer.object { writer in
                    writer.member(.at, start.duration(to: step.at))
                    writer.member(.source, step.source?.text)
                    writer.member(.event, step.event)
                    step.details(&writer)
                }
            }
        }
    }
}

extension OngoingSearch {
    var trace: [TraceEvent] {
        let order = events.indices.sorted { (events[$0].at, $0) < (events[$1].at, $1) }
        return order.map { events[$0] }
    }

    func note(
        _ event: String,
        of source: SourceName? = nil,
        at instant: Instant,
        _ details: @escaping @Sendable (inout JSONWriter) -> Void = { _ in }
    ) {
        guard request.explain else { return }
        events.append(TraceEvent(at: instant, source: source, event: event, details: details))
    }

    func notePlan() {
        guard request.explain else { return }
        note("plan", at: startedAt) { [request, windowStart, target] writer in
            writer.member(.sources, request.sources.count)
            writer.member(.sort, request.sort.rawValue)
            writer.member(.from, windowStart)
            writer.member(.to, target)
            writer.member(.timeout, request.timeout)
            if request.cursor != nil { writer.member(.cursor, "continues") }
        }
        for source in request.sources {
            guard let error = source.unavailable else { continue }
            note("excluded", of: source.name, at: startedAt) { $0.member(.kind, error.kind.rawValue) }
        }
    }

    func noteLookup(of key: PageKey, at now: Instant) {
        if request.explain { lookedFor[key] = now }
    }

    func missed(_ key: PageKey) {
        guard let then = lookedFor.removeValue(forKey: key) else { return }
        let event = request.maxAge == .zero && !request.isLocal ? "cacheSkipped" : "cacheMiss"
        note(event, of: key.source, at: then) { $0.member(.page, key.request.page) }
    }

    func noteReceived(_ loaded: LoadedPage, at now: Instant) {
        guard request.explain else { return }
        let page = loaded.page
        if let failure = loaded.failure { noteFailure(page.key.source, failure, at: now) }
        let isCached = ![.joined, .miss].contains(loaded.use)
        if isCached { lookedFor[page.key] = nil } else { missed(page.key) }
        note(isCached ? loaded.use == .stale ? "cacheStale" : "cacheHit" : "received", of: page.key.source, at: now) {
            $0.member(.page, page.key.request.page)
            $0.member(.hits, page.entries.count)
            if isCached { $0.member(.age, (page.fetchedAt.duration(to: now).milliseconds / 100).rounded() / 10) }
        }
    }

    func noteFailure(_ source: SourceName, _ error: SearchError, at now: Instant) {
        note("failed", of: source, at: now) { writer in
            writer.member(.kind, error.kind.rawValue)
            writer.member(.message, error.message)
        }
    }

    func record(_ event: CallEvent, for key: PageKey, at now: Instant) {
        if case .retrying(_, _, let error?) = event { noteRetry(of: key.source, after: error) }
        guard request.explain else { return }
        missed(key)
        note(event.traceName, of: key.source, at: now) { writer in
            writer.member(.page, key.request.page)
            event.writeDetails(to: &writer)
        }
    }

    func noteAnswer(_ window: ArraySlice<HitPosition>, of walk: Walk, _ filtered: FilteredCount?, at now: Instant) {
        guard request.explain else { return }
        for (offset, (index, hit)) in zip(window.indices, window).enumerated() {
            let ranks = [(hit.source, walk.rank(of: hit))]
            let counting = hit.duplicates.filter(\.counts).map { ($0.source, $0.rank) }
            // These duplicates arrived after the hit was merged.
            let later = hit.duplicates.filter { !$0.counts }.map { ($0.source, $0.rank) }
            let parts = walk.parts(ofMerged: index)
            note("merged", of: hit.source, at: now) { [number = windowStart + offset + 1] writer in
                writer.member(.id, hit.entry.id)
                writer.member(.position, number)
                if let parts { writer.member(parts) }
                writer.member(.ranks, ranks + counting)
                if !later.isEmpty { writer.member(.later, later) }
            }
        }
        if let filtered { note("filtered", at: now) { $0.members(of: filtered) } }
    }

    func explained(_ error: SearchError) -> SearchError {
        guard request.explain else { return error }
        var (explained, writer) = (error, JSONWriter())
        TraceEvent.write(trace, since: startedAt, to: &writer)
        explained.trace = writer.bytes
        return explained
    }
}

extension CallEvent {
    fileprivate var traceName: String {
        switch self {
        case .joined: "joined"
        case .queued: "queued"
        case .sent: "sent"
        case .answered: "answered"
        case .billed: "billed"
        case .retrying: "retrying"
        case .breaker: "breaker"
        }
    }

    fileprivate func writeDetails(to writer: inout JSONWriter) {
        switch self {
        case .joined, .sent, .billed: break
        case .queued(let reason, let wait):
            writer.member(.reason, reason.rawValue)
            writer.member(.wait, wait)
        case .answered(let status, let bytes, let elapsed):
            writer.member(.status, status)
            writer.member(.bytes, bytes)
            writer.member(.elapsed, elapsed)
        case .retrying(let attempt, let wait, _):
            writer.member(.attempt, attempt)
            writer.member(.wait, wait)
        case .breaker(let state): writer.member(.state, state.rawValue)
        }
    }
}

extension JSONWriter {
    mutating func member(_ name: Member, _ duration: Duration) {
        self.name(name)
        milliseconds(duration)
    }

    fileprivate mutating func member(_ parts: ScoreParts) {
        func rounded(_ score: Double) -> Double { (score * 10_000).rounded() / 10_000 }
        name(.score)
        double(rounded(parts.sum))
        name(.parts)
        object { writer in
            for (name, value) in parts.named {
                writer.name(name)
                writer.double(rounded(value))
            }
        }
    }

    fileprivate mutating func member(_ name: Member, _ ranks: [(source: SourceName, rank: Int)]) {
        self.name(name)
        object { writer in
            for (source, rank) in ranks { writer.member(source.text, rank) }
        }
    }
}
