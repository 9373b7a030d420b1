import JSON
package import SearchModel

/// A source's own key for one item, as the caller wrote it.
///
/// Invariant: 1 to `bytesMax` bytes, not blank, and neither `.` nor `..`. Any other key is a single path segment, but
/// these two would change the path.
///
/// A class, because every page request has room for a key but few have one.
package final class ItemKey: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 256

    private let exact: ExactText
    /// The query under which the item can be cleared from the cache.
    package let query: SearchQuery

    package init?(_ text: String) {
        guard (1...Self.bytesMax).contains(text.utf8.count), let query = SearchQuery(text),
            !text.hasSameBytes(as: "."), !text.hasSameBytes(as: "..")
        else { return nil }
        exact = ExactText(text)
        self.query = query
    }

    package var text: String { exact.text }

    package var description: String { text }

    package static func == (left: ItemKey, right: ItemKey) -> Bool { left.exact == right.exact }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(exact)
    }
}
