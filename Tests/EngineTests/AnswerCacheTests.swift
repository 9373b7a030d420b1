import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

struct AnswerCacheTests {
    private func key(_ request: SearchRequest, viewer: AnswerKey.LibraryVersion? = nil) throws -> AnswerKey {
        try #require(AnswerKey(request, viewer: viewer))
    }

    private func withAnswer(
        _ request: SearchRequest = request(),
        bytesMax: Int = AnswerCache.bytesMax,
        _ body: @escaping @Sendable (World, AnswerCache, AnswerKey) async throws -> Void
    ) throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            _ = try await world.search(request).get()
            let answer = try #require(try await world.cachedAnswer(request))
            let cache = AnswerCache(on: loop, world.cache, bytesMax: bytesMax)
            let key = try #require(AnswerKey(request, viewer: nil))
            let template = AnswerTemplate(answer, form: .whole(raw: false), repeats: true)
            try await withTaskExecutorPreference(loop) {
                cache.insert(answer, template, for: key)
                try await body(world, cache, key)
            }
        }
    }

    @Test func `searches that differ only in timeout, priority, wait or call budget share an answer`() throws {
        try withAnswer { _, cache, key in
            let first = try #require(cache.answer(to: key))
            var other = request()
            other.timeout = .seconds(1)
            other.priority = .background
            other.wait = .enough
            other.callBudget = CallBudget(3)
            let same = try #require(AnswerKey(other, viewer: nil))
            #expect(same == key && cache.answer(to: same)?.number == first.number)
            #expect(first.hits.count == 10)
        }
    }

    @Test func `searches with another range, order, filter, age, source, query, user or library share no answer`()
        throws
    {
        let base = try key(request())
        let changes: [(inout SearchRequest) -> Void] = [
            { $0.limit = 5 }, { $0.offset = 10 }, { $0.cursor = Cursor(walk: 1, position: 10) }, { $0.sort = .title },
            { $0.raw = true }, { $0.maxAge = .seconds(5) },
            {
                var filter = HitFilter()
                filter.has = [HitMember("thumbnail")].compactMap(\.self)
                $0.filter = filter
            },
        ]
        for change in changes {
            var other = request()
            change(&other)
            #expect(try key(other) != base)
        }
        #expect(try key(request([profile("b.two")])) != base)
        #expect(try key(request(query: "강아지")) != base)
        let viewers = [(1, 1), (2, 1), (1, 2)].map { AnswerKey.LibraryVersion(userID: $0.0, revision: $0.1) }
        let keys = try viewers.map { try key(request(), viewer: $0) }
        #expect(Set(keys + [base]).count == 4)
    }

    @Test func `answers to private, explained, offline, unfinished and own-data searches are not cached`() {
        let changes: [(inout SearchRequest) -> Void] = [
            { $0.isPrivate = true }, { $0.explain = true }, { $0.offline = true }, { $0.isUnfinished = true },
            { $0.addOwnData() },
        ]
        for change in changes {
            var other = request()
            change(&other)
            #expect(AnswerKey(other, viewer: nil) == nil)
        }
    }

    @Test func `an answer is not reused if one of its pages was replaced or is not fresh`() throws {
        try withAnswer { world, cache, key in
            try await world.sleep(.seconds(599))
            #expect(cache.answer(to: key) != nil)
            try await world.sleep(.seconds(1))
            #expect(cache.answer(to: key) == nil && cache.count == 0 && cache.bytes == 0)
        }
        try withAnswer { world, cache, key in
            var fresh = request()
            fresh.maxAge = .zero
            _ = try await world.search(fresh).get()
            #expect(cache.answer(to: key) == nil)
        }
    }

    @Test func `the least recently used answers are evicted, and an answer above the limit is not stored`() throws {
        try withAnswer { world, cache, key in
            let answer = try #require(try await world.cachedAnswer(request()))
            let template = AnswerTemplate(answer, form: .whole(raw: false), repeats: true)
            let whole = AnswerCache(on: world.loop, world.cache, bytesMax: cache.bytes * 2)
            whole.insert(answer, template, for: key)
            let size = whole.bytes
            let small = AnswerCache(on: world.loop, world.cache, bytesMax: size * 3)
            for limit in 1...20 {
                let other = try #require(AnswerKey(request(limit: limit), viewer: nil))
                small.insert(answer, template, for: other)
                _ = small.answer(to: try #require(AnswerKey(request(limit: 1), viewer: nil)))
                #expect(small.bytes <= size * 3)
            }
            #expect(small.count == 3)
            #expect(small.answer(to: try #require(AnswerKey(request(limit: 1), viewer: nil))) != nil)
            let none = AnswerCache(on: world.loop, world.cache, bytesMax: size - 1)
            none.insert(answer, template, for: key)
            #expect(none.count == 0)
        }
    }
}
