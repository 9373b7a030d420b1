import CPlatform
import Catalogue
import Engine
import EventLoop
import Fetch
import JSON
import RPC
import SearchModel

/// The daemon put together: the engine's actors, the method table and the switchboard, all on one loop.
struct Service {
    static let flightsMax = 8192
    static let waitersMax = 65_536

    let board: Switchboard
    private let client: HTTPClient
    private let inFlight: InFlight<PageKey, CachedPage>

    /// Makes everything; on the loop.
    init(on loop: EventLoop, loaded: ConfigurationLoader.Loaded, surroundings: Surroundings, log: Log) {
        let startedAt = loop.now
        let cache = ResultCache(on: loop, bytesMax: loaded.configuration.cacheBytes)
        let inFlight = InFlight<PageKey, CachedPage>(
            on: loop,
            flightsMax: Self.flightsMax,
            waitersMax: Self.waitersMax
        )
        let client = HTTPClient(
            loop: loop,
            configuration: HTTPClientConfiguration(userAgent: "searchd/\(Version.program)")
        )
        let upstream = UpstreamFigures()
        let directory = DirectoryBox(loaded.directory)
        let wallClock: @Sendable () -> Int64 = { platform_realtime_ns() / 1_000_000_000 }
        let fetcher = HTTPPageFetcher(
            client: client,
            directory: loaded.directory,
            figures: upstream,
            wallClock: wallClock
        )
        let loader = PageLoader(on: loop, cache: cache, inFlight: inFlight, fetcher: fetcher)
        let federation = Federation(on: loop, loader: loader, walkBytesMax: loaded.configuration.cacheBytes)
        var methods: [any Method] = [
            HelloMethod(), PingMethod(startedAt: startedAt), StatsMethod(),
            SearchMethod(loop: loop, federation: federation, directory: directory),
            SourceListMethod(directory: directory, figures: upstream, wallClock: wallClock),
        ]
        methods.append(DiscoverMethod(version: Version.program, others: methods.map(\.description)))
        let facts = ServerFacts(
            version: Version.program,
            processID: surroundings.processID,
            userID: surroundings.userID,
            startedAt: startedAt,
            capabilities: ["search", "stream", "batch", "sources"],
            engineFigures: {
                // All of these live on the loop, where the figures are asked for.
                EngineFigures(
                    cache: cache.assumeIsolated { $0.figures },
                    flights: inFlight.assumeIsolated { $0.flightCount },
                    waiters: inFlight.assumeIsolated { $0.waiterCount },
                    upstream: upstream.bySource
                ).members
            }
        )
        var random = SystemRandomNumberGenerator()
        board = Switchboard(
            on: loop,
            methods: MethodTable(methods),
            facts: facts,
            log: log,
            hashSeed: random.next()
        )
        self.client = client
        self.inFlight = inFlight
    }

    /// Ends it: what is in flight is finished until the deadline, then cut off.
    func drain(until deadline: Instant) async {
        await board.drain(until: deadline)
        await inFlight.cancelAll()
        await client.shutdown()
    }
}

/// The engine's part of `server/stats`.
private struct EngineFigures {
    let cache: PageStore.Figures
    let flights: Int
    let waiters: Int
    let upstream: [SourceName: [String: Int]]

    var members: [JSONMember] {
        [
            JSONMember(
                "cache",
                [
                    "entries": integer(cache.entries), "bytes": integer(cache.bytes), "hits": integer(cache.hits),
                    "misses": integer(cache.misses), "evictions": integer(cache.evictions),
                ]
            ),
            JSONMember("flights", ["calls": integer(flights), "waiters": integer(waiters)]),
            JSONMember(
                "upstream",
                .object(
                    upstream.sorted { $0.key < $1.key }.map { source, outcomes in
                        JSONMember(
                            source.text,
                            .object(outcomes.sorted { $0.key < $1.key }.map { JSONMember($0.key, integer($0.value)) })
                        )
                    }
                )
            ),
        ]
    }

    private func integer(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }
}
