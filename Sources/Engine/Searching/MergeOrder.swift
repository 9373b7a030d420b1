import Hangul
import SearchModel

/// Where a hit stands among those of several sources; the lesser comes first.
///
/// Equal keys go by the order in which the search names the sources, then by the source's own.
struct MergeOrder: Comparable, Sendable {
    enum Key: Sendable {
        /// Reciprocal ranks, added up.
        case score(Double)
        /// Seconds since 1970; the least for hits without a date, which come last.
        case date(Int64)
        case title(TitleOrder)
    }

    /// What is added to a rank before its reciprocal is taken, so that the first few ranks don't decide everything.
    static let rankOffset = 60

    var key: Key
    /// The index of the source among those of the search.
    let source: Int
    /// The rank in the source's own list, from 1.
    let rank: Int

    /// What a rank in the list of a source of this weight adds to a hit's score.
    static func share(ofRank rank: Int, weight: Double) -> Double {
        weight / Double(rankOffset + rank)
    }

    static func < (left: MergeOrder, right: MergeOrder) -> Bool {
        switch (left.key, right.key) {
        case (.score(let one), .score(let other)) where one != other: one > other
        case (.date(let one), .date(let other)) where one != other: one > other
        case (.title(let one), .title(let other)) where one != other: one < other
        default: (left.source, left.rank) < (right.source, right.rank)
        }
    }

    static func == (left: MergeOrder, right: MergeOrder) -> Bool {
        !(left < right) && !(right < left)
    }
}
