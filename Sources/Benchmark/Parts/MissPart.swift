import Catalogue
import HTTPMessage
import SearchModel

/// What a search costs that is not in the cache: decoding a page, and the whole way to the source and back.
enum MissPart {
    /// The source that is searched; its page has 50 hits.
    static let sourceName = "kakao.blog"
    /// Searches in flight at a time.
    private static let scenarios = [Scenario(connections: 1), Scenario(connections: 16)]

    /// Rounds are shorter than in other parts by this factor: a short round is less likely to be disturbed.
    private static let shortening = 4

    /// How many gauge readings come first, to learn the best speed of the machine.
    private static let readingsFirst = 20

    /// Nothing when searchd is not among the peers: the others have no upstream.
    static func run(
        _ options: Options,
        _ factory: PeerFactory,
        progress: (String) -> Void
    ) throws(BenchmarkError) -> [Report.Section] {
        guard options.peers.contains(.searchd), let sandbox = factory.sandbox else { return [] }
        progress("miss: decoding pages of every source")
        let catalogue = Catalogue.builtIn()
        let decoding = try DecodingResults.measure(catalogue, sandbox, rounds: options.rounds)
        guard let name = SourceName(sourceName), let source = catalogue[name] else {
            throw BenchmarkError(.program, "\(sourceName) is not in the catalogue")
        }
        let (warming, measured) = (options.plan.warming / shortening, options.plan.measured / shortening)
        var results = MissResults(measured: measured)
        let gauge = try SpeedGauge(source, sandbox, factory.processors)
        var fastest = try gauge.reading()
        for _ in 0..<readingsFirst { fastest = min(fastest, try gauge.reading()) }
        var load = MissLoad(try factory.start(.searchd), sandbox, source)
        progress("miss: filling the caches")
        try load.fillCaches()
        for scenario in scenarios {
            progress("miss: \(scenario.name)")
            var rounds = SteadyRounds<MissResults.Round>(wanted: options.rounds, fastest: fastest)
            while !rounds.isComplete {
                let before = try gauge.reading()
                let ours = try load.misses(scenario, warming: warming, measured: measured)
                let within = try gauge.reading()
                let theirs = try CurlPeer.measure(
                    load.requests(ours.searches),
                    atOnce: scenario.connections,
                    warming: warming,
                    measured: measured,
                    factory.processors
                )
                let round = MissResults.Round(searchd: ours.sample, upstreamShare: ours.share, curl: theirs)
                rounds.add(round, readings: [before, within, try gauge.reading()])
            }
            results.add(rounds, scenario)
        }
        return [
            DecodingReport.section(decoding), MissReport.section(results, processors: factory.processors.description),
        ]
    }
}
