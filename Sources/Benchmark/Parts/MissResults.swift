/// What misses cost searchd, and the same downloads a plain loop around libcurl, round by round.
struct MissResults: Sendable {
    struct Round: Sendable {
        let searchd: LoadSample
        /// Upstream requests for each search: one, when every search was a miss and none asked twice.
        let upstreamShare: Double
        let curl: CurlSample

        /// Processor time of a search beyond that of its download, in nanoseconds.
        var timeBeyond: Double { searchd.serverTimePerAnswer - curl.timePerCall }
    }

    /// How long each measurement took.
    let measured: Duration
    private(set) var scenarios: [(scenario: Scenario, rounds: SteadyRounds<Round>)] = []

    mutating func add(_ rounds: SteadyRounds<Round>, _ scenario: Scenario) {
        scenarios.append((scenario, rounds))
    }

    /// What must not happen, in words.
    var failures: [String] {
        scenarios.flatMap { scenario, measured in
            let rounds = measured.all
            var failures: [String] = []
            let wrong = rounds.reduce(0) { $0 + $1.searchd.wrong }
            if wrong > 0 {
                let first = rounds.lazy.compactMap(\.searchd.firstWrong).first ?? ""
                failures.append("\(wrong) wrong answers to misses at \(scenario.name), the first: \(first)")
            }
            let failed = rounds.reduce(0) { $0 + $1.curl.failures }
            if failed > 0 { failures.append("\(failed) failed downloads at \(scenario.name)") }
            if let share = rounds.map(\.upstreamShare).first(where: { $0 != 1 }) {
                let figure = Numbers.decimal(share, places: 3)
                failures.append("\(figure) upstream requests for each miss at \(scenario.name), which must be 1")
            }
            return failures
        }
    }
}
