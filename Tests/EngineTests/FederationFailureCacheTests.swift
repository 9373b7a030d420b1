import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

struct FederationFailureCacheTests {
    @Test func `a failure is returned for a second, and then the source is called again`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { _, call in
                call == 0 ? .failure(.unavailable) : .page(page("a.one", [call], isEnd: true))
            }
            #expect(await world.search(request()).failureKind == .unavailable)
            let failedAt = loop.now
            for _ in 0..<10 { #expect(await world.search(request()).failureKind == .unavailable) }
            #expect(loop.now == failedAt)
            #expect(world.fetcher.calls.begun.count == 1)
            try await world.sleep(.seconds(1) - .nanoseconds(1))
            #expect(await world.search(request()).failureKind == .unavailable)
            try await world.sleep(.nanoseconds(1))
            #expect(await world.search(request()).value?.sources[0].cache == .miss)
            #expect(await world.cache.figures.misses == 13)
        }
    }

    @Test func `a maximum age of zero ignores a cached failure`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { _, call in
                call == 0 ? .failure(.invalidParams) : .page(page("a.one", [call], isEnd: true))
            }
            _ = await world.search(request())
            var fresh = request()
            fresh.maxAge = .zero
            #expect(await world.search(fresh).value?.hits.ids == ids("a.one", [1]))
            #expect(await world.search(request()).value?.sources[0].cache == .hit)
        }
    }

    @Test func `if a call fails before it is sent, the failure is not cached`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { _, call in
                var answer = ScriptedFetcher.Answer.failure(.rateLimited)
                answer.isRefusedUnsent = true
                return call == 0 ? answer : .page(page("a.one", [call], isEnd: true))
            }
            #expect(await world.search(request()).failureKind == .rateLimited)
            #expect(await world.search(request()).value?.hits.ids == ids("a.one", [1]))
        }
    }

    @Test func `a failure of a private search is not shared with other searches`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { _, call in
                call == 0 ? .failure(.invalidParams) : .page(page("a.one", [call], isEnd: true))
            }
            var secret = request()
            secret.isPrivate = true
            #expect(await world.search(secret).failureKind == .invalidParams)
            #expect(await world.search(request()).value?.hits.ids == ids("a.one", [1]))
        }
    }
}
