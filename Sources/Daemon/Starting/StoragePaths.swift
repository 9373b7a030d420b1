import CPlatform
import Catalogue
import Engine
import EventLoop
import Personal
import Storage

/// Where the daemon keeps what outlives it, and the loop of the thread that does so.
struct StoragePaths: Sendable {
    /// A loop for storage alone; its thread may block.
    let loop: EventLoop
    /// The same for the quota ledger, so that calls wait for nothing else that is written.
    let ledgerLoop: EventLoop
    /// For what must last; nil when neither the configuration nor the environment names a directory.
    let stateDirectory: String?
    /// For what may be lost.
    let cacheDirectory: String?

    /// The first of the command line, the configuration, systemd's directories and the user's own decides.
    init(
        on loop: EventLoop,
        ledger ledgerLoop: EventLoop,
        _ options: CommandLineOptions,
        _ configuration: Configuration,
        _ surroundings: ProcessEnvironment
    ) {
        self.loop = loop
        self.ledgerLoop = ledgerLoop
        stateDirectory = options.state ?? configuration.stateDirectory ?? surroundings.stateDirectory
        cacheDirectory = options.cache ?? configuration.cacheDirectory ?? surroundings.cacheDirectory
    }

    /// Where every user's own data is; nil when no directory is known.
    func personal(on loop: EventLoop, keeping: EventLoop) -> PersonalPlace? {
        stateDirectory.map { PersonalPlace("\($0)/personal", on: loop, keeping: keeping) }
    }

    /// Claims the directories, each for one daemon; both may be the same.
    func claim() throws(StorageError) -> [DirectoryClaim] {
        var claims: [DirectoryClaim] = []
        var claimed: [[UInt64]?] = []
        for directory in [stateDirectory, cacheDirectory].compactMap(\.self)
        where claimed.isEmpty || !claimed.contains(DirectoryClaim.identity(of: directory)) {
            claims.append(try DirectoryClaim(directory))
            claimed.append(DirectoryClaim.identity(of: directory))
        }
        return claims
    }

    var pagesFile: String? { cacheDirectory.map { "\($0)/pages.sqlite" } }
    var ledgerFile: String? { stateDirectory.map { "\($0)/quota.sqlite" } }
}

extension DiskTier {
    /// The pages on disk; nil when none are to be kept, or no directory is known for them.
    init?(_ storage: StoragePaths, bytesMax: Int, on loop: EventLoop, _ directory: DirectoryBox, _ log: Log) {
        guard bytesMax > 0, let file = storage.pagesFile else { return nil }
        let wallClock: @Sendable () -> Int64 = { platform_realtime_ns() }
        let archive = PageArchive(file, bytesMax: bytesMax, on: storage.loop) { line in
            log.warning(line)
        }
        self.init(
            on: loop,
            archive: archive,
            isCurrent: { directory.currentSource(of: $0) != nil },
            wallClock: wallClock
        )
    }
}
