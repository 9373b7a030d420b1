package import Catalogue
package import SearchModel

/// Names one upstream page, or the record of one item: what two callers must have in common to share a call and a
/// cached page.
package struct PageKey: Hashable, Sendable {
    package var source: SourceName
    package var request: PageRequest
    /// Of the source: pages from before and after a reload are never mixed.
    package var edition: UInt32

    package init(source: SourceName, request: PageRequest, edition: UInt32 = 0) {
        self.source = source
        self.request = request
        self.edition = edition
    }
}
