package import Catalogue
package import SearchModel

/// Names one upstream page, or the record of one item: what two callers must have in common to share a call and a
/// cached page.
package struct PageKey: Hashable, Sendable {
    package var source: SourceName
    package var request: PageRequest
    /// Of the source: what it was before a reload shares nothing with what it is now.
    package var edition: UInt32

    package init(source: SourceName, request: PageRequest, edition: UInt32 = 0) {
        self.source = source
        self.request = request
        self.edition = edition
    }
}

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
