package import Catalogue
package import SearchModel

/// Names one upstream page: what two callers must have in common to share a call and a cached page.
package struct PageKey: Hashable, Sendable {
    package var source: SourceName
    package var request: PageRequest

    package init(source: SourceName, request: PageRequest) {
        self.source = source
        self.request = request
    }
}
