/// Hits that a search has brought.
package struct BroughtHits: Sendable {
    package struct Hit: Sendable {
        /// As a search answers it, in JSON.
        package let bytes: [UInt8]
        /// When its source sent it, in seconds since 1970.
        package let fetchedAt: Int64

        package init(bytes: [UInt8], fetchedAt: Int64) {
            self.bytes = bytes
            self.fetchedAt = fetchedAt
        }
    }

    package let search: HistorySearch
    package let hits: [Hit]

    package init(_ search: HistorySearch, hits: [Hit]) {
        self.search = search
        self.hits = hits
    }

    package var bytesCount: Int { hits.reduce(0) { $0 + $1.bytes.count } }
}

/// A part of what a user's own data has for some words, the best match first.
package struct OwnHits: Sendable {
    package struct Hit: Sendable {
        package let hit: SavedHit
        /// When its source sent it, in seconds since 1970.
        package let fetchedAt: Int64
    }

    package internal(set) var hits: [Hit] = []
    /// How many there are in all; at least, when there are too many to look at.
    package internal(set) var total = 0
    package internal(set) var isTotalExact = true
}
