package import EventLoop
package import RPC
package import SearchModel

/// The result of one source in one search.
package struct SourceReport: Sendable {
    package var source: SourceName
    package var status: SourceStatus
    /// The kind of its hits; nil for a user's own data, which is not counted in metrics.
    var kind: Kind?
    /// How its pages were loaded; with several pages, the costliest way.
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
    /// Why it is skipped.
    package var reason: SkipReason?
    /// When a skipped source can be asked, if known.
    package var retryAfter: Duration?

    /// Changes it to the report of an unfinished query, for which the source was not asked.
    mutating func becomesUnfinished() {
        (status, reason, error) = (.skipped, .unfinished, nil)
        (total, reachable, isEnd, sorted) = (nil, nil, false, nil)
    }
}
