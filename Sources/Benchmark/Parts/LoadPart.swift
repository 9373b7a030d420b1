/// Presses the peers in turns, as the plan says.
enum LoadPart {
    /// A peer and what it is asked.
    struct Target {
        let peer: Peer
        let traffic: Traffic
    }

    /// The peers with their caches filled; what Redis and the echo serve is as long as searchd's mean answer.
    static func targets(
        _ options: Options,
        _ factory: PeerFactory
    ) throws(BenchmarkError) -> (targets: [PeerName: Target], answerBytes: Int) {
        var targets: [PeerName: Target] = [:]
        var answerBytes = options.answerBytes
        // searchd comes first: it sets the length for the others.
        for name in PeerName.allCases where options.peers.contains(name) {
            let peer = try factory.start(name, answerBytes: answerBytes)
            let traffic: Traffic
            switch name {
            case .searchd: (traffic, answerBytes) = try SearchdPeer.traffic(peer)
            case .redis: traffic = try RedisPeer.traffic(peer, answerBytes: answerBytes)
            case .echo: traffic = EchoPeer.traffic(answerBytes: answerBytes)
            }
            targets[name] = Target(peer: peer, traffic: traffic)
        }
        return (targets, answerBytes)
    }

    static func run(
        _ plan: LoadPlan,
        _ targets: [PeerName: Target],
        progress: (String) -> Void
    ) throws(BenchmarkError) -> LoadResults {
        var results = LoadResults(plan: plan)
        var announced: Scenario?
        for step in plan.steps {
            guard let target = targets[step.peer] else { continue }
            if announced != step.scenario {
                announced = step.scenario
                progress("load: \(step.scenario.name)")
            }
            var generator = try LoadGenerator(target.peer, target.traffic, step.scenario)
            let sample = try generator.measure(warming: plan.warming, measured: plan.measured)
            results.add(sample, for: step)
        }
        return results
    }

    /// `place` says where servers and load ran.
    static func section(_ results: LoadResults, answerBytes: Int, place: String) -> Report.Section {
        let plan = results.plan
        return Report.Section(
            name: "load",
            title: "Cached search",
            notes: [
                "\(answerBytes) bytes an answer, \(SearchRequests.count) different searches in rotation; \(place)",
                "medians of \(plan.rounds) rounds of \(plan.measured); in brackets the extremes of the rounds",
                "where the generator is busy all the time (1.00), a server could do more than is shown",
            ],
            tables: [LoadTables.rates(results), LoadTables.costs(results)],
            verdicts: LoadTargets.verdicts(results),
            failures: plan.peers.compactMap { failure(results.wrongAnswers(of: $0), $0) },
            figures: LoadFigures.json(results, answerBytes: answerBytes)
        )
    }

    private static func failure(_ wrong: (count: Int, first: String?), _ peer: PeerName) -> String? {
        wrong.count == 0 ? nil : "\(wrong.count) wrong answers of \(peer.rawValue), the first: \(wrong.first ?? "")"
    }
}
