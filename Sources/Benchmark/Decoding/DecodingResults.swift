import Catalogue
import SearchModel

/// What decoding a page costs, for every source of the catalogue.
struct DecodingResults {
    /// How often each source decodes a page in a round.
    private static let turns = 60

    /// One source's figures.
    struct Figures: Sendable {
        let source: String
        let hits: Double
        let bodyBytes: Double
        /// The median of each round, in nanoseconds a page.
        var rounds: [Double] = []

        /// The same for 50 hits; nil for a source that gave none.
        var forFifty: Spread? {
            hits == 0 ? nil : Spread(rounds.map { $0 * 50 / hits })
        }
    }

    private(set) var sources: [Figures] = []
    /// Sources that could not be measured, and why.
    private(set) var failures: [String] = []

    /// Decodes real bodies in rounds, all sources in each, so that what disturbs a round meets all of them.
    static func measure(
        _ catalogue: Catalogue,
        _ sandbox: SandboxServer,
        rounds: Int
    ) throws(BenchmarkError) -> DecodingResults {
        var results = DecodingResults()
        var cases: [DecodingCase] = []
        for source in catalogue.sources.values.sorted(by: { $0.name < $1.name }) {
            do throws(BenchmarkError) {
                cases.append(try DecodingCase(source, sandbox))
            } catch {
                results.failures.append(error.message)
            }
        }
        results.sources = cases.map {
            Figures(source: $0.source.name.text, hits: $0.hitsPerPage, bodyBytes: $0.bodyBytesPerPage)
        }
        for _ in 0..<rounds {
            for index in cases.indices {
                var times: [Double] = []
                for turn in 0..<turns { times.append(Double(try cases[index].decode(turn))) }
                if let median = Spread(times)?.median { results.sources[index].rounds.append(median) }
            }
        }
        return results
    }
}
