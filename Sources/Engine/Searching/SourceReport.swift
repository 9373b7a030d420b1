package import EventLoop
package import RPC
package import SearchModel

/// The result of one source in one search.
package struct SourceReport: Sendable {
    package var source: SourceName
    package var status: SourceStatus
    /// The kind of the hits; nil for a user's own data, which metrics do not count.
    var kind: Kind?
    /// How the pages were loaded; if in different ways, the most expensive way.
    package var cache: CacheUse?
    package var fetchedAt: Instant?
    package var count = 0
    package var total: Int?
    package var totalIsEstimate = true
    package var reachable: Int?
    package var isEnd = false
    package var isSortedByDaemon = false
    /// How many of the first hits were sorted as one list; each later page is sorted separately.
    package var sorted: Int?
    package var elapsed: Duration = .zero
    package var error: SearchError?
    package var reason: SkipReason?
    package var retryAfter: Duration?

    mutating func becomesUnfinished() {
        (status, reason, error) = (.skipped, .unfinished, nil)
        (total, reachable, isEnd, sorted) = (nil, nil, false, nil)
    }
}
