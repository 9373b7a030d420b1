import Hangul
import JSON
import SearchModel

/// The order of hits of several sources; the lesser comes first.
///
/// Equal keys go by rank, then by a number that query and hit decide: the names of sources, and the order in which a
/// search names them, count only where even that is the same.
struct MergeOrder: Comparable, Sendable {
    enum Key: Sendable {
        /// The greater comes first.
        case score(Double)
        /// Seconds since 1970; the least for hits without a date, which come last.
        case date(Int64)
        case title(TitleOrder)
    }

    var key: Key
    /// The rank in the source's own list, from 1.
    let rank: Int
    /// Zero for hits that have not come yet, so that their page comes before their equals are given.
    let tie: UInt64
    /// The index of the source among those of the search.
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

    /// A number for a hit that nothing but the query and the source's own key decides.
    ///
    /// - Complexity: O(n) in the id.
    static func tie(of id: String, seed: UInt64) -> UInt64 {
        let key = id.utf8.firstIndex(of: UInt8(ascii: ":")).map { id[$0...] } ?? ""
        // Zero is for hits that have not come.
        return max(1, StableHash.hash(key.utf8.span, seed: seed))
    }

    static func seed(of query: SearchQuery) -> UInt64 {
        StableHash.hash(query.text.utf8.span)
    }
}
