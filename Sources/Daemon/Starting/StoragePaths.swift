import CPlatform
import Catalogue
import Engine
import EventLoop
import Personal
import Storage

/// The daemon's directories, and the loops of the threads that use them.
struct StoragePaths: Sendable {
    let loop: EventLoop
    /// The loop of the quota ledger, which is separate so that calls to sources do not wait for other writes.
    let ledgerLoop: EventLoop
    let stateDirectory: String?
    let cacheDirectory: String?

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
