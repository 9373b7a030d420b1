import JSON

/// The load's results for people.
enum LoadTables {
    /// Answers a second of each peer, and how searchd compares.
    static func rates(_ results: LoadResults) -> TextTable {
        let peers = results.plan.peers
        let others = peers.contains(.searchd) ? peers.filter { $0 != .searchd } : []
        var table = TextTable(["answers/s"] + peers.map(\.rawValue) + others.map { "searchd/\($0.rawValue)" })
        for scenario in results.plan.scenarios {
            let rates = peers.map { peer in
                results.spread(\.answersPerSecond, scenario, peer).map { Numbers.decimal($0.median) } ?? "–"
            }
            let ratios = others.map { Numbers.ratio(results.ratio(\.answersPerSecond, scenario, .searchd, to: $0)) }
            table.add([scenario.name] + rates + ratios)
        }
        return table
    }

    /// What an answer costs each peer in time, processor and memory.
    static func costs(_ results: LoadResults) -> TextTable {
        var table = TextTable([
            "medians of the rounds", "peer", "p50 µs", "p99 µs", "p99.9 µs", "processor µs/answer", "server busy",
            "generator busy", "memory MiB",
        ])
        for scenario in results.plan.scenarios {
            for peer in results.plan.peers {
                let figure: ((LoadSample) -> Double, (Double) -> String) -> String = { figure, text in
                    results.spread(figure, scenario, peer).map { text($0.median) } ?? "–"
                }
                table.add([
                    scenario.name,
                    peer.rawValue,
                    figure({ $0.percentile(0.5) }, Numbers.microseconds),
                    figure({ $0.percentile(0.99) }, Numbers.microseconds),
                    figure({ $0.percentile(0.999) }, Numbers.microseconds),
                    figure(\.serverTimePerAnswer) { Numbers.decimal($0 / 1_000, places: 2) },
                    figure(\.serverLoad) { Numbers.decimal($0, places: 2) },
                    figure(\.generatorLoad) { Numbers.decimal($0, places: 2) },
                    figure({ Double($0.residentBytes) }, Numbers.mebibytes),
                ])
            }
        }
        return table
    }
}

/// The load's results for programs: every round of every peer, nothing summed up.
enum LoadFigures {
    static func json(_ results: LoadResults, answerBytes: Int) -> JSONValue {
        let scenarios = results.plan.scenarios.map { scenario -> JSONValue in
            let peers = results.plan.peers.map { peer in
                JSONMember(peer.rawValue, .array(results.rounds(scenario, peer).map(round)))
            }
            return [
                "connections": .integer(scenario.connections), "depth": .integer(scenario.depth),
                "peers": .object(peers),
            ]
        }
        return ["answerBytes": .integer(answerBytes), "scenarios": .array(scenarios)]
    }

    static func round(_ sample: LoadSample) -> JSONValue {
        [
            "answers": .integer(sample.answers), "wrong": .integer(sample.wrong), "elapsedNs": .integer(sample.elapsed),
            "p50Ns": .integer(Int(sample.percentile(0.5))), "p99Ns": .integer(Int(sample.percentile(0.99))),
            "p999Ns": .integer(Int(sample.percentile(0.999))), "serverTimeNs": .integer(sample.serverTime),
            "generatorTimeNs": .integer(sample.generatorTime), "residentBytes": .integer(sample.residentBytes),
        ]
    }
}
