import CPlatform
import Catalogue
import Engine
import EventLoop
import Glibc
import Personal
import SearchModel
import Storage

/// Runs the daemon, from opening its socket to the last response.
struct DaemonRun {
    /// Locking is tried for 6 s in all, because a previous daemon may take 5 s to end.
    private static let claimsMax = 300
    private static let claimPauseMicroseconds: useconds_t = 20_000
    /// A user occupies at most one thread, or two while a backup copy is made.
    private static let personalThreads = 4
    /// With this niceness, a thread gets 1/15 of a busy processor.
    private static let personalNiceness: Int32 = 12
    /// The free memory that each thread keeps; with less, the kernel would zero new memory for each search.
    private static let freeBytesKept = 3 << 20
    /// Larger blocks are mapped separately, so that they do not fragment the heap.
    private static let mappedBlockBytes = 512 << 10

    private let options: CommandLineOptions
    private let pipe: ReadyPipe
    private let surroundings = ProcessEnvironment.current()
    private let log: Log
    private let notice: ServiceNotice
    private let descriptors: Int

    init(_ options: CommandLineOptions, _ pipe: ReadyPipe) {
        self.options = options
        self.pipe = pipe
        log = Log(level: options.logLevel ?? .info, sink: StandardErrorSink(surroundings))
        notice = ServiceNotice(surroundings)
        let limit = platform_raise_descriptor_limit()
        // POSIX guarantees 20.
        descriptors = limit > 0 ? Int(clamping: limit) : 20
    }

    func run(signals: [Int32]) throws(StartError) -> Int32 {
        let loaded = try ConfigurationLoader(surroundings: surroundings, options: options).load()
        log.follow(loaded.configuration, options, secrets: loaded.secrets)
        for problem in loaded.problems { log.warning(problem.description) }
        if let group = loaded.configuration.adminGroup, !UserMap.distinguishesUsers {
            log.warning("adminGroup \(group) has no effect: PrivateUsers=yes in the unit hides the group's members")
        }
        switch try entrance(loaded.configuration) {
        case .inherited(let listeners):
            try serve(listeners, loaded, signals, file: nil)
        case .claimed(let socket):
            do throws(StartError) {
                try serve([socket.listener], loaded, signals, file: socket)
            } catch {
                socket.remove()
                throw error
            }
            withExtendedLifetime(socket) {}
        case .servedByAnother(let path):
            guard options.readyDescriptor == nil else {
                pipe.ready()
                return 0
            }
            throw StartError(
                "another searchd serves \(path)",
                hint: "Use or stop that searchd, or choose another path with --socket.",
                code: .unavailable
            )
        }
        return 0
    }

    private enum SocketOrigin {
        case inherited([Int32])
        case claimed(DaemonSocket)
        case servedByAnother(String)
    }

    private func entrance(_ configuration: Configuration) throws(StartError) -> SocketOrigin {
        if let named = options.socket ?? surroundings.variable("SEARCHD_SOCKET") { return try claim(named) }
        let inherited = try InheritedSockets.take(surroundings)
        if !inherited.isEmpty { return .inherited(inherited) }
        return try claim(configuration.socket ?? surroundings.socketLocation.paths[0])
    }

    private func claim(_ path: String) throws(StartError) -> SocketOrigin {
        if path == surroundings.socketLocation.privatePath {
            let directory = SmallFile.directory(of: path)
            try SocketDirectory.prepare(directory, userID: surroundings.userID, isPrivate: true)
        }
        for _ in 1...Self.claimsMax {
            if let socket = try DaemonSocket.claim(path, userID: surroundings.userID) { return .claimed(socket) }
            if (try? UnixSocket.isServed(path)) == true { return .servedByAnother(path) }
            usleep(Self.claimPauseMicroseconds)
        }
        throw StartError(
            "another searchd holds \(path).lock and does not answer",
            hint: "Find the searchd that hangs, and stop it.",
            code: .unavailable
        )
    }

    private func claim(_ paths: StoragePaths) throws(StartError) -> [DirectoryClaim] {
        var triesLeft = Self.claimsMax
        while true {
            do throws(StorageError) {
                return try paths.claim()
            } catch {
                triesLeft -= 1
                guard error.code == .inUse, triesLeft > 0 else {
                    throw StartError(error.message, hint: error.hint, code: .unavailable)
                }
            }
            usleep(Self.claimPauseMicroseconds)
        }
    }

    private func serve(
        _ listeners: [Int32],
        _ loaded: ConfigurationLoader.Loaded,
        _ signals: [Int32],
        file: DaemonSocket?
    ) throws(StartError) {
        _ = platform_keep_free_memory(Self.freeBytesKept, Self.mappedBlockBytes)
        let loop: EventLoop
        do throws(SystemError) {
            loop = try EventLoop()
        } catch {
            throw StartError("the event loop cannot be created: \(error)", hint: "Check the limit on open files.")
        }
        let storage = try Self.thread(named: "storage")
        let ledger = try Self.thread(named: "ledger")
        let personal = try (0..<Self.personalThreads).map { _ throws(StartError) in
            let thread = try Self.thread(named: "personal")
            thread.loop.perform { Self.lowerPriority() }
            return thread
        }
        let paths = StoragePaths(on: storage.loop, ledger: ledger.loop, options, loaded.configuration, surroundings)
        let claims = try claim(paths)
        let place = paths.personal(on: personal.map(\.loop))
        let failure = Locked<StartError?>(nil)
        let watch = Locked<SignalWatch?>(nil)
        loop.perform { [self] in
            do throws(SystemError) {
                let made = try begin(listeners, loaded, signals, paths, place, on: loop, file)
                watch.withLock { $0 = made }
                // Releasing memory must not delay the start, so it runs in a later turn of the event loop.
                loop.perform { platform_release_start_memory() }
            } catch {
                failure.withLock {
                    $0 = StartError("the daemon cannot start: \(error)", hint: "Check the limit on open files.")
                }
                loop.stop()
            }
        }
        loop.run()
        for thread in [storage, ledger] + personal {
            thread.loop.stop()
            thread.worker.join()
        }
        withExtendedLifetime(claims) {}
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private static func lowerPriority() {
        // PRIO_PROCESS (0) with 0 means the calling thread. A system call filter may forbid the call.
        _ = setpriority(0, 0, personalNiceness)
    }

    private static func thread(named name: String) throws(StartError) -> (loop: EventLoop, worker: WorkerThread) {
        do throws(SystemError) {
            let loop = try EventLoop(allowsLongSteps: true)
            return (loop, try loop.startThread(named: name))
        } catch {
            throw StartError("a thread cannot be created: \(error)", hint: "Check the limit on open files.")
        }
    }

    private func begin(
        _ listeners: [Int32],
        _ loaded: ConfigurationLoader.Loaded,
        _ signals: [Int32],
        _ paths: StoragePaths,
        _ place: PersonalPlace?,
        on loop: EventLoop,
        _ file: DaemonSocket?
    ) throws(SystemError) -> SignalWatch {
        let service = DaemonAssembly(
            on: loop,
            loaded: loaded,
            surroundings: surroundings,
            log: log,
            storage: paths,
            personal: place,
            options: options,
            notice: notice,
            descriptors: descriptors
        )
        service.socket = file
        let watch = try SignalWatch(signals, on: loop) { service.handle(signal: $0) }
        service.server.releaseFreeMemory = { platform_release_free_memory() }
        for listener in listeners {
            try service.server.listen(on: FileDescriptor(owning: listener), isShared: file == nil)
        }
        pipe.ready()
        notice.ready(service.statusLine)
        let listening = file.map { [$0.path] } ?? listeners.map { UnixSocket.path(of: $0) ?? "an inherited socket" }
        let sockets = listening.joined(separator: ", ")
        log.notice("searchd \(Version.program) is listening on \(sockets), \(service.statusLine)")
        notice.keepAlive(on: loop, surroundings)
        // The daemon ends when idle only if systemd passed the socket. The next client then starts the daemon again.
        if file == nil { service.endWhenIdle(loaded.configuration.idleExit) }
        return watch
    }
}
