import Catalogue
import HTTPMessage
import SearchModel

/// What a search costs that is not in the cache: decoding a page, and the whole way to the source and back.
enum MissPart {
    /// The source that is searched; its page has 50 hits.
    static let sourceName = "kakao.blog"
    /// Searches on the way at a time.
    private static let scenarios = [Scenario(connections: 1), Scenario(connections: 16)]

    /// Nothing when searchd is not among the peers: the others have no upstream.
    static func run(
        _ options: Options,
        _ factory: PeerFactory,
        _ directory: TemporaryDirectory,
        progress: (String) -> Void
    ) throws(BenchmarkError) -> [Report.Section] {
        guard options.peers.contains(.searchd), let sandbox = factory.sandbox else { return [] }
        progress("miss: decoding pages of every source")
        let catalogue = Catalogue.builtIn()
        let decoding = try DecodingResults.measure(catalogue, sandbox, rounds: options.rounds)
        guard let name = SourceName(sourceName), let source = catalogue[name] else {
            throw BenchmarkError(.program, "\(sourceName) is not in the catalogue")
        }
        var results = MissResults(measured: options.plan.measured)
        let peer = try factory.start(.searchd)
        let requests = try requests(to: source, sandbox)
        for scenario in scenarios {
            progress("miss: \(scenario.name)")
            for _ in 0..<options.rounds {
                let ours = try misses(peer, sandbox, scenario, options.plan)
                let plan = CurlPlan(
                    requests,
                    atOnce: scenario.connections,
                    warming: options.plan.warming,
                    measured: options.plan.measured
                )
                let theirs = try CurlPeer.measure(plan, factory, file: directory.file("curl-plan.json"))
                results.add(MissResults.Round(searchd: ours.sample, upstreamShare: ours.share, curl: theirs), scenario)
            }
        }
        return [DecodingReport.section(decoding), MissReport.section(results, place: factory.processors.description)]
    }

    /// What searchd asks its source for, query by query.
    private static func requests(to source: Source, _ sandbox: SandboxServer) throws(BenchmarkError) -> [HTTPRequest] {
        guard let access = sandbox.accounts[source.account] else {
            throw BenchmarkError(.program, "the sandbox has nothing in the place of \(source.account)")
        }
        var requests: [HTTPRequest] = []
        for index in 0..<SearchRequests.count {
            guard let query = SearchQuery(SearchRequests.query(index)) else { continue }
            do throws(SearchError) {
                requests.append(try source.request(for: PageRequest(query: query), account: access))
            } catch {
                throw BenchmarkError(.program, "\(source.name) can't be asked: \(error.message)", hint: error.hint)
            }
        }
        return requests
    }

    /// Presses searchd with searches that take nothing from the cache; `share` is how many of them went upstream.
    private static func misses(
        _ peer: Peer,
        _ sandbox: SandboxServer,
        _ scenario: Scenario,
        _ plan: LoadPlan
    ) throws(BenchmarkError) -> (sample: LoadSample, share: Double) {
        let exchanges = (0..<SearchRequests.count).map { index in
            let query = SearchRequests.query(index)
            return Traffic.Exchange(
                head: SearchRequests.head,
                tail: SearchRequests.tail(query: query, source: sourceName, maxAge: 0),
                mark: Array("\"query\":\"\(query)\"".utf8),
                length: 1...AnswerFraming.answerBytesMax
            )
        }
        var generator = try LoadGenerator(peer, Traffic(exchanges, framing: .jsonRPC), scenario)
        let before = try sandbox.requests()
        let sample = try generator.measure(warming: plan.warming, measured: plan.measured)
        let upstream = try sandbox.requests() - before
        return (sample, Double(upstream) / Double(max(generator.requestsSent, 1)))
    }
}
