package import Catalogue
package import SearchModel

/// Names one upstream page: what two callers must have in common to share a call and a cached page.
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
