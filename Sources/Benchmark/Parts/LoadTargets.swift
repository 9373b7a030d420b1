/// What searchd promises under load, against its peers in the same run.
enum LoadTargets {
    /// Answers a second, as a part of Redis's.
    private static let redisRateMin = 1.0
    /// Answers a second, as a part of the echo's.
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
