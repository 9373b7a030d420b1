/// Measures servers alternately, so a busy machine slows all of them equally.
struct Contest {
    let servers: [Server]
    let connections: [Int]
    /// The ratio of searchd's figure to that of the other server, if there is one, is compared with a target.
    let figure: (LoadSample) -> Double
    let target: (_ connections: Int) -> (name: String, atLeast: Double?, atMost: Double?)

    /// Adds a table and verdicts to a section.
    ///
    /// `measure` gets the index of a server and a number of connections.
    func run(
        _ section: inout Section,
        rounds: Int,
        progress: (String) -> Void,
        measure: (Int, Int) throws -> LoadSample
    ) throws {
        var table = ResultTable([
            "", "", "answers/s", "p50 µs", "p99 µs", "processor µs/answer", "lowest", "generator load", "ratio",
        ])
        for connections in connections {
            let row = connections == 1 ? "1 connection" : "\(connections) connections"
            progress(row)
            var samples = [[LoadSample]](repeating: [], count: servers.count)
            for _ in 0..<rounds {
                for index in servers.indices { samples[index].append(try measure(index, connections)) }
            }
            let others = samples.dropFirst().first.map { $0.map(figure) }
            let ratio = others.flatMap { Spread(ratiosOf: samples[0].map(figure), to: $0) }
            for (index, server) in servers.enumerated() {
                let cells = Self.cells(samples[index]) + [index == 0 ? ratio.map(Unit.ratio.text) ?? "" : ""]
                table.add(row, [server.name] + cells)
                section.failures += [LoadSample.failure(samples[index], server.name)].compactMap(\.self)
            }
            guard others != nil else { continue }
            let target = target(connections)
            section.verdicts.append(
                Verdict("\(target.name), \(row)", ratio, .ratio, atLeast: target.atLeast, atMost: target.atMost)
            )
        }
        section.tables.append(table)
    }

    private static func cells(_ samples: [LoadSample]) -> [String] {
        let times = samples.map(\.timePerAnswer)
        return [
            Unit.count.median(samples.map(\.answersPerSecond)),
            Unit.microseconds.median(samples.map { $0.latencies.percentile(0.5) }),
            Unit.microseconds.median(samples.map { $0.latencies.percentile(0.99) }),
            Unit.microseconds.median(times), Unit.microseconds.text(times.min() ?? .nan),
            Unit.ratio.median(samples.map(\.generatorLoad)),
        ]
    }
}
