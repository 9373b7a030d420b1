import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

struct FederationCacheTests {
    @Test func `the cached answer equals the first answer`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            for request in [
                request(limit: 25), request(offset: 33, limit: 9), request(offset: 95, limit: 20),
                request([profile("a.one"), profile("b.two")], limit: 35),
            ] {
                #expect(try await world.cachedAnswer(request) == nil)
                let first = try await world.search(request).get()
                let calls = world.fetcher.calls.begun.count
                let cached = try #require(try await world.cachedAnswer(request))
                #expect(cached.hits.ids == first.hits.ids)
                #expect((cached.next == nil) == (first.next == nil))
                #expect(cached.sources.map(\.count) == first.sources.map(\.count))
                #expect(cached.sources.map(\.total) == first.sources.map(\.total))
                #expect(cached.sources.map(\.isEnd) == first.sources.map(\.isEnd))
                #expect(cached.sources.map(\.fetchedAt) == first.sources.map(\.fetchedAt))
                #expect(cached.isFromCache && !first.isFromCache)
                #expect(world.fetcher.calls.begun.count == calls)
            }
        }
    }

    @Test func `a page is used until it exceeds its time to live or the caller's maximum age`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 5, after: .zero))
            var request = request()
            _ = try await world.search(request).get()
            try await world.sleep(.seconds(30))
            request.maxAge = .seconds(30)
            #expect(await world.search(request).value?.sources[0].cache == .hit)
            try await world.sleep(.nanoseconds(1))
            #expect(try await world.cachedAnswer(request) == nil)
            #expect(await world.search(request).value?.sources[0].cache == .miss)
            request.maxAge = nil
            try await world.sleep(.seconds(600) - .nanoseconds(1))
            #expect(await world.search(request).value?.sources[0].cache == .hit)
            try await world.sleep(.nanoseconds(1))
            let stale = try #require(await world.search(request).value)
            #expect(stale.sources[0].cache == .stale && !stale.isFromCache)
            try await world.sleep(.nanoseconds(1))
            #expect(world.fetcher.calls.sent.count == 3)
        }
    }

    @Test func `a maximum age of zero always calls the source and replaces the page`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { _, call in .page(page("a.one", [call], isEnd: true)) }
            let old = try await world.search(request()).get()
            var fresh = request()
            fresh.maxAge = .zero
            #expect(try await world.cachedAnswer(fresh) == nil)
            #expect(await world.search(fresh).value?.hits.ids == ids("a.one", [1]))
            #expect(await world.search(fresh).value?.hits.ids == ids("a.one", [2]))
            #expect(old.validity.contains { $0.isEnded })
            let cached = try await world.cachedAnswer(request())
            #expect(cached?.hits.ids == ids("a.one", [2]))
            #expect(world.fetcher.calls.sent.count == 3)
        }
    }

    @Test func `an answer is fresh while all its pages are fresh`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in
                .page(page(key.source.text, key.source.text == "a.one" ? 0..<3 : 0..<0, isEnd: true))
            }
            let empty = profile("b.two", negativeTTL: .seconds(600))
            var two = request([profile("a.one"), empty])
            _ = try await world.search(request([empty])).get()
            try await world.sleep(.seconds(100))
            let answer = try await world.search(two).get()
            #expect(answer.validUntil == at(.milliseconds(50)).advanced(by: .seconds(600)))
            two.maxAge = .seconds(200)
            let younger = try await world.search(two).get()
            #expect(younger.validUntil == at(.milliseconds(50)).advanced(by: .seconds(200)))
            let emptied = try #require(younger.sources.last?.fetchedAt)
            #expect(emptied == at(.milliseconds(50)))
            #expect(answer.validity.count == 2)
        }
    }

    @Test func `an offline search makes no call`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            var offline = request(limit: 10)
            offline.offline = true
            let cold = try await world.search(offline).get()
            #expect(cold.hits.isEmpty && cold.next == nil && !cold.isComplete)
            #expect(cold.sources[0].status == .skipped && cold.sources[0].error == nil)
            #expect(world.fetcher.calls.begun.isEmpty)

            _ = try await world.search(request(limit: 20)).get()
            try await world.sleep(.seconds(100_000))
            let answers = try await world.walk(offline)
            #expect(answers.flatMap(\.hits.ids) == ids("a.one", 0..<20))
            #expect(answers[0].sources[0].cache == .offline && answers[0].sources[0].status == .ok)
            #expect(world.fetcher.calls.begun.count == 2)
        }
    }

    @Test func `a query with an unfinished syllable makes no call, even to named sources`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            var unfinished = request(query: "고양ㅇ")
            unfinished.isUnfinished = true
            for named in [[], [sourceName("a.one")]] {
                unfinished.named = named
                let answer = try await world.search(unfinished).get()
                #expect(answer.sources[0].status == .skipped && answer.sources[0].reason == .unfinished)
                #expect(!answer.isComplete && answer.sources[0].error == nil)
            }
            #expect(world.fetcher.calls.begun.isEmpty)
        }
    }

    @Test func `a private search stores nothing`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            var secret = request()
            secret.isPrivate = true
            #expect(await world.search(secret).value?.hits.count == 10)
            #expect(await world.cache.figures.entries == 0)
            #expect(await world.search(request()).value?.sources[0].cache == .miss)
            #expect(world.fetcher.calls.sent.count == 2)
            #expect(await world.cache.figures.entries == 1)
            #expect(await world.search(secret).value?.sources[0].cache == .hit)
        }
    }

    @Test func `a failure does not remove the cached page`() throws {
        try virtually { loop, _ in
            let steady = steadyScript(total: 100)
            let world = World(on: loop) { key, call in call == 1 ? .failure(.unavailable) : steady(key, call) }
            _ = try await world.search(request()).get()
            var fresh = request()
            fresh.maxAge = .zero
            #expect(await world.search(fresh).failureKind == .unavailable)
            #expect(await world.search(request()).value?.sources[0].cache == .hit)
            #expect(await world.search(fresh).value?.sources[0].cache == .miss)
        }
    }
}
