import CPlatform
import Catalogue
import Engine
import EventLoop
import Fetch
import JSON
import RPC
import SearchModel

/// The daemon put together: the engine's actors, the method table and the switchboard, all on one loop.
struct DaemonAssembly {
    static let flightsMax = 8192
    static let waitersMax = 65_536
    /// One user may have half of both, and each of its programs half of that.
    static let clientPart = 2

    let board: Switchboard
    private let loop: EventLoop
    private let log: Log
    private let options: CommandLineOptions
    private let notice: ServiceNotice
    private let client: HTTPClient
    private let inFlight: InFlight<PageKey, CachedPage>
    private let limits: QuotaKeeping
    private let disk: DiskTier?
    private let cache: ResultCache
    private let federation: Federation
    private let directory: DirectoryBox
    private let data: PersonalData
    private let upstream: UpstreamFigures
    private let idleWatch = Locked<IdleWatch?>(nil)
    /// Nil before the daemon is complete, and when it ends.
    private let reloader = Locked<Reloader?>(nil)

    private static func inFlight(on loop: EventLoop) -> InFlight<PageKey, CachedPage> {
        InFlight(on: loop, flightsMax: flightsMax, waitersMax: waitersMax, clientPart: clientPart)
    }

    private static func federation(
        on loop: EventLoop,
        _ loader: PageLoader,
        _ limiter: RateLimiter,
        walkBytesMax: Int,
        wallClock: @escaping @Sendable () -> Int64
    ) -> Federation {
        Federation(
            on: loop,
            loader: loader,
            // It is asked on the loop.
            outlooks: { sources, priority in limiter.onLoop { $0.outlooks(sources, priority) } },
            walkBytesMax: walkBytesMax,
            wallClock: wallClock
        )
    }

    private static func personal(
        _ data: PersonalData,
        _ finder: ItemFinder,
        _ directory: DirectoryBox,
        _ cache: ResultCache,
        _ disk: DiskTier?,
        _ wallClock: @escaping @Sendable () -> Int64
    ) -> [any Method] {
        [
            HistoryListMethod(data: data), HistoryClearMethod(data: data, cache: cache, disk: disk),
            LibrarySaveMethod(data: data, finder: finder, directory: directory, wallClock: wallClock),
            LibraryRemoveMethod(data: data), LibraryNoteMethod(data: data), LibraryTagMethod(data: data),
            LibraryListMethod(data: data), LibraryGetMethod(data: data), LibraryWatchMethod(data: data),
            LibraryUnwatchMethod(),
        ]
    }

    private static func upstream(_ budget: DescriptorBudget) -> HTTPClientConfiguration {
        var configuration = HTTPClientConfiguration(userAgent: "searchd/\(Version.program)")
        configuration.exchangesMax = budget.exchanges
        configuration.idleConnectionsMax = min(configuration.idleConnectionsMax, budget.exchanges)
        return configuration
    }

    /// Makes everything; on the loop.
    ///
    /// Without storage, what is kept lasts as long as the daemon does. Pages come from `fetcher`, and over HTTP without one.
    init(
        on loop: EventLoop,
        loaded: ConfigurationLoader.Loaded,
        surroundings: ProcessEnvironment,
        log: Log,
        storage: StoragePaths? = nil,
        personal: PersonalPlace? = nil,
        options: CommandLineOptions = CommandLineOptions(),
        notice: ServiceNotice? = nil,
        budget: DescriptorBudget = DescriptorBudget(limit: .max),
        fetcher: (any PageFetcher)? = nil
    ) {
        (self.loop, self.log, self.options) = (loop, log, options)
        self.notice = notice ?? ServiceNotice(surroundings)
        cache = ResultCache(on: loop, bytesMax: loaded.configuration.cacheBytes)
        inFlight = Self.inFlight(on: loop)
        client = HTTPClient(loop: loop, configuration: Self.upstream(budget))
        let directory = DirectoryBox(loaded.directory)
        let changes = ChangeTeller()
        let upstream = UpstreamFigures { changes.tell($0) }
        (self.directory, self.upstream) = (directory, upstream)
        let wallClock: @Sendable () -> Int64 = { platform_realtime_ns() / 1_000_000_000 }
        let sender = NetworkSender(client)
        let http = HTTPPageFetcher(sender: sender, directory: directory, figures: upstream, wallClock: wallClock)
        limits = QuotaKeeping(on: loop, storage, log) { changes.tell($0) }
        let limiter = limits.limiter
        limiter.onLoop { $0.configure(loaded.directory.all) }
        let limited = LimitedFetcher(on: loop, limiter: limiter, fetcher: fetcher ?? http)
        let throttle = RequestThrottle(on: loop) { directory.current[$0]?.limits.concurrency }
        let throttled = ThrottledFetcher(throttle, before: limited)
        disk = storage.flatMap { DiskTier($0, bytesMax: loaded.configuration.diskBytes, on: loop, directory, log) }
        let sessions = SessionResources(on: loop, log: log, repeatedUses: cache.repeatedUses)
        let permissions = Permissions(of: surroundings, adminGroupID: loaded.adminGroup)
        let history = loaded.configuration.history
        let data = PersonalData(on: loop, personal, sessions, permissions, history, wallClock: wallClock)
        self.data = data
        let own = PersonalPages(data: data, wallClock: wallClock)
        let loader = PageLoader(on: loop, cache: cache, tier: disk, inFlight: inFlight, fetcher: throttled, own: own)
        let walkBytesMax = loaded.configuration.cacheBytes
        federation = Self.federation(on: loop, loader, limiter, walkBytesMax: walkBytesMax, wallClock: wallClock)
        let facts = ServerFacts(surroundings, startedAt: loop.now)
        let finder = ItemFinder(on: loop, loader: loader, cache: cache, tier: disk)
        let engine = EngineFigures.reader(cache, disk, inFlight, federation, upstream, throttle, limiter)
        let figures: @Sendable () -> DaemonFigures = { sessions.figures(of: facts, engine()) }
        let reloader = reloader
        let methods = MethodTable(
            [
                HelloMethod(server: facts), PingMethod(startedAt: facts.startedAt), StatsMethod(figures: figures),
                MetricsMethod(figures: figures),
                ReloadMethod { () throws(SearchError) in try Self.reload(reloader) },
                SearchMethod(federation: federation, directory: directory, data: data, log: log),
                LookupMethod(on: loop, finder, directory, data),
            ] + Self.personal(data, finder, directory, cache, disk, wallClock) + [
                // It is asked on the loop.
                SourceListMethod(directory: directory, data: data, figures: upstream, wallClock: wallClock) {
                    limiter.onLoop { $0.standings() }
                },
                CacheStatsMethod(cache: cache, disk: disk),
                CacheClearMethod(cache: cache, disk: disk, directory: directory),
                DiscoverMethod(),
            ],
            notifications: [CancelRequest()]
        )
        board = Switchboard(sessions, methods: methods, permissions: permissions)
        let service = self
        changes.follow { service.changed($0) }
        let loading = ConfigurationLoader(surroundings: surroundings, options: options)
        let loadedReloader = Reloader(loading, loaded: loaded, log: log, notice: self.notice) { service.apply($0, $1) }
        reloader.withLock { $0 = loadedReloader }
    }

    /// How the daemon is doing, in one line.
    var statusLine: String { StatusLine.text(directory.current, health: upstream.bySource.mapValues(\.health)) }

    /// Logs a change that administrators want to know of; on the loop.
    private func changed(_ change: StateChange) {
        log.changed(change)
        notice.tell(statusLine)
    }

    // MARK: Reloading

    /// Reads configuration, sources and keys again; on the loop.
    @discardableResult
    func reload() throws(SearchError) -> ReloadReport {
        try Self.reload(reloader)
    }

    private static func reload(_ reloader: Locked<Reloader?>) throws(SearchError) -> ReloadReport {
        guard let reloader = reloader.withLock({ $0 }) else { throw SessionErrors.shuttingDown }
        return try reloader.reload()
    }

    /// Puts what was loaded in force, all of it within one turn of the loop.
    ///
    /// Searches under way finish with what they began with.
    private func apply(_ loaded: ConfigurationLoader.Loaded, _ comparison: ReloadComparison) {
        let before = directory.current
        let ended = directory.replace(with: loaded.directory, keepsEdition: comparison.keepsEdition)
        let cacheBytes = loaded.configuration.cacheBytes
        // All of these live on the loop.
        cache.onLoop { cache in
            cache.removeAll(of: ended)
            cache.resize(to: cacheBytes)
        }
        forgetOnDisk(ended)
        federation.onLoop { $0.resize(walkBytesMax: cacheBytes) }
        limits.limiter.onLoop { $0.configure(loaded.directory.all) }
        data.historySettings = loaded.configuration.history
        board.onLoop { $0.reloaded(adminGroupID: loaded.adminGroup) }
        // What is under way may still meet the keys of before.
        log.follow(loaded.configuration, options, secrets: loaded.directory.secrets + before.secrets)
        idleWatch.withLock { $0 }?.wait(loaded.configuration.idleExit)
        notice.tell(statusLine)
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

    // MARK: Shutdown

    /// Calls back once no client has been connected and nothing in flight for so long; nil for never.
    ///
    /// On the loop.
    func endWhenIdle(_ pause: Duration?, end: @escaping @Sendable (Duration) -> Void) {
        let watch = IdleWatch(
            on: loop,
            idleSince: { [board, inFlight] in
                // Both live on the loop, where this is asked.
                inFlight.onLoop { $0.flightCount } == 0 ? board.onLoop { $0.emptySince } : nil
            },
            end: end
        )
        idleWatch.withLock { $0 = watch }
        watch.wait(pause)
    }

    /// Ends it: what is in flight is finished until the deadline, then cut off; what must last is written at last.
    func drain(until deadline: Instant) async {
        reloader.withLock { $0 = nil }
        await board.drain(until: deadline)
        await inFlight.cancelAll()
        await client.shutdown()
        await limits.close()
        await data.close()
        await disk?.close()
    }
}

/// Passes changes to a follower that is set later.
private final class ChangeTeller: Sendable {
    private let follower = Locked<(@Sendable (StateChange) -> Void)?>(nil)

    func follow(_ follower: @escaping @Sendable (StateChange) -> Void) {
        self.follower.withLock { $0 = follower }
    }

    func tell(_ change: StateChange) { follower.withLock { $0 }?(change) }
}
