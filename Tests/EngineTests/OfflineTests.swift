import Catalogue
import EventLoop
import HTTP
import JSON
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

struct OfflineTests {
    private static let offline = SearchError(.offline, of: sourceName("a.one"))

    /// Returns a source whose port is closed.
    private static func deaf(trust: Trust, baseURL: String? = nil) throws -> ConfiguredSource {
        let text = """
            {
                source: "x.deaf", kind: "blog", title: "deaf",
                account: { attribution: "deaf", access: { base: "http://127.0.0.1:1" } },
                request: { path: "/s", parameters: { q: "{query}" } },
                paging: { style: "single", size: 10 },
                response: { hits: "hits" },
                hit: { key: "id", title: "title" },
            }
            """
        var catalogue = Catalogue()
        try catalogue.add(file: "deaf", bytes: Array(text.utf8), trust: trust)
        return ConfiguredSource(
            source: try catalogue.source(named: sourceName("x.deaf")),
            access: AccountAccess(baseURL: baseURL)
        )
    }

    private static func failure(of source: ConfiguredSource, calls: Int = 1) throws -> (SearchError?, asked: Int) {
        let asked = Locked(0)
        let outcome = Locked<SearchError?>(nil)
        let loop = try EventLoop()
        Task.detached(executorPreference: loop) {
            let client = HTTPClient(loop: loop, configuration: HTTPClientConfiguration(userAgent: "test"))
            let reachability = Reachability {
                asked.withLock { $0 += 1 }
                return false
            } lookup: { _ in
                .found
            }
            let fetcher = HTTPPageFetcher(
                client: client,
                reachability: reachability,
                source: { _ in source.upstream },
                wallClock: { 0 }
            )
            for _ in 0..<calls {
                do throws(SearchError) {
                    _ = try await fetcher.fetch(pageKey("x.deaf"), for: CallDemand()) { _ in }
                } catch {
                    outcome.withLock { $0 = error }
                }
            }
            await client.shutdown()
            loop.stop()
        }
        loop.run()
        return (outcome.withLock { $0 }, asked.withLock { $0 })
    }

    @Test func `without a route, a source on the Internet fails as offline after one route check`()
        throws
    {
        let (error, asked) = try Self.failure(of: Self.deaf(trust: .builtIn), calls: 5)
        #expect(error?.isOffline == true && asked == 1)
    }

    @Test func `a source with a configured or allowed host never fails as offline`() throws {
        let moved = try Self.deaf(trust: .builtIn, baseURL: "http://127.0.0.1:1")
        let allowed = try Self.deaf(trust: .user(allowedHosts: ["127.0.0.1"]))
        for source in [moved, allowed] {
            let (error, asked) = try Self.failure(of: source)
            #expect(error?.kind == .unavailable && error?.isOffline == false && asked == 0)
        }
    }

    @Test func `the errors of all sources have the same text and the member “offline”`() throws {
        let errors = ["a.one", "b.two"].map { SearchError(.offline, of: sourceName($0)) }
        #expect(Set(errors.map(\.message)) == ["This machine is offline."])
        #expect(errors.allSatisfy { $0.kind == .unavailable && $0.retryable == true && $0.isOffline })
        var writer = JSONWriter()
        MessageWriter.error(errors[0], to: &writer)
        #expect(try JSONDocument(writer.bytes).root.value["data"]?["offline"] == true)
    }

    @Test func `if the machine is offline, cached pages of any age are used, unless maxAge is set`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, call in
                call == 0
                    ? .page(page("a.one", 0..<3, isEnd: true)) : ScriptedFetcher.Answer(outcome: .failure(Self.offline))
            }
            _ = try await world.search(request()).get()
            try await world.sleep(.seconds(3 * 86_400))
            let answer = try await world.search(request()).get()
            #expect(answer.hits.ids == ids("a.one", 0..<3))
            #expect(answer.sources[0].cache == .stale && answer.sources[0].fetchedAt != nil)
            var fresh = request()
            fresh.maxAge = .seconds(60)
            #expect(await world.search(fresh).failure?.isOffline == true)
        }
    }
}
