import JSON
package import SearchModel

/// All values that affect the response for one page or one item; `options` are sorted by name.
package struct PageRequest: Hashable, Sendable {
    package var query: SearchQuery
    package var sort: Sort
    package var page: Int
    package private(set) var options: [Option]
    package private(set) var item: ItemKey?

    package init(query: SearchQuery, sort: Sort = .relevance, page: Int = 0, options: [Option] = []) {
        self.query = query
        self.sort = sort
        self.page = page
        self.options = options.sorted()
    }

    package init(item: ItemKey) {
        self.init(query: item.query)
        self.item = item
    }
}

package struct Option: Hashable, Comparable, Sendable {
    private let exactName: ExactText
    private let exactValue: ExactText

    package var name: String { exactName.text }
    package var value: String { exactValue.text }

    package init(name: String, value: String) {
        exactName = ExactText(name)
        exactValue = ExactText(value)
    }

    package static func < (left: Option, right: Option) -> Bool {
        left.name.hasSameBytes(as: right.name)
            ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
            : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}

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
