import CPlatform
import Catalogue
import Engine
import EventLoop
import Fetching
import Fleet
import HTTP
import RPC
import SearchModel
import Storage
import Upstream

/// Creates all parts that answer searches: calls to sources, their limits, the cache, and lookups.
struct EngineAssembly {
    static let flightsMax = 16_384
    private static let fileShare = 8

    let registry: CurrentSources
    let upstream: UpstreamFigures
    let limiter: RateLimiter
    let cache: ResultCache
    let disk: DiskTier?
    let federation: Federation
    let finder: ItemFinder
    let pictures: PictureLoader
    let webPages: WebPageLoader
    private let loop: EventLoop
    private let client: HTTPClient
    private let inFlight: InFlight<PageKey, FetchedPage>
    private let throttle: RequestThrottle
    private let ledger: SQLiteQuotaStore
    private let fleet: Fleet?
    private let files: Locked<SourceFiles>

    /// Must run on the loop; without `storage`, all data is in memory.
    init(
        on loop: EventLoop,
        _ loaded: ConfigurationLoader.Loaded,
        own: any OwnPages,
        storage: StoragePaths?,
        descriptors: Int,
        fetcher: (any PageFetcher)?,
        wallClock: @escaping @Sendable () -> Int64,
        log: Log,
        changed: @escaping @Sendable (StateChange) -> Void
    ) {
        self.loop = loop
        let cacheBytes = loaded.configuration.cacheBytes
        let fileBytes = cacheBytes / Self.fileShare
        cache = ResultCache(on: loop, bytesMax: cacheBytes, fileBytes: 2 * fileBytes)
        let registry = CurrentSources(loaded.registry)
        let upstream = UpstreamFigures(changed: changed)
        inFlight = InFlight(on: loop, flightsMax: Self.flightsMax)
        client = HTTPClient(loop: loop, configuration: Self.configuration(descriptors))
        pictures = PictureLoader(on: loop, cacheBytes: fileBytes, client: client)
        let pageHosts = loaded.configuration.pageHosts
        webPages = WebPageLoader(on: loop, cacheBytes: fileBytes, client: client, allowedHosts: pageHosts)
        let http = HTTPPageFetcher(
            client: client,
            source: { registry.source(of: $0)?.upstream },
            wallClock: wallClock,
            record: { upstream.record($0, $1, status: $2, after: $3, at: wallClock()) }
        )
        let file = storage?.ledgerFile
        let ledgerLoop = file == nil ? loop : storage?.ledgerLoop ?? loop
        let ledger = SQLiteQuotaStore(file, on: ledgerLoop, wallClock: wallClock) { log.error($0) }
        self.ledger = ledger
        let fleet = loaded.fleet.map { settings in
            Fleet(settings, on: loop, ledger: ledger, wallClock: wallClock) { changed(StateChange($0, $1)) }
        }
        let limiter = RateLimiter(
            on: loop,
            store: fleet?.limits ?? ledger,
            shared: fleet?.limits,
            wallClock: wallClock,
            changed: changed
        )
        limiter.onLoop { $0.configure(loaded.registry.all.map(\.upstream)) }
        throttle = RequestThrottle(
            on: loop,
            slots: { source in limiter.onLoop { $0.slots(of: source) } },
            rateDelay: { source, others in limiter.onLoop { $0.delay(source, behind: others) } }
        )
        let upstreamFetcher = UpstreamFetcher(on: loop, throttle: throttle, limiter: limiter, http: fetcher ?? http)
        disk = storage.flatMap { Self.disk($0, loaded.configuration.diskBytes, on: loop, registry, log) }
        let files = Locked(loaded.files)
        let loader = PageLoader(
            on: loop,
            cache: cache,
            tier: disk,
            shared: fleet.map { fleet in
                SharedTier(
                    on: loop,
                    fleet.pages,
                    refusal: { source, demand in limiter.onLoop { $0.refusal(source, for: demand) } },
                    edition: { key in
                        registry.currentSource(of: key).map { source in
                            source.sharedEdition(files.withLock { $0.digest(ofAccount: source.source.account) })
                        }
                    }
                )
            },
            inFlight: inFlight,
            fetcher: upstreamFetcher,
            own: own
        )
        federation = Federation(
            on: loop,
            loader: loader,
            outlooks: { sources, priority, user in
                limiter.onLoop { $0.outlooks(sources, priority, for: user) }
            },
            walkBytesMax: cacheBytes,
            wallClock: wallClock
        )
        finder = ItemFinder(on: loop, loader: loader, cache: cache, tier: disk)
        (self.registry, self.upstream, self.limiter) = (registry, upstream, limiter)
        (self.fleet, self.files) = (fleet, files)
        fleet?.start { change in limiter.onLoop { $0.follow(change) } }
    }

    private static func disk(
        _ storage: StoragePaths,
        _ bytesMax: Int,
        on loop: EventLoop,
        _ registry: CurrentSources,
        _ log: Log
    ) -> DiskTier? {
        guard bytesMax > 0, let file = storage.pagesFile else { return nil }
        return DiskTier(
            on: loop,
            archive: PageArchive(file, bytesMax: bytesMax, on: storage.loop) { log.warning($0) },
            isCurrent: { registry.currentSource(of: $0) != nil },
            wallClock: { platform_realtime_ns() }
        )
    }

    /// Half of the descriptors are for clients, and a call to a source may need several.
    private static func configuration(_ descriptors: Int) -> HTTPClientConfiguration {
        var configuration = HTTPClientConfiguration(userAgent: "searchd/\(Version.program)")
        configuration.exchangesMax = min(configuration.exchangesMax, max(1, descriptors / 8))
        configuration.idleConnectionsMax = min(configuration.idleConnectionsMax, configuration.exchangesMax)
        return configuration
    }

    /// Must be read on the loop.
    var figures: EngineFigures {
        EngineFigures(
            cache: cache.onLoop { $0.figures },
            disk: disk?.figures,
            flights: inFlight.onLoop { $0.flightCount },
            waiters: inFlight.onLoop { $0.waiterCount },
            searches: federation.onLoop { $0.figures },
            upstream: upstream.bySource,
            standings: limiter.onLoop { $0.standings() },
            ledgerFailure: limiter.onLoop { $0.storeFailure },
            waiting: throttle.onLoop { $0.waitingCount },
            fleet: fleet?.engine.figures
        )
    }

    /// Must be read on the loop.
    var isIdle: Bool {
        inFlight.onLoop { $0.flightCount } == 0 && pictures.files.flightCount == 0
            && webPages.files.flightCount == 0
    }

    /// Searches in flight finish with the old settings.
    func apply(_ loaded: ConfigurationLoader.Loaded, _ previous: ConfigurationLoader.Loaded) {
        files.withLock { $0 = loaded.files }
        let ended = registry.replace(with: loaded.registry) { loaded.keepsPages(of: $0, for: $1, since: previous) }
        let cacheBytes = loaded.configuration.cacheBytes
        let fileBytes = cacheBytes / Self.fileShare
        cache.onLoop { $0.apply(bytesMax: cacheBytes, fileBytes: 2 * fileBytes, changed: ended) }
        pictures.files.onLoop { $0.resize(to: fileBytes) }
        webPages.files.onLoop { $0.resize(to: fileBytes) }
        webPages.onLoop { $0.allow(loaded.configuration.pageHosts) }
        forgetOnDisk(ended)
        federation.onLoop { $0.resize(walkBytesMax: cacheBytes) }
        limiter.onLoop { $0.configure(loaded.registry.all.map(\.upstream)) }
        upstream.reloaded { loaded.registry[$0]?.access.secrets != previous.registry[$0]?.access.secrets }
    }

    private func forgetOnDisk(_ sources: Set<SourceName>) {
        guard let disk else { return }
        for source in sources {
            Task(executorPreference: loop) { _ = await disk.remove(PageSelection(source: source.text)) }
        }
    }

    func clearFiles() {
        pictures.files.onLoop { $0.clear() }
        webPages.files.onLoop { $0.clear() }
    }

    func cancelAll() async {
        await inFlight.cancelAll()
        await pictures.files.cancelAll()
        await webPages.files.cancelAll()
        await Task(executorPreference: loop) { [fleet] in fleet?.engine.close() }.value
        await client.shutdown()
    }

    func close() async {
        await ledger.close()
        await disk?.close()
    }
}

extension ConfiguredSource {
    /// If this text is equal on two hosts, they can share the pages of this source.
    fileprivate func sharedEdition(_ files: String) -> String {
        let settings = access.settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let names = access.secrets.keys.sorted()
        return ([Version.program, files, access.baseURL ?? ""] + settings + names).joined(separator: "\n")
    }
}

extension ConfigurationLoader.Loaded {
    var secrets: [Secret] { registry.secrets + [fleet?.password].compactMap(\.self) }
}

extension StateChange {
    fileprivate init(_ trouble: SharedServerError?, _ figures: SharedServer.Figures) {
        guard let trouble else {
            let message = "limits and pages are shared through \(figures.name ?? "the server") at \(figures.address)"
            self.init(.fleet, message, isTrouble: false)
            return
        }
        let message = "the shared server at \(figures.address) can't be used: \(trouble.message). \(trouble.hint)"
        self.init(.fleet, message, isTrouble: true)
    }
}
