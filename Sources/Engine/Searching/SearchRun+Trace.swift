import Catalogue
import EventLoop
import JSON
import SearchModel

/// The story of a search, for a caller who wants it explained.
extension SearchRun {
    mutating func planned() {
        guard request.explain else { return }
        var details: [(String, TraceEvent.Detail)] = [
            ("sources", .number(request.sources.count)), ("sort", .text(request.sort.rawValue)),
            ("from", .number(position)), ("to", .number(target)), ("timeout", .time(request.timeout)),
        ]
        if request.cursor != nil { details.append(("cursor", .text("goes on"))) }
        note(TraceEvent(at: startedAt, "plan", details))
        for source in request.sources {
            guard let error = source.unavailable else { continue }
            note(TraceEvent(at: startedAt, source: source.name, "excluded", [("kind", .text(error.kind.rawValue))]))
        }
    }

    /// What happens to an upstream call that the search waits for.
    mutating func happened(_ event: CallEvent, to key: PageKey, at now: Instant) {
        guard request.explain, let (name, details) = Self.words(for: event) else { return }
        missed(key)
        note(TraceEvent(at: now, source: key.source, name, [("page", .number(key.request.page))] + details))
    }

    private static func words(for event: CallEvent) -> (String, [(String, TraceEvent.Detail)])? {
        switch event {
        case .admitted: nil
        case .joined: ("joined", [])
        case .queued(let reason, let wait): ("queued", [("reason", .text(reason.rawValue)), ("wait", .time(wait))])
        case .sent: ("sent", [])
        case .answered(let status, let bytes, let elapsed):
            ("answered", [("status", .number(status)), ("bytes", .number(bytes)), ("elapsed", .time(elapsed))])
        case .retrying(let attempt, let wait):
            ("retrying", [("attempt", .number(attempt)), ("wait", .time(wait))])
        case .breaker(let state): ("breaker", [("state", .text(state.rawValue))])
        }
    }

    /// An error with the story of how it came to it.
    func explained(_ error: SearchError) -> SearchError {
        guard request.explain else { return error }
        var (explained, writer) = (error, JSONWriter())
        TraceText.write(trace, since: startedAt, to: &writer)
        explained.trace = writer.bytes
        return explained
    }

    /// The places of the answer's hits, and what made them.
    mutating func merged(_ window: ArraySlice<HitPosition>, of walk: Walk, at now: Instant) {
        guard request.explain else { return }
        for (offset, hit) in window.enumerated() {
            let ranks = walk.ranks(of: hit)
            var details: [(String, TraceEvent.Detail)] = [
                ("id", .text(hit.entry.id)), ("position", .number(position + offset + 1)),
            ]
            if walk.sort == .relevance { details.append(("score", .decimal(walk.score(of: hit)))) }
            details.append(("ranks", .ranks(ranks.counting)))
            // Found on pages that came when the hit had its place already.
            if !ranks.late.isEmpty { details.append(("later", .ranks(ranks.late))) }
            note(TraceEvent(at: now, source: hit.source, "merged", details))
        }
    }
}

extension Walk {
    /// The places of a hit in the lists of its sources: those that made its place, and those found later.
    fileprivate func ranks(
        of hit: HitPosition
    ) -> (counting: [(source: SourceName, rank: Int)], late: [(source: SourceName, rank: Int)]) {
        let own = [(source: hit.source, rank: rank(of: hit))]
        return (
            own + hit.duplicates.filter(\.counts).map { ($0.source, $0.rank) },
            hit.duplicates.filter { !$0.counts }.map { ($0.source, $0.rank) }
        )
    }

    fileprivate func score(of hit: HitPosition) -> Double {
        ranks(of: hit).counting.reduce(0) { score, place in
            score + MergeOrder.share(ofRank: place.rank, weight: source(place.source)?.profile.weight ?? 1)
        }
    }

    private func rank(of hit: HitPosition) -> Int {
        hit.page.key.request.page * (source(hit.source)?.profile.pageSize ?? 0) + hit.index + 1
    }
}
