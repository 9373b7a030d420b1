/// The samples of all rounds.
struct LoadResults: Sendable {
    private struct Cell: Hashable {
        let scenario: Scenario
        let peer: PeerName
    }

    let plan: LoadPlan
    /// By scenario and peer, in the order of the rounds.
    private var samples: [Cell: [LoadSample]] = [:]

    init(plan: LoadPlan) {
        self.plan = plan
    }

    mutating func add(_ sample: LoadSample, for step: LoadPlan.Step) {
        samples[Cell(scenario: step.scenario, peer: step.peer), default: []].append(sample)
    }

    func rounds(_ scenario: Scenario, _ peer: PeerName) -> [LoadSample] {
        samples[Cell(scenario: scenario, peer: peer)] ?? []
    }

    /// One figure over the rounds.
    func spread(_ figure: (LoadSample) -> Double, _ scenario: Scenario, _ peer: PeerName) -> Spread? {
        Spread(rounds(scenario, peer).map(figure))
    }

    /// One figure of a peer as a part of that of another, round by round.
    func ratio(_ figure: (LoadSample) -> Double, _ scenario: Scenario, _ peer: PeerName, to other: PeerName) -> Spread?
    {
        Spread(
            ratiosOf: rounds(scenario, peer).map(figure),
            to: rounds(scenario, other).map(figure)
        )
    }

    /// Answers that were not right, of one peer in all rounds.
    func wrongAnswers(of peer: PeerName) -> (count: Int, first: String?) {
        let all = plan.scenarios.flatMap { rounds($0, peer) }
        return (all.reduce(0) { $0 + $1.wrong }, all.lazy.compactMap(\.firstWrong).first)
    }
}
