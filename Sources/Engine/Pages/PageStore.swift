import SearchModel
package import Upstream

/// The pages in memory, bounded by the bytes they really hold.
///
/// The bound is one for all pages that are alive: those that walks, searches and answers still hold leave less for
/// those kept here, down to a quarter. Not to be copied: it is large, and there is one. Pure but for the validity of
/// its pages: its uses are noted where a page is given out, and it is ended here when the page is evicted.
///
/// Invariant: `figures.bytes` is the sum of `cost` over the pages, and at most `bytesMax` after every call.
package struct PageStore: ~Copyable {
    package struct Figures: Equatable, Sendable {
        package var entries = 0
        package var bytes = 0
        package var evictions = 0
    }

    /// What a page takes in the tables here, which grow in leaps: at most.
    private static let slotBytes = 260
    /// One part in so many of the bound is for pages here, whatever others hold.
    private static let ownPart = 4

    package private(set) var bytesMax: Int
    private var slotsByKey: [PageKey: Int] = [:]
    private var slots: [CachedPage?] = []
    private var freeSlots: [Int] = []
    private var order = SieveOrder()
    package private(set) var figures = Figures()
    private let memory: PageMemory

    /// Keeps nothing yet; `memory` counts the pages that are alive, here and elsewhere.
    package init(bytesMax: Int, memory: PageMemory = PageMemory()) {
        self.bytesMax = bytesMax
        self.memory = memory
    }

    /// What keeping a page costs.
    package static func cost(of page: CachedPage) -> Int {
        page.bytesUsed + slotBytes
    }

    /// The page under a key, however old it is.
    package func page(_ key: PageKey) -> CachedPage? {
        slotsByKey[key].flatMap { slots[$0] }
    }

    /// The pages of a source, however old.
    ///
    /// - Complexity: O(n) in the pages kept.
    func pages(of source: SourceName) -> [CachedPage] {
        slots.compactMap(\.self).filter { $0.key.source == source }
    }

    /// Keeps a page instead of an older one under its key, and makes room for it; false when a page stays that is here
    /// and no older.
    ///
    /// A page larger than the whole bound is not kept.
    @discardableResult
    package mutating func insert(_ page: CachedPage) -> Bool {
        if let slot = slotsByKey[page.key], let replaced = slots[slot] {
            guard replaced.fetchedAt < page.fetchedAt else { return false }
            // The callers that asked for the older one asked for this one.
            if replaced.validity.takeUse() { page.validity.use() }
            remove(page.key)
        }
        let cost = Self.cost(of: page)
        guard cost <= bytesMax else { return true }
        makeRoom(for: cost)
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(page) } else { slots[slot] = page }
        slotsByKey[page.key] = slot
        order.insert(slot)
        figures.bytes += cost
        figures.entries += 1
        return true
    }

    /// Changes the bound, and evicts what no longer fits.
    package mutating func resize(to bytesMax: Int) {
        self.bytesMax = bytesMax
        makeRoom()
    }

    /// Evicts what no longer fits, with so much more to come: others may hold more than they did.
    mutating func makeRoom(for needed: Int = 0) {
        let others = max(0, memory.bytes - (figures.bytes - Self.slotBytes * figures.entries) - needed)
        let bound = max(bytesMax / Self.ownPart, bytesMax - others)
        while figures.bytes > 0, figures.bytes + needed > bound,
            let victim = order.victim(takeUse: { [slots] in slots[$0]?.validity.takeUse() ?? false })
        {
            order.remove(victim)
            drop(victim)
            figures.evictions += 1
        }
    }

    /// Drops a page and ends what was built from it.
    package mutating func remove(_ key: PageKey) {
        guard let slot = slotsByKey[key] else { return }
        order.remove(slot)
        drop(slot)
    }

    /// Drops every page that matches; how many there were.
    ///
    /// - Complexity: O(n) in the pages kept.
    package mutating func removeAll(where matches: (PageKey) -> Bool) -> Int {
        let doomed = slotsByKey.keys.filter(matches)
        for key in doomed { remove(key) }
        return doomed.count
    }

    /// Forgets what is in a slot that has left the order.
    private mutating func drop(_ slot: Int) {
        guard let page = slots[slot] else { return }
        slotsByKey[page.key] = nil
        slots[slot] = nil
        freeSlots.append(slot)
        figures.bytes -= Self.cost(of: page)
        figures.entries -= 1
        page.validity.end()
    }
}
