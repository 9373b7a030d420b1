import Catalogue
import EventLoop
import JSON
import RPC
import SearchModel
import Upstream

/// The story of a search, for a caller who wants it explained.
extension SearchRun {
    mutating func note(
        _ event: String,
        of source: SourceName? = nil,
        at instant: Instant,
        _ details: @escaping @Sendable (inout JSONWriter) -> Void = { _ in }
    ) {
        guard request.explain else { return }
        events.append(TraceEvent(at: instant, source: source, event: event, details: details))
    }

    mutating func planned() {
        note("plan", at: startedAt) { [request, position, target] writer in
            writer.member(.sources, request.sources.count)
            writer.member(.sort, request.sort.rawValue)
            writer.member(.from, position)
            writer.member(.to, target)
            writer.member(.timeout, request.timeout)
            if request.cursor != nil { writer.member(.cursor, "goes on") }
        }
        for source in request.sources {
            guard let error = source.unavailable else { continue }
            note("excluded", of: source.name, at: startedAt) { $0.member(.kind, error.kind.rawValue) }
        }
    }

    /// What happens to an upstream call that the search waits for.
    mutating func happened(_ event: CallEvent, to key: PageKey, at now: Instant) {
        guard request.explain, let name = event.storyName else { return }
        missed(key)
        note(name, of: key.source, at: now) { writer in
            writer.member(.page, key.request.page)
            event.writeDetails(to: &writer)
        }
    }

    /// An error with the story of how it came to it.
    func explained(_ error: SearchError) -> SearchError {
        guard request.explain else { return error }
        var (explained, writer) = (error, JSONWriter())
        TraceEvent.write(trace, since: startedAt, to: &writer)
        explained.trace = writer.bytes
        return explained
    }

    /// What the filter has looked at and kept.
    mutating func filtered(_ count: FilteredCount?, at now: Instant) {
        guard let count else { return }
        note("filtered", at: now) { $0.members(of: count) }
    }

    /// The positions of the answer's hits, and what made them.
    mutating func merged(_ window: ArraySlice<HitPosition>, of walk: Walk, at now: Instant) {
        guard request.explain else { return }
        for (offset, (index, hit)) in zip(window.indices, window).enumerated() {
            let ranks = walk.ranks(of: hit)
            let parts = walk.parts(ofMerged: index)
            note("merged", of: hit.source, at: now) { [number = position + offset + 1] writer in
                writer.member(.id, hit.entry.id)
                writer.member(.position, number)
                if let parts { writer.member(parts) }
                writer.member(.ranks, ranks.counting)
                // Found on pages that came when the hit had its position already.
                if !ranks.late.isEmpty { writer.member(.later, ranks.late) }
            }
        }
    }
}

extension CallEvent {
    /// What the step is called in a story; nil for one that is of no interest there.
    fileprivate var storyName: String? {
        switch self {
        case .joined: "joined"
        case .queued: "queued"
        case .sent: "sent"
        case .answered: "answered"
        case .retrying: "retrying"
        case .breaker: "breaker"
        }
    }

    fileprivate func writeDetails(to writer: inout JSONWriter) {
        switch self {
        case .joined, .sent: break
        case .queued(let reason, let wait):
            writer.member(.reason, reason.rawValue)
            writer.member(.wait, wait)
        case .answered(let status, let bytes, let elapsed):
            writer.member(.status, status)
            writer.member(.bytes, bytes)
            writer.member(.elapsed, elapsed)
        case .retrying(let attempt, let wait):
            writer.member(.attempt, attempt)
            writer.member(.wait, wait)
        case .breaker(let state): writer.member(.state, state.rawValue)
        }
    }
}

extension JSONWriter {
    /// A score, and what it is made of.
    fileprivate mutating func member(_ parts: ScoreParts) {
        name(.score)
        double(Self.rounded(parts.sum))
        name(.parts)
        object { writer in
            for (name, value) in parts.named {
                writer.name(name)
                writer.double(Self.rounded(value))
            }
        }
    }

    /// To four decimals, which is more than any difference that matters.
    private static func rounded(_ score: Double) -> Double {
        (score * 10_000).rounded() / 10_000
    }

    /// Ranks in the lists of sources.
    fileprivate mutating func member(_ name: Member, _ ranks: [(source: SourceName, rank: Int)]) {
        self.name(name)
        object { writer in
            for (source, rank) in ranks { writer.member(source.text, rank) }
        }
    }
}

extension Walk {
    /// The ranks of a hit in the lists of its sources: those that made its position, and those found later.
    fileprivate func ranks(
        of hit: HitPosition
    ) -> (counting: [(source: SourceName, rank: Int)], late: [(source: SourceName, rank: Int)]) {
        let own = [(source: hit.source, rank: rank(of: hit))]
        return (
            own + hit.duplicates.filter(\.counts).map { ($0.source, $0.rank) },
            hit.duplicates.filter { !$0.counts }.map { ($0.source, $0.rank) }
        )
    }
}
