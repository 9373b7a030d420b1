import CPlatform
import Catalogue
import Engine
import EventLoop
import Fetch
import JSON
import RPC
import SearchModel
import Storage

/// The daemon put together: the engine's actors, the method table and the switchboard, all on one loop.
struct Service {
    static let flightsMax = 8192
    static let waitersMax = 65_536

    let board: Switchboard
    private let client: HTTPClient
    private let inFlight: InFlight<PageKey, CachedPage>
    private let limits: QuotaKeeping
    private let disk: DiskTier?

    /// Makes everything; on the loop.
    ///
    /// Without storage, what is kept lasts as long as the daemon does.
    init(
        on loop: EventLoop,
        loaded: ConfigurationLoader.Loaded,
        surroundings: Surroundings,
        log: Log,
        storage: StoragePlaces? = nil
    ) {
        let startedAt = loop.now
        let bytesMax = loaded.configuration.cacheBytes
        let cache = ResultCache(on: loop, bytesMax: bytesMax)
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
        let http = HTTPPageFetcher(
            client: client,
            directory: loaded.directory,
            figures: upstream,
            wallClock: wallClock
        )
        let limits = QuotaKeeping(on: loop, storage, log)
        let limiter = limits.limiter
        limiter.assumeIsolated { $0.configure(loaded.directory.all) }
        let limited = LimitedFetcher(on: loop, limiter: limiter, fetcher: http)
        let throttle = RequestThrottle(on: loop) { directory.current[$0]?.limits.concurrency }
        let fetcher = ThrottledFetcher(throttle, before: limited)
        let disk = storage.flatMap { Self.diskTier($0, bytesMax: loaded.configuration.diskBytes, on: loop, log) }
        let loader = PageLoader(on: loop, cache: cache, disk: disk, inFlight: inFlight, fetcher: fetcher)
        let federation = Federation(on: loop, loader: loader, walkBytesMax: loaded.configuration.cacheBytes)
        var methods: [any Method] = [
            HelloMethod(), PingMethod(startedAt: startedAt), StatsMethod(), MetricsMethod(),
            SearchMethod(federation: federation, directory: directory),
            SourceListMethod(
                directory: directory,
                figures: upstream,
                // It is asked on the loop.
                standings: { limiter.assumeIsolated { $0.standings() } },
                wallClock: wallClock
            ),
            CacheStatsMethod(cache: cache, disk: disk),
            CacheClearMethod(cache: cache, disk: disk, directory: directory),
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
                    disk: disk?.figures,
                    flights: inFlight.assumeIsolated { $0.figures },
                    searches: federation.assumeIsolated { $0.figures },
                    upstream: upstream.bySource
                )
            }
        )
        var random = SystemRandomNumberGenerator()
        board = Switchboard(
            on: loop,
            methods: MethodTable(methods),
            facts: facts,
            log: log,
            hashSeed: random.next(),
            repeatedUses: cache.repeatedUses
        )
        self.client = client
        self.inFlight = inFlight
        self.limits = limits
        self.disk = disk
    }

    /// The pages on disk; nil when none are to be kept, or there is no place for them.
    private static func diskTier(
        _ storage: StoragePlaces,
        bytesMax: Int,
        on loop: EventLoop,
        _ log: Log
    ) -> DiskTier? {
        guard bytesMax > 0, let file = storage.pagesFile else { return nil }
        let wallClock: @Sendable () -> Int64 = { platform_realtime_ns() }
        let archive = PageArchive(file, bytesMax: bytesMax, on: storage.loop, wallClock: wallClock) { line in
            log.warning(line)
        }
        return DiskTier(on: loop, archive: archive, wallClock: wallClock)
    }

    /// Ends it: what is in flight is finished until the deadline, then cut off.
    func drain(until deadline: Instant) async {
        await board.drain(until: deadline)
        await inFlight.cancelAll()
        await client.shutdown()
        await limits.close()
        await disk?.close()
    }
}
