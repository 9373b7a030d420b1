import EventLoop

/// Where the daemon keeps what outlives it, and the loop of the thread that does so.
struct StoragePaths: Sendable {
    /// A loop for storage alone; its thread may block.
    let loop: EventLoop
    /// For what must last; nil when the surroundings know of no such place.
    let stateDirectory: String?
    /// For what may be lost.
    let cacheDirectory: String?

    /// The command line's word goes first, then the configuration's, then systemd's and the user's own places.
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

    var pagesFile: String? { cacheDirectory.map { "\($0)/pages.sqlite" } }
    var ledgerFile: String? { stateDirectory.map { "\($0)/quota.sqlite" } }
}
