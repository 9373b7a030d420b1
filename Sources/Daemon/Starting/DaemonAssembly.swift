import CPlatform
import Catalogue
import Engine
import EventLoop
import Glibc
import HTTP
import JSON
import Personal
import RPC
import SearchModel
import Upstream

/// Creates, reloads and ends all parts of the daemon; used only on the loop, so `@unchecked` is safe.
final class DaemonAssembly: @unchecked Sendable {
    private static let drainMax = Duration.milliseconds(4500)
    /// After 5 s, the service manager kills the program.
    private static let endMax = Duration.milliseconds(4900)

    let server: ConnectionServer
    let data: PersonalData
    private let loop: EventLoop
    private let log: Log
    private let notice: ServiceNotice
    private let engine: EngineAssembly
    private let loader: ConfigurationLoader
    private let wallClock: @Sendable () -> Int64 = { platform_realtime_ns() / 1_000_000_000 }
    private let startedAt: Instant
    private let allowance = MemoryAllowance.current
    private var loaded: ConfigurationLoader.Loaded
    private var reloadedAt: Int64
    private var reloadRefusedAt: Int64?
    private var idleWatch: IdleWatch?
    private var isEnding = false
    var socket: DaemonSocket?

    /// Must run on the loop.
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
        (self.loop, self.log, self.loaded) = (loop, log, loaded)
        self.notice = notice ?? ServiceNotice(surroundings)
        loader = ConfigurationLoader(surroundings: surroundings, options: options)
        startedAt = loop.now
        reloadedAt = wallClock()
        let permissions = Permissions(of: surroundings, adminGroupID: loaded.adminGroup)
        server = ConnectionServer(on: loop, permissions, log: log)
        server.usage.limits = SessionLimits(descriptors: descriptors, daemonUser: surroundings.userID)
        data = PersonalData(on: loop, personal, log, permissions, loaded.configuration.history, wallClock: wallClock)
        let reference = Reference()
        engine = EngineAssembly(
            on: loop,
            loaded,
            own: PersonalPages(data: data, wallClock: wallClock),
            storage: storage,
            descriptors: descriptors,
            fetcher: fetcher,
            wallClock: wallClock,
            log: log,
            changed: { reference.daemon?.changed($0) }
        )
        reference.daemon = self
        data.refresher = ItemRefresher(finder: engine.finder, registry: engine.registry, limiter: engine.limiter)
        server.methods = MethodTable(methods(surroundings))
        if let problem = cacheProblem { log.warning("\(problem.message): \(problem.hint)") }
    }

    /// Lets the engine report changes to the daemon, which is created after the engine.
    private final class Reference: @unchecked Sendable {
        // Used only on the loop.
        weak var daemon: DaemonAssembly?
    }

    private func methods(_ surroundings: ProcessEnvironment) -> [Method] {
        let registry = engine.registry
        let serverMethods = ServerMethods(
            processID: surroundings.processID,
            userID: surroundings.userID,
            startedAt: startedAt,
            data: data,
            figures: { [self] in figures },
            reload: { [self] () throws(SearchError) in try reload() }
        )
        let search = SearchMethod(
            federation: engine.federation,
            registry: registry,
            answers: AnswerCache(on: loop, engine.cache),
            data: data,
            log: log
        )
        let items = ItemMethods(
            loop: loop,
            finder: engine.finder,
            pictures: engine.pictures,
            webPages: engine.webPages,
            registry: registry,
            data: data
        )
        let library = LibraryMethods(data: data, finder: engine.finder, registry: registry, wallClock: wallClock)
        let sources = SourceMethods(
            registry: registry,
            data: data,
            figures: engine.upstream,
            limiter: engine.limiter,
            cache: engine.cache,
            disk: engine.disk,
            clearFiles: engine.clearFiles,
            wallClock: wallClock
        )
        return serverMethods.all + [search.method] + items.all + HistoryMethods(data: data).all + library.all
            + sources.all
    }

    private var cacheProblem: (message: String, hint: String)? {
        allowance.problem(cacheBytes: loaded.configuration.cacheBytes, file: loaded.file)
    }

    private var figures: DaemonFigures {
        DaemonFigures(
            uptime: startedAt.duration(to: loop.now),
            reloadedAt: reloadedAt,
            reloadRefusedAt: reloadRefusedAt,
            counters: server.counters,
            clients: ClientActivity.all(of: server.all, at: loop.now),
            usage: server.usage.total,
            engine: engine.figures,
            cacheProblem: cacheProblem,
            loop: loop.figures
        )
    }

    var statusLine: String {
        StatusLine.text(engine.registry.current, health: engine.upstream.bySource.mapValues(\.health))
    }

    private func changed(_ change: StateChange) {
        log.changed(change)
        notice.tell(statusLine)
    }

    /// Applies all changes or none.
    ///
    /// If a file is invalid, throws `invalidParams` with the file, line and key.
    @discardableResult
    func reload() throws(SearchError) -> ReloadReport {
        guard !isEnding else { throw SessionErrors.shuttingDown }
        notice.reloading()
        defer { notice.readyAgain() }
        let after = loader.inspect()
        if let error = after.refusal {
            reloadRefusedAt = wallClock()
            log.changed(StateChange(.reload, "nothing is reloaded: \(error.message)", isTrouble: true))
            throw error
        }
        let report = ReloadReport(from: loaded, to: after)
        apply(after)
        log.changed(StateChange(.reload, report.line, isTrouble: !report.needsRestart.isEmpty))
        return report
    }

    private func apply(_ after: ConfigurationLoader.Loaded) {
        let oldSecrets = engine.registry.current.secrets
        engine.apply(after, loaded)
        (loaded, reloadedAt, reloadRefusedAt) = (after, wallClock(), nil)
        data.historySettings = after.configuration.history
        server.changeAdminGroup(after.adminGroup)
        // The log also masks the old keys, because searches in flight may still use them.
        log.follow(after.configuration, loader.options, secrets: after.secrets + oldSecrets)
        idleWatch?.wait(after.configuration.idleExit)
        notice.tell(statusLine)
    }

    /// SIGHUP reloads the configuration.
    ///
    /// Any other signal ends the daemon; a second one stops the daemon at once.
    func handle(signal: Int32) {
        switch signal {
        case SIGHUP: _ = try? reload()
        case _ where isEnding: loop.stop()
        case SIGTERM: end(for: "SIGTERM")
        default: end(for: "SIGINT")
        }
    }

    func endWhenIdle(_ pause: Duration?) {
        let watch = IdleWatch(
            on: loop,
            idleSince: { [engine, data, server] in
                engine.isIdle && !data.isRefreshing ? server.emptySince : nil
            },
            end: { [weak self] pause in self?.end(for: "no clients for \(pause.components.seconds) s") }
        )
        idleWatch = watch
        watch.wait(pause)
    }

    private func end(for reason: String) {
        guard !isEnding else { return }
        isEnding = true
        // New clients must not connect while the daemon is ending.
        socket?.remove()
        notice.stopping()
        log.notice("stopping: \(reason)")
        let start = loop.now
        _ = loop.schedule(at: start.advanced(by: Self.endMax)) { [log, loop] in
            log.error("ended before all work was finished")
            loop.stop()
        }
        Task(executorPreference: loop) { [self] in
            await drain(until: start.advanced(by: Self.drainMax))
            loop.stop()
        }
    }

    func drain(until deadline: Instant) async {
        // All parts must be used on the loop.
        await Task(executorPreference: loop) { [self] in
            isEnding = true
            data.endRefreshing()
            await server.drain(until: deadline)
            await engine.cancelAll()
            await data.close()
            await engine.close()
            // The methods refer to this object, so removing them ends the reference cycle.
            server.methods = MethodTable([])
        }.value
    }
}

extension ConfigurationLoader.Loaded {
    fileprivate var refusal: SearchError? {
        guard let first = problems.first else { return nil }
        let remedy =
            problems.count == 1
            ? "Fix it, and try again." : "“searchd --check” lists all \(problems.count) problems."
        let hint = "\(remedy) The previous configuration stays in effect."
        var error = SearchError(.invalidParams, first.description, retryable: false, hint: hint)
        error.location = FileLocation(
            file: first.file,
            line: first.line == 0 ? nil : first.line,
            key: first.key.isEmpty ? nil : first.key
        )
        return error
    }
}
