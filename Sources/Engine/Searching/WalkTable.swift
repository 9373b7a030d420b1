/// The walks that clients may go on with; the least recently used is evicted first.
///
/// Pure but for ending their validity.
///
/// Invariant: at most `walksMax` walks, which together hold at most `bytesMax` bytes, the pages that they pin among
/// them, unless there is only one; `ownBytes` is the sum over the walks.
struct WalkTable {
    private struct Kept {
        let walk: OpenWalk
        let pages: [CachedPage]
        /// What it holds beside pages.
        let bytes: Int
        var usedAt: UInt64
    }

    let walksMax: Int
    private(set) var bytesMax: Int
    private var walks: [UInt64: Kept] = [:]
    /// The oldest use first, from `firstUse` on.
    private var byUse: [(id: UInt64, usedAt: UInt64)] = []
    private var firstUse = 0
    private var uses: UInt64 = 0
    private var pinned = PinnedPages()
    private var ownBytes = 0

    init(walksMax: Int, bytesMax: Int) {
        self.walksMax = walksMax
        self.bytesMax = bytesMax
    }

    var count: Int { walks.count }
    var bytes: Int { pinned.bytes + ownBytes }

    /// The walk under a number, which counts as a use.
    mutating func walk(_ id: UInt64) -> OpenWalk? {
        guard let kept = walks[id] else { return nil }
        touch(id)
        return kept.walk
    }

    /// Keeps a walk, or takes note that it has grown.
    mutating func keep(_ walk: OpenWalk, as id: UInt64) {
        let pages = walk.walk.pages
        pinned.pin(pages)
        pinned.unpin(walks[id]?.pages ?? [])
        let bytes = walk.walk.pool.bytes
        ownBytes += bytes - (walks[id]?.bytes ?? 0)
        walks[id] = Kept(walk: walk, pages: pages, bytes: bytes, usedAt: uses)
        touch(id)
        evictOldest()
    }

    /// Changes the bound, and evicts what no longer fits.
    mutating func resize(to bytesMax: Int) {
        self.bytesMax = bytesMax
        evictOldest()
    }

    private mutating func evictOldest() {
        while walks.count > walksMax || (bytes > bytesMax && walks.count > 1), let oldest = popOldest() {
            guard let kept = walks.removeValue(forKey: oldest) else { continue }
            pinned.unpin(kept.pages)
            ownBytes -= kept.bytes
            kept.walk.walk.validity.end()
        }
    }

    private mutating func touch(_ id: UInt64) {
        uses += 1
        walks[id]?.usedAt = uses
        byUse.append((id, uses))
        // Outdated entries are dropped when they outnumber the walks: amortised O(1) a use.
        if byUse.count > 2 * walks.count + 64 {
            byUse.removeAll { walks[$0.id]?.usedAt != $0.usedAt }
            firstUse = 0
        }
    }

    private mutating func popOldest() -> UInt64? {
        while firstUse < byUse.count {
            let first = byUse[firstUse]
            firstUse += 1
            if walks[first.id]?.usedAt == first.usedAt { return first.id }
        }
        return nil
    }
}

/// A walk that several searches may advance in turn; confined to the federation.
final class OpenWalk {
    var walk: Walk
    /// Its number, once a client has a cursor of it.
    var id: UInt64?

    init(_ walk: Walk) {
        self.walk = walk
    }
}

/// The pages that walks keep from being freed, each counted once however many walks have it.
///
/// Invariant: `bytes` is the sum of `bytesUsed` over the distinct pages pinned.
struct PinnedPages {
    private var uses: [ObjectIdentifier: Int] = [:]
    private(set) var bytes = 0

    mutating func pin(_ pages: [CachedPage]) {
        for page in pages {
            let count = uses[ObjectIdentifier(page), default: 0]
            if count == 0 { bytes += page.bytesUsed }
            uses[ObjectIdentifier(page)] = count + 1
        }
    }

    /// Takes back one pin of each of these pages.
    mutating func unpin(_ pages: [CachedPage]) {
        for page in pages {
            guard let count = uses[ObjectIdentifier(page)] else { continue }
            uses[ObjectIdentifier(page)] = count > 1 ? count - 1 : nil
            if count == 1 { bytes -= page.bytesUsed }
        }
    }
}
