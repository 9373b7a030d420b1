package import EventLoop
import JSON
package import RPC
package import SearchModel
import Upstream

/// The answer to a search before serialization.
package struct SearchAnswer: Sendable {
    package var query: SearchQuery
    /// The completed query that found the hits, if `query` is unfinished.
    package var completedQuery: SearchQuery?
    package var sort: Sort
    package var hits: [HitPosition]
    package var sources: [SourceReport]
    package var next: Cursor?
    package var filtered: FilteredCount?
    package var startedAt: Instant
    /// The answer may be reused until `validUntil`, or until one of these tokens ends.
    package var validity: [ValidityToken]
    package var pageCount = 0
    package var validUntil: Instant
    package var trace: [TraceEvent]?

    package var isComplete: Bool {
        sources.allSatisfy {
            $0.status == .ok || ($0.reason != nil && $0.reason != .unfinished && $0.reason != .maxCalls)
        }
    }

    /// Whether all hits are on fresh cached pages, so that later requests can reuse the answer.
    package var isFromCache: Bool {
        sources.allSatisfy {
            ($0.status == .ok && $0.cache == .hit) || $0.reason == .tooShort || $0.reason == .unfinished
        }
    }
}

package struct SearchCounts: Equatable, Sendable {
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

package struct SourceReport: Sendable {
    package var source: SourceName
    package var status: SourceStatus
    var kind: Kind?
    /// How the pages were loaded; if they were loaded in several ways, the most expensive way.
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

/// A hit on a cached page, with its duplicates from other sources.
package struct HitPosition: Sendable {
    package struct Duplicate: Hashable, Sendable {
        package let source: SourceName
        package let id: String
        let sourceIndex: Int
        package let rank: Int
        /// Whether the duplicate arrived early enough to improve the hit's score.
        package let counts: Bool
    }

    package let page: CachedPage
    package let index: Int
    package internal(set) var duplicates: [Duplicate] = []

    package var entry: CachedPage.Entry { page.entries[index] }
    package var source: SourceName { page.key.source }
    private var isOwn: Bool { source == .library || source == .seen }
    var hasOthers: Bool { !duplicates.isEmpty || isOwn }
    package var alsoFrom: [SourceName] {
        guard isOwn else { return duplicates.map(\.source) }
        let id = entry.id.utf8
        return [source] + duplicates.map(\.source).filter { !id.starts(with: "\($0.text):".utf8) }
    }
}

/// A position in the merged list of a search; opaque to clients.
package struct Cursor: Hashable, Sendable {
    /// The random id of the merged list; clients cannot guess other ids.
    package let walk: UInt64
    /// How many hits the client has received; with a filter, how many hits were checked.
    package let position: Int
    private static let positionEnd = 1 << 40

    package init(walk: UInt64, position: Int) {
        self.walk = walk
        self.position = position
    }

    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count < 64, parts.count == 2, let walk = UInt64(parts[0], radix: 16),
            let position = Int(parts[1], radix: 16), (0..<Self.positionEnd).contains(position)
        else { return nil }
        self.init(walk: walk, position: position)
        guard self.text.hasSameBytes(as: text) else { return nil }
    }

    package var text: String {
        let digits = String(walk, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits + "-" + String(position, radix: 16)
    }
}
