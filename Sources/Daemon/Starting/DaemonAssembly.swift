import CPlatform
import Catalogue
import Engine
import EventLoop
import HTTP
import JSON
import Personal
import RPC
import SearchModel
import Upstream

/// The daemon put together: the engine, users' data, the method table and the switchboard, all on one loop.
struct DaemonAssembly {
    let board: Switchboard
    private let loop: EventLoop
    private let log: Log
    private let options: CommandLineOptions
    private let notice: ServiceNotice
    private let engine: EngineAssembly
    let data: PersonalData
    private let idleWatch = Locked<IdleWatch?>(nil)
    /// Nil before the daemon is complete, and when it ends.
    private let reloader = Locked<Reloader?>(nil)

    private static func methods(
        _ engine: EngineAssembly,
        _ data: PersonalData,
        _ facts: ServerFacts,
        figures: @escaping @Sendable () -> DaemonFigures,
        reload: @escaping @Sendable () throws(SearchError) -> ReloadReport,
        wallClock: @escaping @Sendable () -> Int64,
        log: Log,
        on loop: EventLoop
    ) -> MethodTable {
        let (directory, finder, limiter) = (engine.directory, engine.finder, engine.limiter)
        let standings: @Sendable () -> [SourceName: SourceStanding] = { limiter.onLoop { $0.standings() } }
        let methods: [any Method] = [
            HelloMethod(server: facts), PingMethod(startedAt: facts.startedAt),
            StatsMethod(figures: figures, data: data),
            MetricsMethod(figures: figures),
            ReloadMethod(reload: reload),
            SearchMethod(
                federation: engine.federation,
                directory: directory,
                answers: AnswerCache(on: loop, engine.cache),
                data: data,
                log: log
            ),
            LookupMethod(loop: loop, finder: finder, directory: directory, data: data),
            SuggestMethod(data: data),
            ImageMethod(directory: directory, loader: engine.pictures),
            HistoryListMethod(data: data), HistoryClearMethod(data: data),
            LibrarySaveMethod(data: data, finder: finder, directory: directory, wallClock: wallClock),
            LibraryRemoveMethod(data: data), LibraryNoteMethod(data: data), LibraryTagMethod(data: data),
            LibraryListMethod(data: data), LibraryGetMethod(data: data), LibraryWatchMethod(data: data),
            LibraryUnwatchMethod(), LibraryRefreshMethod(data: data),
            LibraryBackupMethod(data: data),
            // It is asked on the loop.
            SourceListMethod(
                directory: directory,
                data: data,
                figures: engine.upstream,
                wallClock: wallClock,
                standings: standings
            ),
            QuotaSetMethod(limiter: limiter),
            CacheStatsMethod(cache: engine.cache, disk: engine.disk),
            CacheClearMethod(cache: engine.cache, disk: engine.disk, directory: directory),
            DiscoverMethod(),
        ]
        return MethodTable(methods, notifications: [CancelRequest()])
    }

    /// Makes everything; on the loop.
    ///
    /// Without storage, what is kept lasts as long as the daemon does. Pages come from `fetcher`, and over HTTP without
    /// one.
    init(
        on loop: EventLoop,
        loaded: ConfigurationLoader.Loaded,
        surroundings: ProcessEnvironment,
        log: Log,
        storage: StoragePaths? = nil,
        personal: PersonalPlace? = nil,
        options: CommandLineOptions = CommandLineOptions(),
        notice: ServiceNotice? = nil,
        descriptors: Int = .max,
        fetcher: (any PageFetcher)? = nil
    ) {
        (self.loop, self.log, self.options) = (loop, log, options)
        self.notice = notice ?? ServiceNotice(surroundings)
        let changes = ChangeTeller()
        let wallClock: @Sendable () -> Int64 = { platform_realtime_ns() / 1_000_000_000 }
        let cache = ResultCache(on: loop, bytesMax: loaded.configuration.cacheBytes)
        let sessions = SessionResources(on: loop, log: log)
        sessions.usage.limits = SessionLimits(descriptors: descriptors, daemonUser: surroundings.userID)
        let permissions = Permissions(of: surroundings, adminGroupID: loaded.adminGroup)
        let history = loaded.configuration.history
        let data = PersonalData(on: loop, personal, log, permissions, history, wallClock: wallClock)
        let engine = EngineAssembly(
            on: loop,
            loaded,
            cache,
            own: PersonalPages(data: data, wallClock: wallClock),
            storage: storage,
            descriptors: descriptors,
            fetcher: fetcher,
            wallClock: wallClock,
            log: log,
            changed: { changes.tell($0) }
        )
        data.refresher = ItemRefresher(finder: engine.finder, directory: engine.directory, limiter: engine.limiter)
        (self.data, self.engine) = (data, engine)
        let facts = ServerFacts(surroundings, startedAt: loop.now)
        let reloader = reloader
        let (allowance, file) = (MemoryAllowance.current, loaded.file)
        if let problem = allowance.problem(cacheBytes: loaded.configuration.cacheBytes, file: file) {
            log.warning("\(problem.message): \(problem.hint)")
        }
        let methods = Self.methods(
            engine,
            data,
            facts,
            figures: {
                var figures = sessions.figures(of: facts, engine.figures())
                figures.reloadRefusedAt = reloader.withLock { $0 }?.refusedAt
                figures.cacheProblem = allowance.problem(cacheBytes: figures.engine.cache.limit, file: file)
                return figures
            },
            reload: { () throws(SearchError) in try Self.reload(reloader) },
            wallClock: wallClock,
            log: log,
            on: loop
        )
        board = Switchboard(sessions, methods: methods, permissions: permissions)
        let service = self
        changes.follow { service.changed($0) }
        let loading = ConfigurationLoader(surroundings: surroundings, options: options)
        let loadedReloader = Reloader(loading, loaded: loaded, log: log, notice: self.notice, wallClock: wallClock) {
            service.apply($0, $1)
        }
        reloader.withLock { $0 = loadedReloader }
    }

    /// How the daemon is doing, in one line.
    var statusLine: String {
        StatusLine.text(engine.directory.current, health: engine.upstream.bySource.mapValues(\.health))
    }

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
        let before = engine.directory.current
        engine.apply(loaded, comparison)
        data.historySettings = loaded.configuration.history
        board.onLoop { $0.reloaded(adminGroupID: loaded.adminGroup) }
        // What is under way may still meet the keys of before.
        log.follow(loaded.configuration, options, secrets: loaded.directory.secrets + before.secrets)
        idleWatch.withLock { $0 }?.wait(loaded.configuration.idleExit)
        notice.tell(statusLine)
    }

    // MARK: Shutdown

    /// Calls back once no client has been connected and nothing in flight for so long; nil for never.
    ///
    /// On the loop.
    func endWhenIdle(_ pause: Duration?, end: @escaping @Sendable (Duration) -> Void) {
        let watch = IdleWatch(
            on: loop,
            idleSince: { [board, engine, data] in
                // All of them live on the loop, where this is asked.
                engine.isIdle && !data.isRefreshing ? board.onLoop { $0.emptySince } : nil
            },
            end: end
        )
        idleWatch.withLock { $0 = watch }
        watch.wait(pause)
    }

    /// Ends it: what is in flight is finished until the deadline, then cut off; what must last is written at last.
    func drain(until deadline: Instant) async {
        reloader.withLock { $0 = nil }
        // Users' data is confined to the loop; wherever this is called, it goes on there.
        await Task(executorPreference: loop) { [board, data, engine] in
            data.endRefreshing()
            await board.drain(until: deadline)
            await engine.cancelAll()
            await data.close()
            await engine.close()
        }.value
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
