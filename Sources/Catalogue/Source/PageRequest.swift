package import SearchModel

/// One upstream page, as the cache and the source know it: everything that changes what comes back.
///
/// Invariant: `options` are sorted, one of a name.
package struct PageRequest: Hashable, Sendable {
    package var query: SearchQuery
    package var sort: Sort
    /// From 0, in the source's own page size.
    package var page: Int
    package private(set) var options: [Option]

    package init(query: SearchQuery, sort: Sort = .relevance, page: Int = 0, options: [Option] = []) {
        self.query = query
        self.sort = sort
        self.page = page
        self.options = options.sorted()
    }
}
