/// Loads the peers in turns, as the plan says.
enum LoadPart {
    /// A peer and its requests.
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

    /// `processors` says where servers and load ran.
    static func section(_ results: LoadResults, answerBytes: Int, processors: String) -> Report.Section {
        let plan = results.plan
        return Report.Section(
            name: "load",
            title: "Cached search",
            notes: [
                "\(answerBytes) bytes an answer, \(SearchRequests.count) different searches in rotation; \(processors)",
                "medians of \(plan.rounds) rounds of \(plan.measured); in brackets the extremes of the rounds",
                "where the generator is busy all the time (1.00), a server could do more than is shown",
            ],
            tables: [LoadTables.rates(results), LoadTables.costs(results)],
            verdicts: LoadTargets.verdicts(results),
            failures: plan.peers.compactMap { failure(results.wrongAnswers(of: $0), $0) }
        )
    }

    private static func failure(_ wrong: (count: Int, first: String?), _ peer: PeerName) -> String? {
        wrong.count == 0 ? nil : "\(wrong.count) wrong answers of \(peer.rawValue), the first: \(wrong.first ?? "")"
    }
}

/// What searchd promises under load, against its peers in the same run.
enum LoadTargets {
    /// Answers per second, as a share of Redis's.
    private static let redisRateMin = 1.0
    /// Answers per second, as a share of the echo's.
    private static let echoRateMin = 0.8
    /// The 99th percentile as a part of Redis's: no worse, within the histogram's error.
    private static let redisLatencyMax = 1.0 + 1.0 / 128

    static func verdicts(_ results: LoadResults) -> [Verdict] {
        let scenarios = results.plan.scenarios.filter { $0.connections > 1 }
        let flat = scenarios.filter { $0.depth == 1 }
        let rates = scenarios.compactMap { scenario in
            results.ratio(\.answersPerSecond, scenario, .searchd, to: .redis).map {
                verdict("at least Redis's rate at \(scenario.name)", $0, $0.median >= redisRateMin)
            }
        }
        let echoes = flat.filter { $0.connections <= 64 }.compactMap { scenario in
            results.ratio(\.answersPerSecond, scenario, .searchd, to: .echo).map {
                verdict("at least 0.8 of the echo's rate at \(scenario.name)", $0, $0.median >= echoRateMin)
            }
        }
        let latencies = scenarios.compactMap { scenario in
            results.ratio({ $0.percentile(0.99) }, scenario, .searchd, to: .redis).map {
                verdict("p99 no worse than Redis's at \(scenario.name)", $0, $0.median <= redisLatencyMax)
            }
        }
        return rates + echoes + latencies
    }

    private static func verdict(_ target: String, _ ratio: Spread, _ passed: Bool) -> Verdict {
        Verdict(target, measured: Numbers.ratio(ratio), passed: passed)
    }
}
