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
    /// Says what the bytes are: pages of one key and one number hold the same, zero apart.
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
        self.key = key
        self.source = source
        self.query = query
        self.fetchedAt = fetchedAt
        self.freshUntil = freshUntil
        self.content = content
        self.bytes = bytes
    }
}

/// A page that is about to be written.
package struct UnwrittenPage: Sendable {
    /// All but its bytes.
    let page: ArchivedPage
    /// Makes the bytes: asked only if they are not on disk already.
    let bytes: @Sendable () -> [UInt8]

    package init(_ page: ArchivedPage, bytes: @escaping @Sendable () -> [UInt8]) {
        self.page = page
        self.bytes = bytes
    }

    /// The page with its bytes.
    var whole: ArchivedPage {
        var page = page
        page.bytes = bytes()
        return page
    }
}

/// What a page is found by on disk, instead of its key, which is many times as long.
///
/// It lies in files, so it must never change. Of two keys with the same number only one has a page at a time.
enum PageNumber {
    /// FNV-1a, 64 bits: two of a million keys share one with a chance of 1 in 37 million.
    static func of(_ key: [UInt8]) -> UInt64 {
        var number: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key {
            number ^= UInt64(byte)
            number &*= 0x100_0000_01B3
        }
        return number
    }
}
