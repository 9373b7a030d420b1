/// The load's results, side by side.
enum LoadTables {
    /// Answers a second of each peer, and how searchd compares.
    static func rates(_ results: LoadResults) -> ResultTable {
        let peers = results.plan.peers
        let others = peers.contains(.searchd) ? peers.filter { $0 != .searchd } : []
        var table = ResultTable(["answers/s"] + peers.map(\.rawValue) + others.map { "searchd/\($0.rawValue)" })
        for scenario in results.plan.scenarios {
            let ratios = others.map { results.ratio(\.answersPerSecond, scenario, .searchd, to: $0) }
            table.add(
                scenario.name,
                peers.map { .rounds(results.spread(\.answersPerSecond, scenario, $0)) }
                    + ratios.map { .rounds($0, .ratio, withExtremes: true) }
            )
        }
        return table
    }

    /// What an answer costs each peer in time, processor and memory.
    static func costs(_ results: LoadResults) -> ResultTable {
        let columns: [(heading: String, figure: (LoadSample) -> Double, unit: Unit)] = [
            ("p50 µs", { $0.percentile(0.5) }, .microseconds),
            ("p99 µs", { $0.percentile(0.99) }, .microseconds),
            ("p99.9 µs", { $0.percentile(0.999) }, .microseconds),
            ("processor µs/answer", \.serverTimePerAnswer, .finerMicroseconds),
            ("server busy", \.serverLoad, .ratio),
            ("generator busy", \.generatorLoad, .ratio),
            ("memory MiB", { Double($0.residentBytes) }, .mebibytes),
        ]
        var table = ResultTable(["medians of the rounds", "peer"] + columns.map(\.heading))
        for scenario in results.plan.scenarios {
            for peer in results.plan.peers {
                let figures = columns.map {
                    ResultTable.Cell.rounds(results.spread($0.figure, scenario, peer), $0.unit)
                }
                table.add(scenario.name, [.text(peer.rawValue)] + figures)
            }
        }
        return table
    }
}
