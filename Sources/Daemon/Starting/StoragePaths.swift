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
    /// For what must last; nil when neither the configuration nor the environment names a directory.
    let stateDirectory: String?
    /// For what may be lost.
    let cacheDirectory: String?

    /// The first of the command line, the configuration, systemd's directories and the user's own decides.
    init(
        on loop: EventLoop,
        _ options: CommandLineOptions,
        _ configuration: Configuration,
        _ surroundings: ProcessEnvironment
    ) {
        self.loop = loop
        stateDirectory = options.state ?? configuration.stateDirectory ?? surroundings.stateDirectory
        cacheDirectory = options.cache ?? configuration.cacheDirectory ?? surroundings.cacheDirectory
    }

    /// Where every user's own data lies; nil when no directory is known.
    func personal(on loop: EventLoop) -> PersonalPlace? {
        stateDirectory.map { PersonalPlace(loop: loop, claim: PersonalClaim("\($0)/personal", in: $0)) }
    }

    var pagesFile: String? { cacheDirectory.map { "\($0)/pages.sqlite" } }
    var ledgerFile: String? { stateDirectory.map { "\($0)/quota.sqlite" } }
}

extension DiskTier {
    /// The pages on disk; nil when none are to be kept, or no directory is known for them.
    init?(_ storage: StoragePaths, bytesMax: Int, on loop: EventLoop, _ directory: DirectoryBox, _ log: Log) {
        guard bytesMax > 0, let file = storage.pagesFile else { return nil }
        let wallClock: @Sendable () -> Int64 = { platform_realtime_ns() }
        let archive = PageArchive(file, bytesMax: bytesMax, on: storage.loop, wallClock: wallClock) { line in
            log.warning(line)
        }
        self.init(
            on: loop,
            archive: archive,
            hitReader: { directory.currentSource(of: $0)?.hitReader },
            wallClock: wallClock
        )
    }
}
