import Catalogue
import EventLoop
import SearchModel
import TestSupport
import Testing
import Upstream

@testable import Engine

struct PageStoreTests {
    /// The store said slowly: keys in lists, with the same rules.
    private struct Model {
        let bytesMax: Int
        var pages: [PageKey: CachedPage] = [:]
        var order = SlowSieve<PageKey>()
        var used: Set<PageKey> = []
        var figures = PageStore.Figures()
        /// The pages given up, whose leases have ended.
        var givenUp: Set<ObjectIdentifier> = []

        mutating func insert(_ page: CachedPage) {
            let key = page.key
            if let kept = pages[key] {
                if kept.fetchedAt >= page.fetchedAt { return }
                let wasUsed = used.contains(key)
                remove(key)
                if wasUsed { used.insert(key) }
            }
            guard PageStore.cost(of: page) <= bytesMax else {
                used.remove(key)
                return
            }
            while figures.bytes + PageStore.cost(of: page) > bytesMax {
                giveUp()
                figures.evictions += 1
            }
            pages[key] = page
            order.insert(key)
            figures.bytes += PageStore.cost(of: page)
            figures.entries += 1
        }

        mutating func giveUp() {
            for key in used where pages[key] != nil { order.use(key) }
            let marked = Set(order.elements.filter(\.used).map(\.element))
            guard let victim = order.victim() else { return }
            used.subtract(marked.subtracting(order.elements.filter(\.used).map(\.element)))
            remove(victim)
        }

        mutating func remove(_ key: PageKey) {
            guard let page = pages.removeValue(forKey: key) else { return }
            givenUp.insert(ObjectIdentifier(page))
            used.remove(key)
            order.remove(key)
            figures.bytes -= PageStore.cost(of: page)
            figures.entries -= 1
        }
    }

    @Test func `random work agrees with a slow model and never exceeds the bound`() {
        var random = SeededGenerator(seed: testSeed())
        let keys = (0..<60).map { pageKey(page: $0) }
        var store = PageStore(bytesMax: 60_000)
        var model = Model(bytesMax: 60_000)
        var made: [CachedPage] = []
        for step in 0..<4000 {
            // The smaller numbers are the popular ones.
            let number = Int.random(in: 0..<60, using: &random) * Int.random(in: 0..<60, using: &random) / 60
            let key = keys[number]
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                let hits = Int.random(in: 0...(step % 50 == 0 ? 300 : 12), using: &random)
                let age = Duration.seconds(Int.random(in: 0...3, using: &random))
                let new = cachedPage(page("a.one", 0..<hits), key: key, fetchedAt: at(.seconds(step) - age))
                made.append(new)
                store.insert(new)
                model.insert(new)
            case 8..<18:
                let found = store.page(key)
                #expect(found === model.pages[key])
                if let found {
                    found.validity.use()
                    model.used.insert(key)
                }
            case 18:
                store.remove(key)
                model.remove(key)
            default:
                guard step % 5 == 0 else { continue }
                let doomed = model.pages.keys.filter { $0.request.page % 7 == step % 7 }
                #expect(store.removeAll { $0.request.page % 7 == step % 7 } == doomed.count)
                for key in doomed { model.remove(key) }
            }
            #expect(store.figures == model.figures)
            #expect(store.figures.bytes <= 60_000)
        }
        #expect(store.figures.evictions > 200)
        for page in made { #expect(page.validity.isEnded == model.givenUp.contains(ObjectIdentifier(page))) }
    }

    @Test func `a newer page replaces an older one and ends its lease`() {
        var store = PageStore(bytesMax: 100_000)
        let old = cachedPage(page("a.one", 0..<3))
        let new = cachedPage(page("a.one", 3..<6), fetchedAt: at(.nanoseconds(1)))
        store.insert(old)
        store.insert(new)
        #expect(old.validity.isEnded && !new.validity.isEnded)
        #expect(store.page(new.key) === new)
        #expect(
            store.figures.entries == 1 && store.figures.bytes == PageStore.cost(of: new) && store.figures.evictions == 0
        )
    }

    @Test func `an older page or the same again changes nothing`() {
        var store = PageStore(bytesMax: 100_000)
        let kept = cachedPage(page("a.one", 0..<3), fetchedAt: at(.seconds(1)))
        store.insert(kept)
        store.insert(cachedPage(page("a.one", 0..<3), fetchedAt: at(.zero)))
        store.insert(kept)
        #expect(!kept.validity.isEnded)
        #expect(store.page(kept.key) === kept)
        #expect(store.figures.bytes == PageStore.cost(of: kept))
    }

    @Test func `a page as large as the bound is kept and a larger one is not`() {
        let large = cachedPage(page("a.one", 0..<50))
        let cost = PageStore.cost(of: large)
        var exact = PageStore(bytesMax: cost)
        exact.insert(cachedPage(page("a.one", 0..<1), key: pageKey(page: 1)))
        exact.insert(large)
        #expect(exact.figures.entries == 1 && exact.figures.bytes == cost)
        var tooSmall = PageStore(bytesMax: cost - 1)
        let other = cachedPage(page("a.one", 0..<1), key: pageKey(page: 1))
        tooSmall.insert(other)
        tooSmall.insert(large)
        #expect(tooSmall.page(large.key) == nil)
        #expect(tooSmall.page(other.key) === other)
    }

    @Test func `a page that takes the place of a used one counts as used`() {
        let sample = cachedPage(page("a.one", 0..<5))
        var store = PageStore(bytesMax: PageStore.cost(of: sample) * 20)
        store.insert(sample)
        sample.validity.use()
        store.insert(cachedPage(page("a.one", 0..<5), fetchedAt: at(.seconds(1))))
        for stranger in 1...20 { store.insert(cachedPage(page("a.one", 0..<5), key: pageKey(page: stranger))) }
        #expect(store.page(sample.key)?.fetchedAt == at(.seconds(1)))
    }

    @Test func `pages that others hold leave less room, down to a quarter, and more again when they are free`() {
        let cost = PageStore.cost(of: cachedPage(page("a.one", 0..<5)))
        let memory = PageMemory()
        var store = PageStore(bytesMax: cost * 40, memory: memory)
        var next = 0
        func add(_ count: Int) {
            for _ in 0..<count {
                next += 1
                store.insert(cachedPage(page("a.one", 0..<5), key: pageKey(page: next)).renewed(countedIn: memory))
            }
        }
        func held(_ count: Int) -> [CachedPage] {
            (0..<count).map {
                cachedPage(page("a.one", 0..<5), key: pageKey(page: 10_000 + $0)).renewed(countedIn: memory)
            }
        }
        // The tables' part of a page's cost is of those kept here only.
        add(60)
        #expect((38...40).contains(store.figures.entries))
        var others = held(20)
        add(1)
        #expect((18...25).contains(store.figures.entries))
        others += held(60)
        add(1)
        #expect((9...10).contains(store.figures.entries))
        others = []
        add(60)
        #expect((38...40).contains(store.figures.entries))
        #expect(memory.bytes < store.figures.bytes)
    }
}
