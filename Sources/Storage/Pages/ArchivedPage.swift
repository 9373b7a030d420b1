/// A page as it is in the archive, which does not know what the bytes mean.
package struct ArchivedPage: Equatable, Sendable {
    /// What it is found by.
    package var key: [UInt8]
    /// What it can be cleared by.
    package var source: String
    package var query: String
    /// By the wall clock, in nanoseconds since 1970: uptimes mean nothing after the next start.
    package var fetchedAt: Int64
    package var freshUntil: Int64
    /// Pages with the same key and the same number other than zero have the same bytes.
    package var content: UInt64
    package var bytes: [UInt8]

    package init(
        key: [UInt8],
        source: String,
        query: String,
        fetchedAt: Int64,
        freshUntil: Int64,
        content: UInt64,
        bytes: [UInt8] = []
    ) {
        (self.key, self.source, self.query) = (key, source, query)
        (self.fetchedAt, self.freshUntil, self.content) = (fetchedAt, freshUntil, content)
        self.bytes = bytes
    }
}
