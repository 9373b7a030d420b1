/// The order in which peers are loaded.
///
/// Within a scenario the peers take turns, round after round (A B C A B C …), so that other load on the
/// machine affects all of them alike, and the figures of one round may be compared.
struct LoadPlan: Equatable, Sendable {
    /// One measurement.
    struct Step: Equatable, Sendable {
        let scenario: Scenario
        let round: Int
        let peer: PeerName
    }

    let scenarios: [Scenario]
    let peers: [PeerName]
    let rounds: Int
    /// How long one measurement takes.
    let measured: Duration

    /// What runs unmeasured before each measurement, until buffers and caches are warm.
    var warming: Duration { min(measured / 5, .milliseconds(300)) }

    var steps: [Step] {
        scenarios.flatMap { scenario in
            (0..<rounds).flatMap { round in
                peers.map { Step(scenario: scenario, round: round, peer: $0) }
            }
        }
    }
}

/// How hard the peers are loaded: the number of connections, and of requests in flight on each.
struct Scenario: Hashable, Sendable {
    /// Requests in flight on one connection: `Batch` keeps them in the bits of a word.
    static let depthMax = 64
    static let connectionsMax = 4_096

    let connections: Int
    var depth = 1

    /// In words, as the verdicts name it.
    var name: String {
        let connections = connections == 1 ? "1 connection" : "\(connections) connections"
        return depth == 1 ? connections : "\(connections), \(depth) deep"
    }
}
