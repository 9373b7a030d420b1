package import EventLoop

/// The cache that every client shares: `PageStore` on the loop.
package actor ResultCache {
    private let loop: EventLoop
    private var store: PageStore

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The loop outlives the actors that hold it.
        unsafe loop.asUnownedSerialExecutor()
    }

    package init(on loop: EventLoop, bytesMax: Int) {
        self.loop = loop
        store = PageStore(bytesMax: bytesMax)
    }

    package var figures: PageStore.Figures { store.figures }

    package func page(_ key: PageKey, _ freshness: PageStore.Freshness) -> CachedPage? {
        store.page(key, freshness, now: loop.now)
    }

    package func insert(_ page: CachedPage) {
        store.insert(page)
    }
}
