/// A page as it lies in the archive, which knows nothing of what is in it.
package struct ArchivedPage: Equatable, Sendable {
    /// What it is found by.
    package var key: [UInt8]
    /// What it can be cleared by.
    package var source: String
    package var query: String
    /// By the wall clock, in nanoseconds since 1970: uptimes mean nothing after the next start.
    package var fetchedAt: Int64
    package var freshUntil: Int64
    package var bytes: [UInt8]

    package init(
        key: [UInt8],
        source: String,
        query: String,
        fetchedAt: Int64,
        freshUntil: Int64,
        bytes: [UInt8]
    ) {
        self.key = key
        self.source = source
        self.query = query
        self.fetchedAt = fetchedAt
        self.freshUntil = freshUntil
        self.bytes = bytes
    }
}
