/// In which order peers are pressed.
///
/// Within a scenario the peers take turns, round after round (A B C A B C …), so that whatever else the machine does
/// meets all of them alike, and the figures of one round may be compared.
package struct LoadPlan: Equatable, Sendable {
    /// One measurement.
    package struct Step: Equatable, Sendable {
        package let scenario: Scenario
        package let round: Int
        package let peer: PeerName
    }

    package let scenarios: [Scenario]
    package let peers: [PeerName]
    package let rounds: Int
    /// How long one measurement takes.
    package let measured: Duration

    package init(scenarios: [Scenario], peers: [PeerName], rounds: Int, measured: Duration) {
        self.scenarios = scenarios
        self.peers = peers
        self.rounds = rounds
        self.measured = measured
    }

    /// What runs unmeasured before each measurement, until buffers and caches are warm.
    package var warming: Duration { min(measured / 5, .milliseconds(300)) }

    package var steps: [Step] {
        scenarios.flatMap { scenario in
            (0..<rounds).flatMap { round in
                peers.map { Step(scenario: scenario, round: round, peer: $0) }
            }
        }
    }
}
