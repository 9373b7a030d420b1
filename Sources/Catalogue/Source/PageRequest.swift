import JSON
package import SearchModel

/// A request for one upstream page, or for the record of one item: everything that changes what comes back.
///
/// Invariant: `options` are sorted, one of a name; an item has none of them, and no page but the first.
package struct PageRequest: Hashable, Sendable {
    package var query: SearchQuery
    package var sort: Sort
    /// From 0, in the source's own page size.
    package var page: Int
    package private(set) var options: [Option]
    /// The item whose record is the whole page; nil for a page of hits.
    package let item: ItemKey?

    package init(query: SearchQuery, sort: Sort = .relevance, page: Int = 0, options: [Option] = []) {
        self.query = query
        self.sort = sort
        self.page = page
        self.options = options.sorted()
        item = nil
    }

    package init(item: ItemKey) {
        query = item.query
        sort = .relevance
        page = 0
        options = []
        self.item = item
    }
}

/// A parameter beyond the common ones, as a caller gave it and the source's file allows it.
package struct Option: Hashable, Comparable, Sendable {
    private let exactName: ExactText
    private let exactValue: ExactText

    package var name: String { exactName.text }
    package var value: String { exactValue.text }

    package init(name: String, value: String) {
        exactName = ExactText(name)
        exactValue = ExactText(value)
    }

    /// By name, then by value, byte by byte.
    package static func < (left: Option, right: Option) -> Bool {
        left.name.hasSameBytes(as: right.name)
            ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
            : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}
