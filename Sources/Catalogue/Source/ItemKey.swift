import JSON
package import SearchModel

/// A source's own key of one item, as a caller wrote it.
///
/// Invariant: 1 to `bytesMax` bytes, not blank, and neither `.` nor `..`: in a path, which takes any other key as one
/// segment, those two mean another path.
package struct ItemKey: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 256

    private let exact: ExactText
    /// By which the item can be cleared from the cache.
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
}
