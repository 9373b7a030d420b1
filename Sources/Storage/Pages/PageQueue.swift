/// Pages on their way to the disk, bounded: when the disk is slow they are dropped, which costs a later call at most.
///
/// Pure. Invariant: `bytes` is the sum over `pages`; neither bound is exceeded.
struct PageQueue: Sendable {
    struct Pending: Sendable {
        /// Its bytes are made on storage's thread: serialising is not the loop's work.
        let page: UnwrittenPage
        /// About what it will take.
        let bytes: Int
    }

    static let countMax = 1024
    static let bytesMax = 8 << 20

    private(set) var pages: [Pending] = []
    private var bytes = 0
    /// How many found no room.
    private(set) var dropped = 0

    /// Whether it is the first: then a batch must be scheduled.
    mutating func append(_ page: Pending) -> Bool {
        guard pages.count < Self.countMax, bytes + page.bytes <= Self.bytesMax else {
            dropped += 1
            return false
        }
        pages.append(page)
        bytes += page.bytes
        return pages.count == 1
    }

    mutating func takeAll() -> [Pending] {
        defer {
            pages = []
            bytes = 0
        }
        return pages
    }

    mutating func removeAll(where matches: (ArchivedPage) -> Bool) {
        pages.removeAll { matches($0.page.page) }
        bytes = pages.reduce(0) { $0 + $1.bytes }
    }
}
