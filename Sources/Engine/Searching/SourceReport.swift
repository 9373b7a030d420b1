package import EventLoop
package import RPC
package import SearchModel

/// The result of one source in one search.
package struct SourceReport: Sendable {
    package var source: SourceName
    package var status: SourceStatus
    /// The kind of its hits; nil for a user's own data, which is not counted in metrics.
    var kind: Kind?
    /// How its pages were loaded; if they were loaded in different ways, the most expensive one.
    package var cache: CacheUse?
    /// When the oldest of its pages was fetched.
    package var fetchedAt: Instant?
    package var count = 0
    package var total: Int?
    package var totalIsEstimate = true
    package var reachable: Int?
    package var isEnd = false
    package var isSortedByDaemon = false
    /// How many of its first hits were sorted as one list.
    ///
    /// Each later page is sorted separately.
    package var sorted: Int?
    package var elapsed: Duration = .zero
    package var error: SearchError?
    /// Why the source was skipped.
    package var reason: SkipReason?
    /// The time until a skipped source can be called, if known.
    package var retryAfter: Duration?

    /// Changes the report to that of a source that was not called because the query is unfinished.
    mutating func becomesUnfinished() {
        (status, reason, error) = (.skipped, .unfinished, nil)
        (total, reachable, isEnd, sorted) = (nil, nil, false, nil)
    }
}
