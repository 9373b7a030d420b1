import SearchModel
package import Upstream

/// The pages in memory, bounded by the bytes they really hold.
///
/// The bound is one for all pages that are alive: those that walks, searches and answers still hold leave less for
/// those kept here, down to a quarter. Not to be copied: it is large, and there is one. Pure but for the validity of
/// its pages: its uses are noted where a page is given out, and it is ended here when the page goes.
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
    private var pages = SieveCache<PageKey, CachedPage>()
    private let memory: PageMemory

    /// Keeps nothing yet; `memory` counts the pages that are alive, here and elsewhere.
    package init(bytesMax: Int, memory: PageMemory = PageMemory()) {
        self.bytesMax = bytesMax
        self.memory = memory
    }

    package var figures: Figures { Figures(entries: pages.count, bytes: pages.bytes, evictions: pages.evictions) }

    /// What keeping a page costs.
    package static func cost(of page: CachedPage) -> Int {
        page.bytesUsed + slotBytes
    }

    /// The page under a key, however old it is.
    package func page(_ key: PageKey) -> CachedPage? { pages.peek(key) }

    /// The pages of a source, however old.
    ///
    /// - Complexity: O(n) in the pages kept.
    func pages(of source: SourceName) -> [CachedPage] { pages.values.filter { $0.key.source == source } }

    /// Keeps a page instead of an older one under its key, and makes room for it; false when a page stays that is here
    /// and no older.
    ///
    /// A page larger than the whole bound is not kept.
    @discardableResult
    package mutating func insert(_ page: CachedPage) -> Bool {
        if let replaced = pages.peek(page.key) {
            guard replaced.fetchedAt < page.fetchedAt else { return false }
            // The callers that asked for the older one asked for this one.
            if replaced.validity.takeUse() { page.validity.use() }
            remove(page.key)
        }
        let cost = Self.cost(of: page)
        guard cost <= bytesMax else { return true }
        makeRoom(for: cost)
        pages.insert(page, under: page.key, cost: cost)
        return true
    }

    /// Changes the bound, and evicts what no longer fits.
    package mutating func resize(to bytesMax: Int) {
        self.bytesMax = bytesMax
        makeRoom()
    }

    /// Evicts what no longer fits, with so much more to come: others may hold more than they did.
    mutating func makeRoom(for needed: Int = 0) {
        let others = max(0, memory.bytes - (pages.bytes - Self.slotBytes * pages.count) - needed)
        let bound = max(bytesMax / Self.ownPart, bytesMax - others)
        while pages.bytes > 0, pages.bytes + needed > bound, let page = pages.evict(takeUse: { $0.validity.takeUse() })
        {
            page.validity.end()
        }
    }

    /// Drops a page and ends what was built from it.
    package mutating func remove(_ key: PageKey) {
        pages.remove(key)?.validity.end()
    }

    /// Drops every page that matches; how many there were.
    ///
    /// - Complexity: O(n) in the pages kept.
    package mutating func removeAll(where matches: (PageKey) -> Bool) -> Int {
        let doomed = pages.keys.filter(matches)
        for key in doomed { remove(key) }
        return doomed.count
    }
}
