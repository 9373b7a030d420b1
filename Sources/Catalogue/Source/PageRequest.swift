import JSON
package import SearchModel

/// A request for one upstream page or one item's record: everything that affects the response.
///
/// Invariant: `options` are sorted with unique names. A request for an item has no options and is always for the first
/// page.
package struct PageRequest: Hashable, Sendable {
    package var query: SearchQuery
    package var sort: Sort
    /// Counted from 0, in the source's own page size.
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

/// A parameter beyond the common ones, checked against the source's file.
package struct Option: Hashable, Comparable, Sendable {
    private let exactName: ExactText
    private let exactValue: ExactText

    package var name: String { exactName.text }
    package var value: String { exactValue.text }

    package init(name: String, value: String) {
        exactName = ExactText(name)
        exactValue = ExactText(value)
    }

    /// Orders by name, then by value, bytewise.
    package static func < (left: Option, right: Option) -> Bool {
        left.name.hasSameBytes(as: right.name)
            ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
            : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}
