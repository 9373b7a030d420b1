package import SearchModel

/// Names one upstream page: what two callers must have in common to share a call and a cached page.
package struct PageKey: Hashable, Sendable {
    package var source: SourceName
    package var query: SearchQuery
    package var sort: Sort
    /// The index of the page in the source's own page size, from 0.
    package var page: Int
    /// What the source declares beyond the common parameters, by name.
    package var options: [SearchOption]

    package init(source: SourceName, query: SearchQuery, sort: Sort, page: Int, options: [SearchOption] = []) {
        self.source = source
        self.query = query
        self.sort = sort
        self.page = page
        self.options = options
    }
}
