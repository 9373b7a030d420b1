import CPlatform
import Catalogue
import Engine
import EventLoop
import HTTP
import SearchModel
import Upstream

/// The engine put together: calls to sources within their limits, cached pages, searches and lookups; all on one loop.
struct EngineAssembly {
    /// More than may wait and run in the throttle, which shares that out between users.
    static let flightsMax = 16_384

    let directory: DirectoryBox
    let upstream: UpstreamFigures
    let limiter: RateLimiter
    let cache: ResultCache
    let disk: DiskTier?
    let federation: Federation
    let finder: ItemFinder
    let pictures: PictureLoader
    /// What all of it counts.
    let figures: @Sendable () -> EngineFigures
    private let loop: EventLoop
    private let client: HTTPClient
    private let inFlight: InFlight<PageKey, CachedPage>
    private let limits: QuotaKeeping

    /// Makes everything; on the loop.
    ///
    /// Without storage, what is kept lasts as long as the daemon does. Pages come from `fetcher`, and over HTTP without
    /// one.
    init(
        on loop: EventLoop,
        _ loaded: ConfigurationLoader.Loaded,
        _ cache: ResultCache,
        own: any OwnPages,
        storage: StoragePaths?,
        descriptors: Int,
        fetcher: (any PageFetcher)?,
        wallClock: @escaping @Sendable () -> Int64,
        log: Log,
        changed: @escaping @Sendable (StateChange) -> Void
    ) {
        (self.loop, self.cache) = (loop, cache)
        let directory = DirectoryBox(loaded.directory)
        let upstream = UpstreamFigures(changed: changed)
        inFlight = InFlight(on: loop, flightsMax: Self.flightsMax)
        client = HTTPClient(loop: loop, configuration: Self.configuration(descriptors))
        pictures = PictureLoader(on: loop, cache: cache, fetcher: PictureFetcher(client))
        let sender = NetworkSender(client)
        let http = HTTPPageFetcher(
            sender: sender,
            source: { directory.source(of: $0)?.upstream },
            figures: upstream,
            wallClock: wallClock
        )
        limits = QuotaKeeping(on: loop, storage, log, changed: changed)
        let limiter = limits.limiter
        limiter.onLoop { $0.configure(loaded.directory.all.map(\.upstream)) }
        // Both live on the loop.
        let throttle = RequestThrottle(
            on: loop,
            slots: { source in limiter.onLoop { $0.slots(of: source) } },
            rateDelay: { source, priority, others in
                limiter.onLoop { $0.delay(source, priority, behind: others) }
            }
        )
        let upstreamFetcher = UpstreamFetcher(on: loop, throttle: throttle, limiter: limiter, sender: fetcher ?? http)
        disk = storage.flatMap { DiskTier($0, bytesMax: loaded.configuration.diskBytes, on: loop, directory, log) }
        let loader = PageLoader(
            on: loop,
            cache: cache,
            tier: disk,
            inFlight: inFlight,
            fetcher: upstreamFetcher,
            own: own
        )
        federation = Federation(
            on: loop,
            loader: loader,
            // It is asked on the loop.
            outlooks: { sources, priority, user in
                limiter.onLoop { $0.outlooks(sources, priority, for: user) }
            },
            walkBytesMax: loaded.configuration.cacheBytes,
            wallClock: wallClock
        )
        finder = ItemFinder(on: loop, loader: loader, cache: cache, tier: disk)
        figures = EngineFigures.reader(cache, disk, inFlight, federation, upstream, throttle, limiter)
        (self.directory, self.upstream, self.limiter) = (directory, upstream, limiter)
    }

    /// One exchange may need two tries to connect and the look-up of a name at a time; clients get half of the
    /// descriptors.
    private static func configuration(_ descriptors: Int) -> HTTPClientConfiguration {
        var configuration = HTTPClientConfiguration(userAgent: "searchd/\(Version.program)")
        configuration.exchangesMax = min(configuration.exchangesMax, max(1, descriptors / 8))
        configuration.idleConnectionsMax = min(configuration.idleConnectionsMax, configuration.exchangesMax)
        return configuration
    }

    /// Whether no call is under way; on the loop.
    var isIdle: Bool { inFlight.onLoop { $0.flightCount } == 0 && pictures.flightCount == 0 }

    /// Puts what was loaded in force, all of it within one turn of the loop.
    ///
    /// Searches under way finish with what they began with.
    func apply(_ loaded: ConfigurationLoader.Loaded, _ comparison: ReloadComparison) {
        let ended = directory.replace(with: loaded.directory, keepsEdition: comparison.keepsEdition)
        let cacheBytes = loaded.configuration.cacheBytes
        // All of these live on the loop.
        cache.onLoop { cache in
            cache.removeAll(of: ended)
            cache.resize(to: cacheBytes)
        }
        forgetOnDisk(ended)
        federation.onLoop { $0.resize(walkBytesMax: cacheBytes) }
        limiter.onLoop { $0.configure(loaded.directory.all.map(\.upstream)) }
        _ = loop.schedule(at: loop.now.advanced(by: SearchRequest.timeoutMax)) {
            [directory, replacement = directory.replacements] in
            directory.forgetRetired(upTo: replacement)
        }
    }

    /// Has pages of sources that are others now removed from the disk; what is kept from here on stays.
    private func forgetOnDisk(_ sources: Set<SourceName>) {
        guard let disk else { return }
        for source in sources {
            Task(executorPreference: loop) { _ = await disk.remove(PageSelection(source: source.text)) }
        }
    }

    /// Cuts off the calls that are still under way.
    func cancelAll() async {
        await inFlight.cancelAll()
        await pictures.cancelAll()
        await client.shutdown()
    }

    /// Writes what must last.
    func close() async {
        await limits.close()
        await disk?.close()
    }
}
