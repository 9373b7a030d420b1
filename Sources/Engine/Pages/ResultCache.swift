package import EventLoop
package import RPC
package import SearchModel
package import Upstream

/// The cache that every client shares: pages, failures and what is being refreshed, on the loop.
package actor ResultCache: LoopActor {
    /// What is kept, and how lookups ended: each is counted once, when its outcome is known.
    package struct Figures: Equatable, Sendable {
        package var entries = 0
        package var bytes = 0
        /// The bound of the bytes.
        package var limit = 0
        package var hits = 0
        package var stale = 0
        package var misses = 0
        package var evictions = 0
    }

    package nonisolated let loop: EventLoop
    private var random: any RandomNumberGenerator & Sendable
    private var store: PageStore
    /// Counts what is alive of what was ever kept here.
    nonisolated let memory = PageMemory()
    private var pictures: PictureStore
    private var failures = KnownFailures()
    private var refreshing: Set<PageKey> = []
    private var counts = Figures()

    /// `random` spreads out when pages expire.
    package init(
        on loop: EventLoop,
        bytesMax: Int,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.loop = loop
        self.random = random
        store = PageStore(bytesMax: bytesMax, memory: memory)
        pictures = PictureStore(cacheBytesMax: bytesMax)
    }

    package var figures: Figures {
        var figures = counts
        figures.entries = store.figures.entries
        figures.bytes = store.figures.bytes
        figures.evictions = store.figures.evictions
        figures.limit = store.bytesMax
        return figures
    }

    // MARK: Pages

    /// The page under a key, however old it is.
    package func page(_ key: PageKey) -> CachedPage? {
        store.page(key)
    }

    /// The pages of a source in memory, however old.
    func pages(of source: SourceName) -> [CachedPage] {
        store.pages(of: source)
    }

    /// A page that has just been fetched, as it may be kept.
    package func made(_ page: Page, key: PageKey, _ freshness: Freshness) -> CachedPage {
        let now = loop.now
        let end = freshness.freshUntil(isEmpty: page.hits.isEmpty, fetchedAt: now, chance: random.next())
        let made = CachedPage(page, key: key, fetchedAt: now, freshUntil: end, content: random.next(), memory: memory)
        // Asked again, a source mostly says the same.
        guard let kept = store.page(key), kept.holdsSame(as: made) else { return made }
        return kept.renewed(fetchedAt: now, freshUntil: end, content: kept.content, countedIn: memory)
    }

    /// Keeps a page that has just been fetched; false when it, or a newer one, was here already.
    @discardableResult
    package func insert(_ page: CachedPage) -> Bool {
        guard store.insert(page) else { return false }
        failures.remove(page.key)
        return true
    }

    /// Takes a page in again from the second tier: it says nothing of how the source is now.
    package func restore(_ page: CachedPage) {
        store.insert(page.renewed(countedIn: memory))
    }

    /// Removes what is selected; how many pages that were.
    package func clear(_ selection: PageSelection) -> Int {
        failures.removeAll(where: selection.contains)
        // Of a picture it is not known which source or query named it.
        if selection.isEverything { pictures.removeAll() }
        return store.removeAll(where: selection.contains)
    }

    // MARK: Pictures

    package var pictureFigures: PictureFigures { pictures.figures }

    /// The picture under a key, unless it has expired.
    func picture(_ key: PictureKey) -> Picture? {
        pictures.picture(key, at: loop.now)
    }

    /// Keeps a picture that has just been fetched; pages make room for it.
    func insert(_ picture: Picture, under key: PictureKey) {
        pictures.insert(picture, under: key)
        store.makeRoom()
    }

    // MARK: Counts

    /// A lookup has ended.
    package func count(_ use: CacheUse) {
        switch use {
        case .hit, .offline: counts.hits += 1
        case .stale: counts.stale += 1
        case .miss, .joined: counts.misses += 1
        }
    }

    /// So many pages were in a finished answer that is given again.
    package func count(hits: Int) {
        counts.hits += hits
    }

    // MARK: Failures

    /// The failure that the source has just answered.
    package func failure(of key: PageKey) -> SearchError? {
        failures.failure(of: key, now: loop.now)
    }

    /// Notes what the source itself answered instead of a page.
    package func failed(_ key: PageKey, _ error: SearchError, _ freshness: Freshness) {
        guard let life = freshness.life(of: error) else { return }
        failures.insert(error, of: key, for: life, now: loop.now)
    }

    // MARK: Refreshing

    /// Whether a page is to be fetched anew behind a stale one: by one caller at a time, and not while its source
    /// fails.
    package func beginRefresh(_ key: PageKey) -> Bool {
        failure(of: key) == nil && refreshing.insert(key).inserted
    }

    package func endRefresh(_ key: PageKey) {
        refreshing.remove(key)
    }

    // MARK: Reloading

    /// Drops the pages of sources and ends what was built from them, and every failure; how many pages there were.
    @discardableResult
    package func removeAll(of sources: Set<SourceName>) -> Int {
        // With another key a source may answer what it refused before.
        failures.removeAll { _ in true }
        return sources.isEmpty ? 0 : store.removeAll { sources.contains($0.source) }
    }

    /// Changes the bound, and evicts what no longer fits.
    package func resize(to bytesMax: Int) {
        store.resize(to: bytesMax)
        pictures.resize(cacheBytesMax: bytesMax)
    }
}
