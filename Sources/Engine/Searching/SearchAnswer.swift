package import EventLoop
package import RPC
package import SearchModel

/// The answer to a search before serialization.
package struct SearchAnswer: Sendable {
    package var query: SearchQuery
    /// The query that found the hits, if it completes an unfinished query.
    package var completedQuery: SearchQuery?
    package var sort: Sort
    package var hits: [HitPosition]
    package var sources: [SourceReport]
    package var next: Cursor?
    package var filtered: FilteredCount?
    package var startedAt: Instant
    /// The answer may be reused until `validUntil`, unless one of these tokens has ended.
    package var validity: [ValidityToken]
    package var pageCount = 0
    package var validUntil: Instant
    package var trace: [TraceEvent]?

    /// Whether each source succeeded, or was skipped for a reason other than `unfinished` and `maxCalls`.
    package var isComplete: Bool {
        sources.allSatisfy {
            $0.status == .ok || ($0.reason != nil && $0.reason != .unfinished && $0.reason != .maxCalls)
        }
    }

    /// Whether all hits are on fresh cached pages; only then later requests can reuse the answer.
    package var isFromCache: Bool {
        sources.allSatisfy {
            ($0.status == .ok && $0.cache == .hit) || $0.reason == .tooShort || $0.reason == .unfinished
        }
    }
}

package struct SearchCounts: Equatable, Sendable {
    /// The number of sources by how their pages were obtained, such as from the cache.
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
