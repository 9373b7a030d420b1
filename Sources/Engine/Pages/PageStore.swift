package import EventLoop

/// The pages in memory, bounded by the bytes they really hold.
///
/// Pure but for ending the leases of pages it gives up.
///
/// Invariant: `bytes` is the sum of `bytesUsed` over `slots`, and at most `bytesMax` after every call.
package struct PageStore {
    package struct Figures: Equatable, Sendable {
        package var entries = 0
        package var bytes = 0
        package var hits = 0
        package var misses = 0
        package var evictions = 0
    }

    /// How old an answer the caller takes.
    package enum Freshness: Equatable, Sendable {
        /// Within the source's own time to keep.
        case fresh
        /// No older than this, and fresh.
        case maxAge(Duration)
        /// Whatever is here.
        case any
    }

    private let bytesMax: Int
    private var places: [PageKey: Int] = [:]
    private var slots: [CachedPage?] = []
    private var freeSlots: [Int] = []
    private var order = SieveOrder()
    package private(set) var figures = Figures()

    package init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// The page under a key when it is fresh enough; counts as a hit or a miss.
    package mutating func page(_ key: PageKey, _ freshness: Freshness, now: Instant) -> CachedPage? {
        guard let place = places[key], let page = slots[place], Self.isUsable(page, freshness, now) else {
            figures.misses += 1
            return nil
        }
        figures.hits += 1
        order.use(place)
        return page
    }

    /// Keeps a page in place of an older one under its key, and makes room for it.
    ///
    /// A page larger than the whole bound is not kept; one that is here and no older stays.
    package mutating func insert(_ page: CachedPage) {
        if let place = places[page.key], let kept = slots[place], kept.fetchedAt >= page.fetchedAt { return }
        remove(page.key)
        let needed = page.bytesUsed
        guard needed <= bytesMax else { return }
        while figures.bytes + needed > bytesMax, let victim = order.victim(), let evicted = slots[victim] {
            remove(evicted.key)
            figures.evictions += 1
        }
        let place = freeSlots.popLast() ?? slots.count
        if place == slots.count { slots.append(page) } else { slots[place] = page }
        places[page.key] = place
        order.insert(place)
        figures.bytes += needed
        figures.entries += 1
    }

    /// Drops a page and ends what was built from it.
    package mutating func remove(_ key: PageKey) {
        guard let place = places.removeValue(forKey: key), let page = slots[place] else { return }
        order.remove(place)
        slots[place] = nil
        freeSlots.append(place)
        figures.bytes -= page.bytesUsed
        figures.entries -= 1
        page.lease.end()
    }

    /// Drops every page that matches; how many there were.
    ///
    /// - Complexity: O(n) in the pages kept.
    package mutating func removeAll(where matches: (PageKey) -> Bool) -> Int {
        let doomed = places.keys.filter(matches)
        for key in doomed { remove(key) }
        return doomed.count
    }

    private static func isUsable(_ page: CachedPage, _ freshness: Freshness, _ now: Instant) -> Bool {
        switch freshness {
        case .any: true
        case .fresh: now < page.freshUntil
        case .maxAge(let age): now < page.freshUntil && page.fetchedAt.duration(to: now) <= age
        }
    }
}
