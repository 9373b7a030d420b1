import Catalogue
package import SearchModel

/// Which pages are meant: those of a source, of a query, of both together, or all.
package struct PageSelection: Equatable, Sendable {
    /// A name or a glob; nil for every source.
    package var source: String?
    package var query: SearchQuery?

    package init(source: String? = nil, query: SearchQuery? = nil) {
        self.source = source
        self.query = query
    }

    package func contains(_ key: PageKey) -> Bool {
        if let query, key.request.query != query { return false }
        guard let source else { return true }
        return Glob.matches(key.source.text, source)
    }
}
