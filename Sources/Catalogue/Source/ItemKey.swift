import JSON
package import SearchModel

/// The caller's key of an item; `.` and `..` are refused, because they would change the path of a URL.
package struct ItemKey: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 256

    private let exact: ExactText
    /// The cache stores an item like a page of this query.
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
