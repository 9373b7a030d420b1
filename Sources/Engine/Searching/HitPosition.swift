package import SearchModel
import Upstream

/// A reference to a hit in its page.
package struct HitPosition: Sendable {
    /// A hit of another source for the same item.
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
    /// The hits of other sources for the same item, at most one per source, in the order of the search's sources.
    package internal(set) var duplicates: [Duplicate] = []

    package var entry: CachedPage.Entry { page.entries[index] }
    package var source: SourceName { page.key.source }
    /// Whether the hit is a saved or earlier hit of the user; its id begins with the name of its original source.
    private var isOwn: Bool { source == .library || source == .seen }
    var hasOthers: Bool { !duplicates.isEmpty || isOwn }
    package var alsoFrom: [SourceName] {
        guard isOwn else { return duplicates.map(\.source) }
        let id = entry.id.utf8
        return [source] + duplicates.map(\.source).filter { !id.starts(with: "\($0.text):".utf8) }
    }
}
