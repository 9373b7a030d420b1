package import SearchModel
import Upstream

/// A hit, as a reference to its page; merging moves references instead of text.
package struct HitPosition: Sendable {
    /// The same item at another source.
    package struct Duplicate: Hashable, Sendable {
        package let source: SourceName
        /// The id of that source's own hit.
        package let id: String
        /// The index of the source among those of the search.
        let sourceIndex: Int
        /// The rank in that source's own list, from 1.
        package let rank: Int
        /// Whether the duplicate arrived early enough to improve the hit's score.
        package let counts: Bool
    }

    package let page: CachedPage
    package let index: Int
    /// The same item at other sources, at most one hit per source, in the order of the search's sources.
    package internal(set) var duplicates: [Duplicate] = []

    package var entry: CachedPage.Entry { page.entries[index] }
    package var source: SourceName { page.key.source }
    /// Whether the hit is from the user's own data; its id then names its original source.
    private var isOwn: Bool { source == .library || source == .seen }
    /// Whether other sources have the same item.
    var hasOthers: Bool { !duplicates.isEmpty || isOwn }
    /// The other sources that have the same item.
    package var alsoFrom: [SourceName] {
        guard isOwn else { return duplicates.map(\.source) }
        // The id begins with the name of the original source.
        let id = entry.id.utf8
        return [source] + duplicates.map(\.source).filter { !id.starts(with: "\($0.text):".utf8) }
    }
}
