/// The command line of searchbench.
struct Options: Equatable, Sendable {
    /// The parts of the benchmark, in the order in which they run.
    enum Part: String, CaseIterable, Sendable {
        case idle
        case start
        case burst
        case miss
        case load
        /// Needs none of the peers; it and those after it run only when they are named.
        case cache
        /// Whether hits of one source stay fast while another fails.
        case trouble
        /// The merged order of judged searches.
        case ranking
        /// What a user's library costs.
        case library
        /// What suggestions cost.
        case typing
        /// What agents cost.
        case agents
        /// What the whole screen costs.
        case live
    }

    static let roundsMax = 1_000
    static let startsMax = 1_000
    static let secondsMax = 600.0
    static let answerBytesMax = 128 * 1024

    var peers = PeerName.allCases
    var parts = Part.allCases.filter { ![.cache, .trouble, .ranking, .library, .typing, .agents, .live].contains($0) }
    /// Connections that send one request at a time.
    var connections = [1, 16, 64, 256]
    /// Connections that send `depth` at a time.
    var deepConnections = [1, 16, 64]
    var depth = 16
    var rounds = 5
    var seconds = 1.0
    /// The length of what echo and Redis serve when searchd is not among the peers.
    var answerBytes = 4_096
    /// How often each program is started.
    var starts = 20
    /// How long an idle server is observed.
    var idling = Duration.seconds(5)
    /// Requests in each stream for the cache.
    var cacheRequests = 1_000_000
    /// Pages of the large cache.
    var cacheEntries = 1_000_000
    /// Items that are imported and searched.
    var libraryItems = 100_000
    /// Titles that are suggested.
    var suggestions = 50_000
    var programs: String?
    var json = false
    var strict = false
    var help = false

    var plan: LoadPlan {
        LoadPlan(
            scenarios: connections.map { Scenario(connections: $0) }
                + deepConnections.map { Scenario(connections: $0, depth: depth) },
            peers: peers,
            rounds: rounds,
            measured: .seconds(seconds)
        )
    }
}
