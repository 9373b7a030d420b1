package import EventLoop
package import RPC
package import SearchModel

/// The answer to a search before serialization.
package struct SearchAnswer: Sendable {
    package var query: SearchQuery
    /// The query of the hits, if it is a completion of the unfinished query.
    package var completedQuery: SearchQuery?
    package var sort: Sort
    package var hits: [HitPosition]
    package var sources: [SourceReport]
    package var next: Cursor?
    /// The counts of the filter, if there is a filter.
    package var filtered: FilteredCount?
    package var startedAt: Instant
    /// The answer may be reused until `validUntil`, unless one of these has ended.
    package var validity: [ValidityToken]
    package var pageCount = 0
    package var validUntil: Instant
    package var trace: [TraceEvent]?

    /// Whether no source has failed; skipped sources don't count.
    package var isComplete: Bool {
        sources.allSatisfy {
            $0.status == .ok || ($0.reason != nil && $0.reason != .unfinished && $0.reason != .maxCalls)
        }
    }

    /// Whether it came from the cache alone, so the next caller can reuse it.
    package var isFromCache: Bool {
        sources.allSatisfy {
            ($0.status == .ok && $0.cache == .hit) || $0.reason == .tooShort || $0.reason == .unfinished
        }
    }
}

/// The results of searches for their sources.
package struct SearchFigures: Equatable, Sendable {
    /// By the way the pages were loaded: one count for each source of each answer.
    package private(set) var byCacheUse: [CacheUse: Int] = [:]
    package private(set) var byStatus: [SourceStatus: Int] = [:]

    mutating func count(_ reports: [SourceReport]) {
        for report in reports {
            guard report.kind != nil else { continue }
            if let use = report.cache { byCacheUse[use, default: 0] += 1 }
            byStatus[report.status, default: 0] += 1
        }
    }
}
