import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Engine
@testable import Upstream

struct FederationStaleTests {
    private static let ttl = Duration.seconds(600)

    /// Call n returns the hit n, but call `first` and all later calls fail.
    private static func world(
        on loop: EventLoop,
        failingFrom first: Int = .max,
        _ kind: SearchError.Kind = .unavailable
    ) -> World {
        World(on: loop) { _, call in
            call >= first ? .failure(kind) : .page(page("a.one", [call], isEnd: true))
        }
    }

    private static func isStale(_ answer: SearchAnswer?) -> Bool {
        answer?.sources.first?.cache == .stale && answer?.sources.first?.status == .ok && answer?.isComplete == true
    }

    @Test func `a stale page is refreshed with background priority for the same client`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop)
            var request = request()
            request.client = ClientIdentity(userID: 7, program: "test")
            _ = try await world.search(request).get()
            try await world.sleep(Self.ttl)
            _ = try await world.search(request).get()
            try await world.sleep(.milliseconds(10))
            #expect(world.fetcher.calls.demands.map(\.priority) == [.interactive, .background])
            #expect(
                world.fetcher.calls.demands.map { $0.claims.map(\.client) } == [[request.client], [request.client]]
            )
        }
    }

    @Test func `while a source fails, searches with stale pages call it about once per second`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop, failingFrom: 1)
            _ = try await world.search(request()).get()
            try await world.sleep(Self.ttl)
            for _ in 0..<100 {
                #expect(await Self.isStale(world.search(request()).value))
                try await world.sleep(.milliseconds(100))
            }
            // The searches take ten seconds. A failure takes 50 ms and is cached for a second.
            #expect((9...11).contains(world.fetcher.calls.begun.count))
        }
    }

    @Test(arguments: [
        SearchError.Kind.unavailable, .timeout, .badResponse, .rateLimited, .quotaExhausted, .overloaded,
    ])
    func `the pages of a failing source are used for a day`(kind: SearchError.Kind) throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop, failingFrom: 1, kind)
            var request = request()
            request.explain = true
            _ = try await world.search(request).get()
            try await world.sleep(Self.ttl * 2)
            #expect(try await world.cachedAnswer(request) == nil)
            let answer = try await world.search(request).get()
            #expect(Self.isStale(answer))
            #expect(answer.sources[0].error == nil)
            #expect(answer.sources[0].fetchedAt == at(.milliseconds(50)))
            #expect(answer.trace?.map(\.event) == ["plan", "cacheMiss", "sent", "failed", "cacheStale", "merged"])
            #expect(!answer.isFromCache)
            try await world.sleep(.seconds(86_400) - Self.ttl - .seconds(2))
            #expect(await Self.isStale(world.search(request).value))
            try await world.sleep(.seconds(2))
            #expect(await world.search(request).failureKind == kind)
        }
    }

    @Test(arguments: [SearchError.Kind.unauthorized, .invalidParams, .forbidden, .notConfigured])
    func `a failure that the user must fix is returned instead of a stale page`(kind: SearchError.Kind) throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop, failingFrom: 1, kind)
            _ = try await world.search(request()).get()
            try await world.sleep(Self.ttl * 2)
            #expect(await world.search(request()).failureKind == kind)
        }
    }

    @Test func `a private search starts no refresh, and uses a stale page only if its call fails`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { _, call in
                call == 2 ? .failure(.unavailable) : .page(page("a.one", [call], isEnd: true))
            }
            _ = try await world.search(request()).get()
            try await world.sleep(Self.ttl)
            var secret = request()
            secret.isPrivate = true
            #expect(try await world.cachedAnswer(secret) == nil)
            let own = try await world.search(secret).get()
            #expect(own.sources[0].cache == .miss && own.hits.ids == ids("a.one", [1]))
            #expect(await Self.isStale(world.search(secret).value))
            #expect(try await world.cachedAnswer(request())?.hits.ids == ids("a.one", [0]))
            try await world.sleep(.milliseconds(51))
            #expect(try await world.cachedAnswer(request())?.hits.ids == ids("a.one", [3]))
        }
    }
}
