import JSON
package import SearchModel

/// The key of an item at its source, as given by the caller; a class, because nil then needs little memory.
///
/// Invariant: it has 1 to `bytesMax` bytes, is not blank, and is not `.` or `..`, because these would change the path
/// of a URL.
package final class ItemKey: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 256

    private let exact: ExactText
    /// The key in the form of a query, because cached items are stored like pages of queries.
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
