package import EventLoop
package import RPC
package import SearchModel

/// The answer to a search before it is written.
package struct SearchAnswer: Sendable {
    package var query: SearchQuery
    /// The query of the hits, when the query is unfinished and may become that.
    package var completedQuery: SearchQuery?
    package var sort: Sort
    package var hits: [HitPosition]
    package var sources: [SourceReport]
    package var next: Cursor?
    /// The counts of the filter, if there is a filter.
    package var filtered: FilteredCount?
    package var startedAt: Instant
    /// The answer may be given again until `validUntil`, unless one of these has ended.
    package var validity: [ValidityToken]
    package var pageCount = 0
    package var validUntil: Instant
    package var trace: [TraceEvent]?

    /// Whether no source has failed; a source that is left out for now is not missing.
    package var isComplete: Bool {
        sources.allSatisfy {
            $0.status == .ok || ($0.reason != nil && $0.reason != .unfinished && $0.reason != .maxCalls)
        }
    }

    /// Whether it came from the cache alone, so it is also the answer to the next caller.
    package var isFromCache: Bool {
        sources.allSatisfy {
            ($0.status == .ok && $0.cache == .hit) || $0.reason == .tooShort || $0.reason == .unfinished
        }
    }
}

/// How searches ended for their sources.
package struct SearchFigures: Equatable, Sendable {
    /// By how the pages were got, one for each source of each answer.
    package private(set) var byCacheUse: [CacheUse: Int] = [:]
    package private(set) var byStatus: [SourceStatus: Int] = [:]
    /// Hits in answers.
    package private(set) var hits: [Kind: Int] = [:]

    mutating func count(_ reports: [SourceReport]) {
        for report in reports {
            guard let kind = report.kind else { continue }
            if let use = report.cache { byCacheUse[use, default: 0] += 1 }
            byStatus[report.status, default: 0] += 1
            if report.count > 0 { hits[kind, default: 0] += report.count }
        }
    }
}
