/// What misses cost, in tables and verdicts.
enum MissReport {
    private static let nanosecondsBeyondMax = 500e3

    /// `processors` says where servers and load ran.
    static func section(_ results: MissResults, processors: String) -> Report.Section {
        let wanted = results.scenarios.first?.rounds.wanted ?? 0
        let counts = results.scenarios.map { "\($0.rounds.all.count)" }.joined(separator: " and ")
        let disturbed = results.scenarios.reduce(0) { $0 + $1.rounds.disturbedCount }
        return Report.Section(
            name: "miss",
            title: "Missing search",
            notes: [
                "searches of \(MissPart.sourceName) of which none was made before, each a call upstream for a page of 50 hits;"
                    + " both tiers of the cache are full; \(processors)",
                "disk: the part of it in which the thread of the disk's tier looks pages up, writes them and makes room",
                "libcurl: a loop that downloads the same pages with the same headers and throws them away",
                "medians of \(wanted) rounds of \(results.measured); in brackets the extremes of the rounds",
                "the rounds are those of \(counts) beside which a fixed computation took the least processor time: what else"
                    + " the machine does slows all down; \(disturbed == 0 ? "none" : "\(disturbed)") of them by more than a tenth",
            ],
            tables: [table(results)],
            verdicts: results.scenarios.compactMap { verdict($0.scenario, $0.rounds.chosen) },
            failures: results.failures
        )
    }

    private static func table(_ results: MissResults) -> ResultTable {
        var table = ResultTable([
            "processor µs/call", "searchd", "disk", "libcurl", "searchd beyond libcurl", "searches/s", "downloads/s",
            "KiB/call",
        ])
        for (scenario, measured) in results.scenarios {
            let rounds = measured.chosen
            let times: [(MissResults.Round) -> Double] = [
                \.searchd.serverTimePerAnswer, \.searchd.threadTimePerAnswer, \.curl.timePerCall,
            ]
            table.add(
                "\(scenario.connections) at a time",
                times.map { .rounds(Spread(rounds.map($0)), .microseconds) } + [
                    .rounds(beyond(rounds), .microseconds, withExtremes: true),
                    .rounds(Spread(rounds.map(\.searchd.answersPerSecond))),
                    .rounds(Spread(rounds.map(\.curl.callsPerSecond))),
                    .rounds(Spread(rounds.map(\.curl.bytesPerCall)), .kibibytes),
                ]
            )
        }
        return table
    }

    private static func beyond(_ rounds: [MissResults.Round]) -> Spread? {
        Spread(rounds.map(\.timeBeyond))
    }

    private static func verdict(_ scenario: Scenario, _ rounds: [MissResults.Round]) -> Verdict? {
        beyond(rounds).map { spread in
            Verdict(
                "a miss takes at most 500 µs beyond libcurl's own, \(scenario.connections) at a time",
                measured: "\(Unit.microseconds.text(spread)) µs",
                passed: spread.median <= nanosecondsBeyondMax
            )
        }
    }
}
