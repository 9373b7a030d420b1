/// What the command line asks for.
package struct Options: Equatable, Sendable {
    /// The parts of the benchmark, in the order in which they run.
    package enum Part: String, CaseIterable, Sendable {
        case idle
        case start
        case burst
        case miss
        case load
        /// Needs none of the peers; it and `trouble` are not among those that run unasked.
        case cache
        /// Whether hits of one source notice that another is in trouble.
        case trouble
    }

    package static let roundsMax = 1_000
    package static let startsMax = 1_000
    package static let secondsMax = 600.0
    package static let answerBytesMax = 128 * 1024

    package var peers = PeerName.allCases
    package var parts = Part.allCases.filter { $0 != .cache && $0 != .trouble }
    /// Connections that send one request at a time.
    package var connections = [1, 16, 64, 256]
    /// Connections that send `depth` at a time.
    package var deepConnections = [1, 16, 64]
    package var depth = 16
    package var rounds = 5
    package var seconds = 1.0
    /// What echo and Redis serve when there is no searchd to take the measure from.
    package var answerBytes = 4_096
    /// How often each program is started.
    package var starts = 20
    /// How long an idle server is watched.
    package var idling = Duration.seconds(5)
    /// Requests of each stream that the cache is tried with.
    package var cacheRequests = 1_000_000
    /// Pages of the large cache.
    package var cacheEntries = 1_000_000
    package var programs: String?
    package var json = false
    package var strict = false
    package var help = false

    package init() {}

    package var plan: LoadPlan {
        LoadPlan(
            scenarios: connections.map { Scenario(connections: $0) }
                + deepConnections.map { Scenario(connections: $0, depth: depth) },
            peers: peers,
            rounds: rounds,
            measured: .seconds(seconds)
        )
    }
}
