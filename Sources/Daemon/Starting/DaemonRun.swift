import CPlatform
import Engine
import EventLoop
import Glibc
import Personal
import SearchModel
import Storage

/// One run of the daemon: from the claim on its socket to the last answer.
struct DaemonRun {
    /// Together 6 s: a predecessor has 5 s to finish what is in flight.
    private static let claimsMax = 300
    private static let claimPauseMicroseconds: useconds_t = 20_000
    /// Of the thread that works on users' data: it gets a fifteenth of a processor that another thread wants all of.
    private static let personalNiceness: Int32 = 12
    /// What each thread's heap may keep free: several times what a search takes while it is on its way.
    ///
    /// Given back after each search, the same memory would be asked for, and zeroed, for the next.
    private static let freeBytesKept = 512 << 10
    /// Larger than what a search takes mostly: answers of this size that wait for slow readers leave no holes in the
    /// heap.
    private static let mappedBlockBytes = 128 << 10

    private let options: CommandLineOptions
    private let pipe: ReadyPipe
    private let surroundings = ProcessEnvironment.current()
    private let log: Log
    private let notice: ServiceNotice
    /// How many descriptors the process may have open.
    private let descriptors: Int

    init(_ options: CommandLineOptions, _ pipe: ReadyPipe) {
        self.options = options
        self.pipe = pipe
        log = Log(level: options.logLevel ?? .info, sink: .chosen(surroundings))
        notice = ServiceNotice(surroundings)
        let limit = platform_raise_descriptor_limit()
        // POSIX promises 20.
        descriptors = limit > 0 ? Int(clamping: limit) : 20
    }

    /// Serves until a signal ends it; the exit status.
    func run(signals: [Int32]) throws(StartError) -> Int32 {
        let loaded = try ConfigurationLoader(surroundings: surroundings, options: options).load()
        log.follow(loaded.configuration, options, secrets: loaded.directory.secrets)
        for problem in loaded.problems { log.warning(problem.description) }
        if let group = loaded.configuration.adminGroup, !UserMap.tellsUsersApart {
            log.warning("adminGroup \(group) has no effect: the unit's PrivateUsers=yes hides who is in it")
        }
        switch try entrance(loaded.configuration) {
        case .inherited(let listeners):
            try serve(listeners, loaded, signals, file: nil)
        case .claimed(let claim, let listener):
            let file = claim.file
            do throws(StartError) {
                try serve([listener.release()], loaded, signals, file: file)
            } catch {
                file.remove()
                throw error
            }
            // The lock is held to the very end, so that a successor never meets this daemon's remains.
            claim.release()
        case .servedByAnother(let path):
            guard options.readyDescriptor == nil else {
                pipe.ready()
                return 0
            }
            throw StartError(
                "another searchd serves \(path)",
                hint: "Use it, stop it, or choose another path with --socket.",
                code: .unavailable
            )
        }
        return 0
    }

    private enum Entrance: ~Copyable {
        case inherited([Int32])
        case claimed(SocketClaim, listener: FileDescriptor)
        case servedByAnother(String)
    }

    private func entrance(_ configuration: Configuration) throws(StartError) -> Entrance {
        if let named = options.socket ?? surroundings.variable("SEARCHD_SOCKET") { return try claim(named) }
        let inherited = try InheritedSockets.take(surroundings)
        if !inherited.isEmpty { return .inherited(inherited) }
        return try claim(configuration.socket ?? surroundings.socketLocation.paths[0])
    }

    /// Claims a path; while another daemon holds it without answering yet, or is on its way out, tries again.
    private func claim(_ path: String) throws(StartError) -> Entrance {
        var triesLeft = Self.claimsMax
        if path == surroundings.socketLocation.privatePath {
            try SafeDirectory.preparePrivate(SocketPath.directory(of: path), userID: surroundings.userID)
        }
        while true {
            switch try SocketClaim.claim(path, userID: surroundings.userID) {
            case .claimed(let claim, let listener): return .claimed(claim, listener: listener)
            case .held: break
            }
            if (try? UnixSocket.isServed(path)) == true { return .servedByAnother(path) }
            triesLeft -= 1
            guard triesLeft > 0 else {
                throw StartError(
                    "another searchd holds \(path).lock and does not answer",
                    hint: "Look for a searchd that hangs, and end it.",
                    code: .unavailable
                )
            }
            usleep(Self.claimPauseMicroseconds)
        }
    }

    /// Claims the directories; while a predecessor is on its way out, tries again.
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
        file: SocketFile?
    ) throws(StartError) {
        // Without it there is only more work.
        _ = platform_keep_free_memory(Self.freeBytesKept, Self.mappedBlockBytes)
        let loop: EventLoop
        do throws(SystemError) {
            loop = try EventLoop()
        } catch {
            throw StartError("the event loop can't be made: \(error)", hint: "Check the limit on open files.")
        }
        let storage = try Self.thread(named: "storage")
        let ledger = try Self.thread(named: "ledger")
        let personal = try Self.thread(named: "personal")
        // Copies take long, and no user waits for another's.
        let keeping = try Self.thread(named: "copies")
        for thread in [personal.loop, keeping.loop] { thread.perform { Self.lowerPriority() } }
        let paths = StoragePaths(on: storage.loop, ledger: ledger.loop, options, loaded.configuration, surroundings)
        let claims = try claim(paths)
        let place = paths.personal(on: personal.loop, keeping: keeping.loop)
        let failure = Locked<StartError?>(nil)
        let watch = Locked<SignalWatch?>(nil)
        loop.perform { [self] in
            do throws(SystemError) {
                let made = try begin(listeners, loaded, signals, paths, place, on: loop, file)
                watch.withLock { $0 = made }
                // In a turn of its own, so that nothing waits for it.
                loop.perform { platform_release_start_memory() }
            } catch {
                failure.withLock {
                    $0 = StartError("the daemon can't start: \(error)", hint: "Check the limit on open files.")
                }
                loop.stop()
            }
        }
        loop.run()
        storage.stop()
        ledger.stop()
        personal.stop()
        keeping.stop()
        withExtendedLifetime(claims) {}
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Lets other threads go first where processors are few: what one user imports must not slow down all searches.
    private static func lowerPriority() {
        // PRIO_PROCESS, which on Linux is the calling thread; a filter of system calls may forbid it.
        _ = setpriority(0, 0, personalNiceness)
    }

    private static func thread(named name: String) throws(StartError) -> LoopThread {
        do throws(SystemError) {
            return try LoopThread(named: name)
        } catch {
            throw StartError("a thread can't be made: \(error)", hint: "Check the limit on open files.")
        }
    }

    /// Makes the daemon and opens its door; on the loop.
    private func begin(
        _ listeners: [Int32],
        _ loaded: ConfigurationLoader.Loaded,
        _ signals: [Int32],
        _ paths: StoragePaths,
        _ place: PersonalPlace?,
        on loop: EventLoop,
        _ file: SocketFile?
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
        let ending = Shutdown(service, on: loop, notice: notice, log: log, socket: file)
        let watch = try SignalWatch(signals, on: loop) { ending.signalled($0) }
        // The board lives on the loop, which this runs on.
        let outcome = service.board.onLoop { board in
            board.shared.releaseFreeMemory = { platform_release_free_memory() }
            return Result { () throws(SystemError) in
                for listener in listeners {
                    try board.listen(on: FileDescriptor(owning: listener), isShared: file == nil)
                }
            }
        }
        try outcome.get()
        pipe.ready()
        notice.ready(service.statusLine)
        let listening = file.map { [$0.path] } ?? listeners.map { UnixSocket.path(of: $0) ?? "an inherited socket" }
        let sockets = listening.joined(separator: ", ")
        log.notice("searchd \(Version.program) is listening on \(sockets), \(service.statusLine)")
        Watchdog(on: loop, notice, surroundings)?.begin()
        // Only where it is started again.
        if file == nil {
            service.endWhenIdle(loaded.configuration.idleExit) { pause in
                ending.begin(for: "no clients for \(pause.components.seconds) s")
            }
        }
        return watch
    }
}
