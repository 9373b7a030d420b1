/// A merged list of hits that a later search can continue with a cursor.
final class OpenWalk {
    var walk: Walk
    /// Nil until a client gets a cursor.
    var id: UInt64?
    fileprivate var usedAt: UInt64 = 0
    fileprivate var kept: (pages: [CachedPage], bytes: Int) = ([], 0)

    init(_ walk: Walk) {
        self.walk = walk
    }
}

/// Keeps merged lists for cursors, and evicts the least recently used lists.
struct WalkTable {
    let walksMax: Int
    private(set) var bytesMax: Int
    private(set) var bytes = 0
    private var walks: [UInt64: OpenWalk] = [:]
    private var uses: UInt64 = 0

    init(walksMax: Int, bytesMax: Int) {
        (self.walksMax, self.bytesMax) = (walksMax, bytesMax)
    }

    var count: Int { walks.count }

    mutating func walk(_ id: UInt64) -> OpenWalk? {
        guard let walk = walks[id] else { return nil }
        uses += 1
        walk.usedAt = uses
        return walk
    }

    mutating func keep(_ open: OpenWalk, as id: UInt64) {
        let pages = open.walk.pages
        for page in pages where page.changePins(by: 1) == 1 { bytes += page.bytesUsed }
        if let replaced = walks[id] { release(replaced) }
        open.kept = (pages, open.walk.pool.bytes)
        bytes += open.kept.bytes
        uses += 1
        open.usedAt = uses
        walks[id] = open
        evict()
    }

    private mutating func release(_ open: OpenWalk) {
        for page in open.kept.pages where page.changePins(by: -1) == 0 { bytes -= page.bytesUsed }
        bytes -= open.kept.bytes
        open.kept = ([], 0)
    }

    mutating func resize(to bytesMax: Int) {
        self.bytesMax = bytesMax
        evict()
    }

    /// Evicts a tenth at a time, because each step sorts all walks.
    private mutating func evict() {
        while walks.count > walksMax || bytes > bytesMax && walks.count > 1 {
            let oldest = walks.sorted { $0.value.usedAt < $1.value.usedAt }.prefix(max(1, walks.count / 10))
            for (id, open) in oldest {
                walks[id] = nil
                release(open)
                open.walk.validity.end()
            }
        }
    }
}
