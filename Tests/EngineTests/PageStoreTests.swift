import Catalogue
import EventLoop
import SearchModel
import TestSupport
import Testing

@testable import Engine

struct PageStoreTests {
    /// The store said slowly: pages in a list, with the same rules.
    private struct Model {
        let bytesMax: Int
        var pages: [PageKey: CachedPage] = [:]
        var order = SlowSieve<PageKey>()
        var figures = PageStore.Figures()
        /// The pages given up, whose leases have ended.
        var givenUp: Set<ObjectIdentifier> = []

        mutating func insert(_ page: CachedPage) {
            if let kept = pages[page.key], kept.fetchedAt >= page.fetchedAt { return }
            remove(page.key)
            guard page.bytesUsed <= bytesMax else { return }
            while figures.bytes + page.bytesUsed > bytesMax, let victim = order.victim() {
                remove(victim)
                figures.evictions += 1
            }
            pages[page.key] = page
            order.insert(page.key)
            figures.bytes += page.bytesUsed
            figures.entries += 1
        }

        mutating func remove(_ key: PageKey) {
            guard let page = pages.removeValue(forKey: key) else { return }
            givenUp.insert(ObjectIdentifier(page))
            order.remove(key)
            figures.bytes -= page.bytesUsed
            figures.entries -= 1
        }

        mutating func page(_ key: PageKey, isUsable: (CachedPage) -> Bool) -> CachedPage? {
            guard let page = pages[key], isUsable(page) else {
                figures.misses += 1
                return nil
            }
            figures.hits += 1
            order.use(key)
            return page
        }
    }

    @Test func `random work agrees with a slow model and never exceeds the bound`() {
        var random = SeededGenerator(seed: testSeed())
        let keys = (0..<25).map { pageKey(page: $0) }
        var store = PageStore(bytesMax: 40_000)
        var model = Model(bytesMax: 40_000)
        var made: [CachedPage] = []
        for step in 0..<1500 {
            guard let key = keys.randomElement(using: &random) else { return }
            let now = at(.seconds(step))
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9:
                let hits = Int.random(in: 0...(step % 50 == 0 ? 300 : 20), using: &random)
                let age = Duration.seconds(Int.random(in: 0...3, using: &random))
                let fetchedAt = at(.seconds(step) - age)
                let new = cachedPage(page("a.one", 0..<hits), key: key, fetchedAt: fetchedAt, freshFor: .seconds(100))
                made.append(new)
                store.insert(new)
                model.insert(new)
            case 9..<18:
                let age = Int.random(in: 0...150, using: &random)
                let found = store.page(key, .maxAge(.seconds(age)), now: now)
                let expected = model.page(key) { page in
                    let pageAge = page.fetchedAt.duration(to: now)
                    return pageAge < .seconds(100) && pageAge <= .seconds(age)
                }
                #expect(found === expected)
            case 18:
                store.remove(key)
                model.remove(key)
            default:
                let doomed = model.pages.keys.filter { $0.request.page % 7 == step % 7 }
                #expect(store.removeAll { $0.request.page % 7 == step % 7 } == doomed.count)
                for key in doomed { model.remove(key) }
            }
            #expect(store.figures == model.figures)
            #expect(store.figures.bytes <= 40_000)
        }
        #expect(store.figures.evictions > 100)
        for page in made { #expect(page.lease.isEnded == model.givenUp.contains(ObjectIdentifier(page))) }
    }

    @Test func `a page is fresh until the nanosecond it is not`() {
        var store = PageStore(bytesMax: 100_000)
        let page = cachedPage(page("a.one", 0..<3), fetchedAt: at(.seconds(5)), freshFor: .seconds(60))
        store.insert(page)
        let lastFresh = at(.seconds(65) - .nanoseconds(1))
        #expect(store.page(page.key, .fresh, now: lastFresh) === page)
        #expect(store.page(page.key, .fresh, now: at(.seconds(65))) == nil)
        #expect(store.page(page.key, .any, now: at(.seconds(65_000))) === page)
        #expect(store.page(page.key, .maxAge(.seconds(10)), now: at(.seconds(15))) === page)
        #expect(store.page(page.key, .maxAge(.seconds(10)), now: at(.seconds(15) + .nanoseconds(1))) == nil)
        #expect(store.page(page.key, .maxAge(.seconds(1000)), now: lastFresh) === page)
        #expect(store.page(page.key, .maxAge(.seconds(1000)), now: at(.seconds(65))) == nil)
        #expect(store.figures.hits == 4 && store.figures.misses == 3)
    }

    @Test func `a newer page replaces an older one and ends its lease`() {
        var store = PageStore(bytesMax: 100_000)
        let old = cachedPage(page("a.one", 0..<3))
        let new = cachedPage(page("a.one", 3..<6), fetchedAt: at(.nanoseconds(1)))
        store.insert(old)
        store.insert(new)
        #expect(old.lease.isEnded && !new.lease.isEnded)
        #expect(store.page(new.key, .any, now: at(.zero)) === new)
        #expect(store.figures.entries == 1 && store.figures.bytes == new.bytesUsed && store.figures.evictions == 0)
    }

    @Test func `an older page or the same again changes nothing`() {
        var store = PageStore(bytesMax: 100_000)
        let kept = cachedPage(page("a.one", 0..<3), fetchedAt: at(.seconds(1)))
        store.insert(kept)
        store.insert(cachedPage(page("a.one", 0..<3), fetchedAt: at(.zero)))
        store.insert(kept)
        #expect(!kept.lease.isEnded)
        #expect(store.page(kept.key, .any, now: at(.zero)) === kept)
        #expect(store.figures.bytes == kept.bytesUsed)
    }

    @Test func `a page as large as the bound is kept and a larger one is not`() {
        let large = cachedPage(page("a.one", 0..<50))
        var exact = PageStore(bytesMax: large.bytesUsed)
        exact.insert(cachedPage(page("a.one", 0..<1), key: pageKey(page: 1)))
        exact.insert(large)
        #expect(exact.figures.entries == 1 && exact.figures.bytes == large.bytesUsed)
        var tooSmall = PageStore(bytesMax: large.bytesUsed - 1)
        let other = cachedPage(page("a.one", 0..<1), key: pageKey(page: 1))
        tooSmall.insert(other)
        tooSmall.insert(large)
        #expect(tooSmall.page(large.key, .any, now: at(.zero)) == nil)
        #expect(tooSmall.page(other.key, .any, now: at(.zero)) === other)
    }

    @Test func `the bytes counted are at least those of the texts`() {
        let page = cachedPage(page("a.one", 0..<50))
        #expect(page.bytesUsed > page.bytes.count + page.entries.count * MemoryLayout<CachedPage.Entry>.stride)
    }
}
