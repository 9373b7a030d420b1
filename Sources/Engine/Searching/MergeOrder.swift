import Hangul
import JSON
import SearchModel

/// The sort key of a hit in a merged list; lower values come first.
///
/// Equal keys are ordered by rank, then by a hash of query and hit, then by the order of the sources.
struct MergeOrder: Comparable, Sendable {
    enum Key: Sendable {
        case score(Double)
        /// Seconds since 1970; hits without a date have the minimum and come last.
        case date(Int64)
        case title(TitleOrder)
    }

    var key: Key
    /// The rank in the source's own list; the first rank is 1.
    let rank: Int
    /// Zero for a hit that has not arrived; then its page is loaded before hits with an equal key are merged.
    let tie: UInt64
    let source: Int

    static func < (left: MergeOrder, right: MergeOrder) -> Bool {
        switch (left.key, right.key) {
        case (.score(let one), .score(let other)) where one != other: one > other
        case (.date(let one), .date(let other)) where one != other: one > other
        case (.title(let one), .title(let other)) where one != other: one < other
        default: (left.rank, left.tie, left.source) < (right.rank, right.tie, right.source)
        }
    }

    static func == (left: MergeOrder, right: MergeOrder) -> Bool {
        !(left < right) && !(right < left)
    }

    /// Returns a hash of the query and of the part of the id after the source's name.
    static func tie(of id: String, seed: UInt64) -> UInt64 {
        let key = id.utf8.firstIndex(of: UInt8(ascii: ":")).map { id[$0...] } ?? ""
        // Zero is reserved for hits that have not arrived.
        return max(1, StableHash.hash(key.utf8.span, seed: seed))
    }

    static func seed(of query: SearchQuery) -> UInt64 {
        StableHash.hash(query.text.utf8.span)
    }
}
