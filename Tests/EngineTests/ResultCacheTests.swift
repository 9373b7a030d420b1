import Catalogue
import EventLoop
import JSON
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

struct ResultCacheTests {
    private let limited = SearchError(.rateLimited, "too fast", retryAfter: .seconds(10))
    private let freshness = Freshness(ttl: .seconds(600), negativeTTL: .seconds(60))

    private func cache(_ loop: EventLoop, bytesMax: Int = 1 << 20) -> ResultCache {
        ResultCache(on: loop, bytesMax: bytesMax)
    }

    private func page(_ number: Int, hits: Int = 5, fetchedAt: Instant = at(.zero)) -> CachedPage {
        cachedPage(SearchTestSupport.page("a.one", 0..<hits), key: pageKey(page: number), fetchedAt: fetchedAt)
    }

    @Test func `a page replaces the cached page only if it is newer`() throws {
        try virtually { loop, _ in
            let cache = cache(loop)
            let (old, new) = (page(0), page(0, hits: 6, fetchedAt: at(.nanoseconds(1))))
            #expect(await cache.insert(old))
            #expect(await cache.insert(new))
            #expect(old.validity.isEnded && !new.validity.isEnded)
            for page in [new, page(0)] { #expect(await !cache.insert(page)) }
            #expect(await cache.page(pageKey()) === new && !new.validity.isEnded)
            let figures = await cache.figures
            #expect(figures.entries == 1 && figures.evictions == 0)
        }
    }

    @Test func `the cache never exceeds its size limit, and keeps pages that are used`() throws {
        try virtually { loop, _ in
            let cache = cache(loop, bytesMax: 40_000)
            let popular = page(0)
            await cache.insert(popular)
            for number in 1..<200 {
                popular.validity.use()
                await cache.insert(page(number, hits: number % 20))
                #expect(await cache.figures.bytes <= 40_000)
            }
            #expect(await cache.page(popular.key) === popular)
            #expect(await cache.figures.evictions > 100)
            let newer = page(0, fetchedAt: at(.seconds(1)))
            popular.validity.use()
            await cache.insert(newer)
            for number in 200..<205 { await cache.insert(page(number)) }
            #expect(await cache.page(popular.key) === newer)
            let large = page(300, hits: 300)
            await cache.insert(large)
            #expect(await cache.page(large.key) == nil)
        }
    }

    @Test func `clearing removes pages and failures`() throws {
        try virtually { loop, _ in
            let cache = cache(loop)
            for source in ["a.one", "a.two", "b.one"] {
                for text in ["x", "y"] {
                    let key = pageKey(source, query: text)
                    await cache.insert(cachedPage(SearchTestSupport.page(source, 0..<1), key: key))
                    await cache.failed(key, limited, freshness)
                }
            }
            #expect(await cache.clear(PageSelection(source: "a.*", query: query("x"))) == 2)
            #expect(await cache.failure(of: pageKey("a.one", query: "x")) == nil)
            #expect(await cache.failure(of: pageKey("b.one", query: "x")) != nil)
            #expect(await cache.clear(PageSelection(query: query("x"))) == 1)
            #expect(await cache.clear(PageSelection(source: "a.one")) == 1)
            #expect(await cache.clear(PageSelection()) == 2)
        }
    }

    @Test func `a failure is returned until it expires, with the remaining delay`() throws {
        try virtually { loop, _ in
            let cache = ResultCache(on: loop, bytesMax: 1 << 20)
            await cache.failed(pageKey(), limited, freshness)
            #expect(await cache.failure(of: pageKey()) == limited)
            try await loop.sleep(until: at(.seconds(3)))
            #expect(await cache.failure(of: pageKey())?.retryAfter == .seconds(7))
            #expect(await cache.failure(of: pageKey(page: 1)) == nil)
            try await loop.sleep(until: at(.seconds(10)))
            #expect(await cache.failure(of: pageKey()) == nil)
        }
    }

    @Test func `at most 4,096 failures are stored, and a new failure is stored after one has expired`() throws {
        try virtually { loop, _ in
            let cache = ResultCache(on: loop, bytesMax: 1 << 20)
            let max = ResultCache.failuresMax
            for number in 0..<max { await cache.failed(pageKey(page: number), limited, freshness) }
            await cache.failed(pageKey(page: max), limited, freshness)
            #expect(await cache.failure(of: pageKey(page: max)) == nil)
            try await loop.sleep(until: at(.seconds(10)))
            await cache.failed(pageKey(page: max), limited, freshness)
            #expect(await cache.failure(of: pageKey(page: max)) != nil)
        }
    }
}
