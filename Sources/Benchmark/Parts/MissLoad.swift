import Catalogue
import EventLoop
import HTTPMessage
import SearchModel

/// Loads searchd with searches that were not made before.
struct MissLoad {
    struct Outcome {
        let sample: LoadSample
        /// How many upstream requests there were for each search.
        let share: Double
        /// The numbers of the searches.
        let searches: Range<Int>
    }

    /// More pages than fit into 64 MiB of memory and 256 MiB on the disk, with 50 hits each, ten of them decoded.
    private static let fillingCount = 9_000
    /// The thread that reads and writes the disk's part of the cache.
    private static let diskThread = "storage"
    /// How many searches are prepared for a measurement.
    private static let searchesPerSecondMax = 8_000.0
    /// A shorter answer has fewer than ten hits.
    private static let answerBytesMin = 4_096
    private static let hitsWanted = 10

    private let peer: Peer
    private let sandbox: SandboxServer
    private let source: Source
    private var next = 0

    init(_ peer: Peer, _ sandbox: SandboxServer, _ source: Source) {
        self.peer = peer
        self.sandbox = sandbox
        self.source = source
    }

    /// Searches until every further page evicts others.
    mutating func fillCaches() throws(BenchmarkError) {
        while next < Self.fillingCount {
            _ = try misses(Scenario(connections: 16), warming: .zero, measured: .milliseconds(500))
        }
    }

    mutating func misses(
        _ scenario: Scenario,
        warming: Duration,
        measured: Duration
    ) throws(BenchmarkError) -> Outcome {
        let seconds = Double((warming + measured).saturatingNanoseconds) / 1e9
        let wanted = Int(seconds * Self.searchesPerSecondMax) + 2 * scenario.connections
        let searches = next..<min(next + wanted, NewSearches.count)
        guard !searches.isEmpty else { throw Self.exhausted }
        var generator = try LoadGenerator(peer, Traffic(searches.map(exchange), framing: .jsonRPC), scenario)
        let before = try sandbox.requests()
        let sample = try generator.measure(
            warming: warming,
            measured: measured,
            thread: Self.diskThread
        )
        let upstream = try sandbox.requests() - before
        // The generator's first id is 1.
        guard generator.requestsSent < searches.count else { throw Self.exhausted }
        next += generator.requestsSent + 1
        return Outcome(
            sample: sample,
            share: Double(upstream) / Double(max(generator.requestsSent, 1)),
            searches: searches.prefix(generator.requestsSent + 1).dropFirst()
        )
    }

    /// What searchd asks its source for in these searches.
    func requests(_ searches: Range<Int>) throws(BenchmarkError) -> [HTTPRequest] {
        guard let access = sandbox.accounts[source.account] else {
            throw BenchmarkError(.program, "the sandbox does not imitate \(source.account)")
        }
        var requests: [HTTPRequest] = []
        for number in searches {
            guard let query = SearchQuery(NewSearches.query(number)) else { continue }
            let page = PageRequest(query: query, page: NewSearches.page(number))
            do throws(SearchError) {
                requests.append(try source.request(for: page, account: access))
            } catch {
                throw BenchmarkError(.program, "\(source.name) can't be asked: \(error.message)", hint: error.hint)
            }
        }
        return requests
    }

    private func exchange(_ number: Int) -> Traffic.Exchange {
        let query = NewSearches.query(number)
        let offset = NewSearches.page(number) * NewSearches.pageSize
        let parameters =
            #""query":"\#(query)","sources":["\#(source.name)"],"limit":\#(Self.hitsWanted),"offset":\#(offset)"#
        return Traffic.Exchange(
            head: SearchRequests.head,
            tail: Array(#","method":"search","params":{\#(parameters)}}"#.utf8) + [UInt8(ascii: "\n")],
            mark: Array("\"query\":\"\(query)\"".utf8),
            length: Self.answerBytesMin...AnswerFraming.answerBytesMax
        )
    }

    private static let exhausted = BenchmarkError(
        .program,
        "there are not enough searches that were not made before",
        hint: "Measure for fewer --rounds or --seconds."
    )
}
