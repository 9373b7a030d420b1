import EventLoop

/// The pictures in memory, bounded by the bytes they hold; the least used are evicted first.
///
/// Invariant: `figures.bytes` is the sum of the pictures' `bytesUsed`, and at most `bytesMax` after every call;
/// `slotsByKey` names the slot of every picture, and no other.
struct PictureStore {
    /// Pictures may take one part in so many of the cache's bound; pages make room for them.
    static let part = 4
    /// A picture is asked for again after that.
    static let freshFor = Duration.seconds(86_400)

    private struct Entry {
        let key: PictureKey
        let picture: Picture
    }

    private var bytesMax: Int
    private var slotsByKey: [PictureKey: Int] = [:]
    private var slots: [Entry?] = []
    private var freeSlots: [Int] = []
    private var order = SieveOrder()
    private(set) var figures = PictureFigures()

    /// Keeps nothing yet; the bound is that of the whole cache.
    init(cacheBytesMax: Int) {
        bytesMax = cacheBytesMax / Self.part
    }

    /// The bound of what is kept.
    var limit: Int { bytesMax }

    /// The picture under a key, which counts as used; nil when there is none or it has expired.
    mutating func picture(_ key: PictureKey, at now: Instant) -> Picture? {
        guard let slot = slotsByKey[key], let entry = slots[slot] else { return nil }
        guard now < entry.picture.fetchedAt.advanced(by: Self.freshFor) else {
            remove(slot)
            return nil
        }
        order.use(slot)
        figures.hits += 1
        return entry.picture
    }

    /// Keeps a picture that was fetched just now; one that is larger than the whole bound is not kept.
    mutating func insert(_ picture: Picture, under key: PictureKey) {
        figures.misses += 1
        if let slot = slotsByKey[key] { remove(slot) }
        guard picture.bytesUsed <= bytesMax else { return }
        makeRoom(for: picture.bytesUsed)
        let slot = freeSlots.popLast() ?? slots.count
        let entry = Entry(key: key, picture: picture)
        if slot == slots.count { slots.append(entry) } else { slots[slot] = entry }
        slotsByKey[key] = slot
        order.insert(slot)
        figures.bytes += picture.bytesUsed
        figures.entries += 1
    }

    mutating func removeAll() {
        for slot in slotsByKey.values { remove(slot) }
    }

    /// Changes the bound to that of another cache, and evicts what no longer fits.
    mutating func resize(cacheBytesMax: Int) {
        bytesMax = cacheBytesMax / Self.part
        makeRoom(for: 0)
    }

    private mutating func makeRoom(for needed: Int) {
        while figures.bytes + needed > bytesMax, let victim = order.victim() {
            remove(victim)
            figures.evictions += 1
        }
    }

    private mutating func remove(_ slot: Int) {
        guard let entry = slots[slot] else { return }
        slotsByKey[entry.key] = nil
        slots[slot] = nil
        freeSlots.append(slot)
        order.remove(slot)
        figures.bytes -= entry.picture.bytesUsed
        figures.entries -= 1
    }
}

/// The pictures that are kept, and how often one was there or had to be fetched.
package struct PictureFigures: Equatable, Sendable {
    package var entries = 0
    package var bytes = 0
    /// The bound of the bytes.
    package var limit = 0
    package var hits = 0
    package var misses = 0
    package var evictions = 0
}
