import Catalogue
package import EventLoop
import JSON
import RPC
package import SearchModel
package import Upstream

/// The memory cache that all clients share: pages and recent failures.
package actor ResultCache: LoopActor {
    package struct Figures: Equatable, Sendable {
        package var entries = 0
        package var bytes = 0
        package var limit = 0
        package var hits = 0
        package var stale = 0
        package var misses = 0
        package var evictions = 0
    }

    private struct Failure {
        let error: SearchError
        let failedAt: Instant
        let until: Instant
    }

    static let failuresMax = 4096
    private static let slotBytes = 260

    package nonisolated let loop: EventLoop
    private var bytesMax: Int
    private var fileBytes: Int
    private var pages = SieveCache<PageKey, CachedPage>()
    private var failures: [PageKey: Failure] = [:]
    private var refreshing: Set<PageKey> = []
    private var counts = Figures()

    /// Pictures and web pages use `fileBytes` of the memory.
    package init(on loop: EventLoop, bytesMax: Int, fileBytes: Int = 0) {
        (self.loop, self.bytesMax, self.fileBytes) = (loop, bytesMax, fileBytes)
    }

    package var figures: Figures {
        var figures = counts
        (figures.entries, figures.bytes, figures.limit) = (pages.count, pages.bytes, bytesMax)
        figures.evictions = pages.evictions
        return figures
    }

    package func page(_ key: PageKey) -> CachedPage? { pages.peek(key) }

    /// Finds the pages of a source; checks all cached pages.
    func pages(of source: SourceName) -> [CachedPage] { pages.values.filter { $0.key.source == source } }

    /// Returns false if the cache has a page that is at least as new; `isFetched` is false for a page from the disk.
    @discardableResult
    package func insert(_ page: CachedPage, isFetched: Bool = true) -> Bool {
        if let replaced = pages.peek(page.key) {
            guard replaced.fetchedAt < page.fetchedAt else { return false }
            if replaced.validity.takeUse() { page.validity.use() }
            pages.remove(page.key)?.validity.end()
        }
        if isFetched { failures[page.key] = nil }
        let cost = page.bytesUsed + Self.slotBytes
        guard cost <= bytesMax - fileBytes else { return true }
        makeRoom(for: cost)
        pages.insert(page, under: page.key, cost: cost)
        return true
    }

    private func makeRoom(for needed: Int = 0) {
        while pages.bytes > bytesMax - fileBytes - needed, let page = pages.evict(takeUse: { $0.validity.takeUse() }) {
            page.validity.end()
        }
    }

    package func clear(_ selection: PageSelection) -> Int {
        failures = failures.filter { !selection.contains($0.key) }
        return removePages(where: selection.contains)
    }

    private func removePages(where matches: (PageKey) -> Bool) -> Int {
        let doomed = pages.keys.filter(matches)
        for key in doomed { pages.remove(key)?.validity.end() }
        return doomed.count
    }

    package func failure(of key: PageKey) -> SearchError? {
        guard let failure = failures[key], loop.now < failure.until else { return nil }
        var error = failure.error
        error.retryAfter = error.retryAfter.map { max(.zero, $0 - failure.failedAt.duration(to: loop.now)) }
        return error
    }

    package func failed(_ key: PageKey, _ error: SearchError, _ freshness: Freshness) {
        guard let life = freshness.life(of: error) else { return }
        let now = loop.now
        if failures.count >= Self.failuresMax { failures = failures.filter { now < $0.value.until } }
        guard failures.count < Self.failuresMax else { return }
        failures[key] = Failure(error: error, failedAt: now, until: now.advanced(by: life))
    }

    /// Returns true for one caller at a time, and for no caller while a failure of the page is cached.
    func beginRefresh(_ key: PageKey) -> Bool {
        failure(of: key) == nil && refreshing.insert(key).inserted
    }

    func endRefresh(_ key: PageKey) {
        refreshing.remove(key)
    }

    func count(_ use: CacheUse) {
        switch use {
        case .hit, .offline: counts.hits += 1
        case .stale: counts.stale += 1
        case .miss, .joined: counts.misses += 1
        }
    }

    func count(hits: Int) {
        counts.hits += hits
    }

    package func apply(bytesMax: Int, fileBytes: Int = 0, changed sources: Set<SourceName>) {
        (self.bytesMax, self.fileBytes) = (bytesMax, fileBytes)
        // A new API key may end a failure.
        failures = [:]
        _ = removePages { sources.contains($0.source) }
        makeRoom()
    }
}

/// Selects cached pages by source and query.
package struct PageSelection: Hashable, Sendable {
    /// A name or a glob; nil selects every source.
    package var source: String?
    package var query: SearchQuery?

    package init(source: String? = nil, query: SearchQuery? = nil) {
        (self.source, self.query) = (source, query)
    }

    func contains(_ key: PageKey) -> Bool {
        contains(source: key.source.text, query: key.request.query.text)
    }

    func contains(source name: String, query text: String) -> Bool {
        if let query, !query.text.hasSameBytes(as: text) { return false }
        return source.map { Glob.matches(name, $0) } ?? true
    }
}
