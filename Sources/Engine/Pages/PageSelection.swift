import Catalogue
package import SearchModel
package import Upstream

/// Which pages are meant: those of a source, of a query, of both together, or all.
package struct PageSelection: Hashable, Sendable {
    /// A name or a glob; nil for every source.
    package var source: String?
    package var query: SearchQuery?

    package init(source: String? = nil, query: SearchQuery? = nil) {
        self.source = source
        self.query = query
    }

    /// Whether it selects all there is.
    var isEverything: Bool { source == nil && query == nil }

    package func contains(_ key: PageKey) -> Bool {
        if let query, key.request.query != query { return false }
        guard let source else { return true }
        return Glob.matches(key.source.text, source)
    }
}
