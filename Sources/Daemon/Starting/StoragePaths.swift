import CPlatform
import Catalogue
import Engine
import EventLoop
import Personal
import Storage

/// The daemon's directories, and the loops of the threads that use them.
struct StoragePaths: Sendable {
    /// The loop for the disk cache; its thread may block.
    let loop: EventLoop
    /// A separate loop for the quota ledger, so that calls to sources do not wait for other writes.
    let ledgerLoop: EventLoop
    /// The directory for permanent data; nil if no option, setting or variable names one.
    let stateDirectory: String?
    let cacheDirectory: String?

    /// Takes each directory from the command line, or else from the configuration or the environment.
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

    func personal(on loops: [EventLoop]) -> PersonalPlace? {
        stateDirectory.map { PersonalPlace("\($0)/personal", on: loops) }
    }

    /// Locks the directories for this daemon; if both are the same directory, locks it once.
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
