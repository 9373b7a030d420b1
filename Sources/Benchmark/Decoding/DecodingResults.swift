import Catalogue
import SearchModel

/// What decoding a page and serialising it for the cache cost, for every source of the catalogue.
struct DecodingResults {
    /// How often each source decodes a page in a round.
    private static let turns = 60

    /// One source's figures.
    struct Figures: Sendable {
        let source: String
        let hits: Double
        let bodyBytes: Double
        /// The median of each round, in nanoseconds a page.
        var decoding: [Double] = []
        var serialising: [Double] = []

        /// Decoding and serialising, round by round.
        var both: [Double] { zip(decoding, serialising).map { $0 + $1 } }

        /// The same as some rounds' for 50 hits; nil for a source that gave none.
        func forFifty(_ rounds: [Double]) -> Spread? {
            hits == 0 ? nil : Spread(rounds.map { $0 * 50 / hits })
        }
    }

    private(set) var sources: [Figures] = []
    /// Sources that could not be measured, and why.
    private(set) var failures: [String] = []

    /// Decodes real bodies in rounds, all sources in each, so that other load in a round affects all of them.
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
                var costs: [DecodingCase.Cost] = []
                for turn in 0..<turns { costs.append(try cases[index].decode(turn)) }
                guard let decoding = Spread(costs.map { Double($0.decoding) }),
                    let serialising = Spread(costs.map { Double($0.serialising) })
                else { continue }
                results.sources[index].decoding.append(decoding.median)
                results.sources[index].serialising.append(serialising.median)
            }
        }
        return results
    }
}
