import EventLoop

/// Measures the processor time of searches that are not cached.
enum UncachedPart {
    private static let source = "kakao.blog"
    private static let pageSize = 50
    /// This many pages fill the caches: 64 MiB in memory and 256 MiB on disk.
    private static let fillingCount = 9_000
    private static let searchesPerSecondMax = 10_000.0
    private static let answerBytesMin = 16_384
    private static let againstRatioMax = 1.1

    private struct Target {
        let server: Server
        var next = 0
        var samples: [LoadSample] = []
        /// The processor time of a search in each measurement, with the work after the answers.
        var times: [Double] = []
        /// The calls per search in each measurement.
        ///
        /// 1 means that no search was cached.
        var calls: [Double] = []

        mutating func measure(_ connections: Int, _ measured: Duration, _ sandbox: Sandbox) throws {
            let seconds = Double(measured.saturatingNanoseconds) / 1e9
            let wanted = Int(seconds * 1.2 * searchesPerSecondMax) + 2 * connections
            let searches = next..<min(next + wanted, Words.newSearches)
            let exhausted = BenchmarkError(
                "there are not enough new searches",
                hint: "Use fewer --rounds or --seconds."
            )
            guard searches.count > connections else { throw exhausted }
            let load = try LoadGenerator(server, Traffic(searches.map(exchange)), connections: connections)
            let before = (requests: try sandbox.requests(), time: try server.process.processorTime())
            samples.append(try load.measure(measured))
            let time = try server.process.processorTimeWhenIdle() - before.time
            times.append(Double(time) / Double(load.traffic.count))
            calls.append(Double(try sandbox.requests() - before.requests) / Double(load.traffic.count))
            guard load.traffic.count <= searches.count else { throw exhausted }
            next += load.traffic.count
        }
    }

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, progress: (String) -> Void) throws
        -> [Section]
    {
        var targets = [Target(server: try environment.searchd())]
        if let against = options.against { targets.append(Target(server: try environment.searchd(program: against))) }
        for index in targets.indices {
            progress("filling the caches of \(targets[index].server.name)")
            while targets[index].next < fillingCount {
                try targets[index].measure(16, .milliseconds(500), environment.sandbox)
            }
        }
        var section = Section(
            title: "Searches that are not cached",
            notes: [
                "each search is new, makes one call to \(source), and returns a page of \(pageSize) hits; "
                    + "both caches are full",
                "each round ends when the server is idle, because it also works after its answers",
                "medians of \(options.rounds) rounds of \(options.seconds) s; \(environment.processors.description)",
            ]
        )
        var table = ResultTable(["", "", "processor µs/miss", "lowest", "misses/s", "p99 ms", "searchd/baseline"])
        for connections in [1, 16] {
            progress("\(connections) at a time")
            for index in targets.indices {
                (targets[index].samples, targets[index].times, targets[index].calls) = ([], [], [])
            }
            for _ in 0..<options.rounds {
                for index in targets.indices {
                    try targets[index].measure(connections, .seconds(options.seconds), environment.sandbox)
                }
            }
            add("\(connections) at a time", targets, to: &section, &table)
        }
        section.tables = [table]
        return [section]
    }

    private static func exchange(_ number: Int) -> Exchange {
        let (query, page) = Words.newSearch(number)
        return Exchange(
            members: [
                #""query":"\#(query)""#, #""sources":["\#(source)"]"#, #""limit":\#(pageSize)"#,
                #""offset":\#(page * pageSize)"#,
            ].map { Array($0.utf8) },
            mark: Array(#""query":"\#(query)""#.utf8),
            length: answerBytesMin...Traffic.answerBytesMax
        )
    }

    private static func add(_ row: String, _ targets: [Target], to section: inout Section, _ table: inout ResultTable) {
        let times = targets.map(\.times)
        let ratio = times.count > 1 ? Spread(ratiosOf: times[0], to: times[1]) : nil
        for (target, times) in zip(targets, times) {
            table.add(
                row,
                [
                    target.server.name, Unit.microseconds.median(times), Unit.microseconds.text(times.min() ?? .nan),
                    Unit.count.median(target.samples.map(\.answersPerSecond)),
                    Unit.milliseconds.median(target.samples.map { $0.latencies.percentile(0.99) }),
                    target.server.name == "searchd" ? ratio.map(Unit.ratio.text) ?? "" : "",
                ]
            )
            section.failures += [LoadSample.failure(target.samples, target.server.name)].compactMap(\.self)
            if let calls = target.calls.first(where: { $0 != 1 }) {
                section.failures.append("\(target.server.name) made \(Unit.share.text(calls)) calls per miss")
            }
        }
        guard targets.count > 1 else { return }
        let name =
            "processor time of a miss, \(row): at most \(Unit.ratio.text(againstRatioMax)) times that of the baseline"
        section.verdicts.append(Verdict(name, ratio, .ratio, atMost: againstRatioMax))
    }
}
