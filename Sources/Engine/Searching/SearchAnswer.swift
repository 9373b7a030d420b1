package import EventLoop
package import RPC
package import SearchModel

/// A search's answer before it is written: where its hits are, and what became of each source.
package struct SearchAnswer: Sendable {
    package var query: SearchQuery
    /// What the hits are of, when the query is unfinished and may become that.
    package var completedQuery: SearchQuery?
    package var sort: Sort
    package var hits: [HitPosition]
    package var sources: [SourceReport]
    package var next: Cursor?
    /// What the filter did; nil without one.
    package var filtered: FilteredCount?
    package var startedAt: Instant
    package var finishedAt: Instant
    /// All that the answer is built from; while none has ended and it is not `validUntil`, it may be given again.
    package var validity: [ValidityToken]
    /// How many pages it is built from.
    package var pageCount = 0
    package var validUntil: Instant
    package var trace: [TraceEvent]?
    /// What the figures count of it, each time it is given.
    package var counted = SearchFigures()

    /// Whether every source that was to be asked is well: one that is left out for now is not missing.
    package var isComplete: Bool {
        sources.allSatisfy {
            $0.status == .ok || ($0.reason != nil && $0.reason != .unfinished && $0.reason != .maxCalls)
        }
    }

    /// Whether it came from the cache alone, so that the next asker may have the very same.
    package var isFromCache: Bool {
        sources.allSatisfy {
            ($0.status == .ok && $0.cache == .hit) || $0.reason == .tooShort || $0.reason == .unfinished
        }
    }
}

/// How searches ended for their sources; exact.
package struct SearchFigures: Equatable, Sendable {
    /// By how the pages were got, one for each source of each answer.
    package private(set) var byCacheUse: [CacheUse: Int] = [:]
    package private(set) var byStatus: [SourceStatus: Int] = [:]
    /// Hits in answers.
    package private(set) var hits: [Kind: Int] = [:]

    mutating func count(_ report: SourceReport, of kind: Kind) {
        if let use = report.cache { byCacheUse[use, default: 0] += 1 }
        byStatus[report.status, default: 0] += 1
        if report.count > 0 { hits[kind, default: 0] += report.count }
    }

    mutating func add(_ other: SearchFigures) {
        byCacheUse.merge(other.byCacheUse) { $0 + $1 }
        byStatus.merge(other.byStatus) { $0 + $1 }
        hits.merge(other.hits) { $0 + $1 }
    }
}
