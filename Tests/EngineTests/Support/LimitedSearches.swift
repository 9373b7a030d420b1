import Catalogue
import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

/// Searches the built-in sources with their real limits, but with scripted responses.
struct LimitedSearches: Sendable {
    /// 2024-03-09T00:00:00Z.
    static let wall: Int64 = 1_709_942_400

    let loop: EventLoop
    let limiter: RateLimiter
    let fetcher: ScriptedFetcher
    let cache: ResultCache
    let federation: Federation
    let registry: SourceRegistry

    init(
        on loop: EventLoop,
        disk: DiskTier? = nil,
        script: @escaping @Sendable (PageKey, _ call: Int) -> ScriptedFetcher.Answer
    ) async {
        self.loop = loop
        let catalogue = Catalogue.builtIn()
        let sources = catalogue.sources.values.map { ConfiguredSource(source: $0, access: AccountAccess()) }
        let standard = ["wikipedia.{language}", "openlibrary.books", "itunes.app", "hackernews.stories"]
        registry = SourceRegistry(
            catalogue: catalogue,
            sources: sources,
            defaults: standard.map { Profile.Entry([selector($0)]) }
        )
        let wallClock = { @Sendable in Self.wall + loop.now.nanoseconds / 1_000_000_000 }
        limiter = RateLimiter(
            on: loop,
            store: SQLiteQuotaStore(nil, on: loop, wallClock: wallClock),
            wallClock: wallClock,
            random: SeededGenerator(seed: 1)
        )
        fetcher = ScriptedFetcher(on: loop, script: script)
        cache = ResultCache(on: loop, bytesMax: 8 << 20)
        let loader = PageLoader(
            on: loop,
            cache: cache,
            tier: disk,
            inFlight: InFlight(on: loop, flightsMax: 1000),
            fetcher: UpstreamFetcher(
                on: loop,
                throttle: RequestThrottle(
                    on: loop,
                    slots: { [limiter] source in limiter.onLoop { $0.slots(of: source) } },
                    rateDelay: { [limiter] source, others in limiter.onLoop { $0.delay(source, behind: others) } }
                ),
                limiter: limiter,
                http: fetcher
            )
        )
        federation = Federation(
            on: loop,
            loader: loader,
            outlooks: { [limiter] sources, priority, user in
                limiter.onLoop { $0.outlooks(sources, priority, for: user) }
            },
            random: SeededGenerator(seed: 1),
            wallClock: { Self.wall }
        )
        await limiter.configure(registry.all.map(\.upstream))
    }

    func request(_ text: String, _ patterns: [String]? = nil) throws -> SearchRequest {
        let choice = try registry.choose(patterns, kinds: nil, for: query(text))
        var request = SearchRequest(query: query(text), sources: choice.sources.map(\.profile))
        request.named = choice.named
        return request
    }

    func search(_ request: SearchRequest) async throws -> (answer: SearchAnswer, elapsed: Duration) {
        let begun = loop.now
        let answer = try await federation.search(request)
        return (answer, begun.duration(to: loop.now))
    }

    func sleep(_ duration: Duration) async throws {
        try await loop.sleep(until: loop.now.advanced(by: duration))
    }
}

extension SearchAnswer {
    func report(_ source: String) -> SourceReport? { sources.first { $0.source.text == source } }
}
