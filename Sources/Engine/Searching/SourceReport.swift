package import EventLoop
package import SearchModel

/// What became of one source in one search.
package struct SourceReport: Sendable {
    package enum Status: String, CaseIterable, Sendable {
        case ok
        /// Some of its pages came, then it failed.
        case partial
        case failed
        /// It had not answered at the deadline.
        case late
        /// It was not asked.
        case skipped
    }

    /// How its pages were got; of several pages the costliest way counts.
    package enum CacheUse: String, CaseIterable, Comparable, Sendable {
        case offline
        case hit
        case stale
        case joined
        case miss

        private var cost: Int {
            switch self {
            case .offline: 0
            case .hit: 1
            case .stale: 2
            case .joined: 3
            case .miss: 4
            }
        }

        package static func < (left: CacheUse, right: CacheUse) -> Bool { left.cost < right.cost }
    }

    package var source: SourceName
    package var status: Status
    package var cache: CacheUse?
    /// When the oldest of its pages was fetched.
    package var fetchedAt: Instant?
    package var count = 0
    package var total: Int?
    package var totalIsEstimate = true
    package var reachable: Int?
    package var isEnd = false
    package var isSortedByDaemon = false
    package var elapsed: Duration = .zero
    package var error: SearchError?

    package init(source: SourceName, status: Status) {
        self.source = source
        self.status = status
    }
}
