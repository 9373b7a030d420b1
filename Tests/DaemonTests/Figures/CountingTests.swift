import JSON
import Sandbox
import TestSupport
import Testing

/// What the daemon counts of a load at random, against what its clients and the sandbox counted of it themselves.
@Suite struct CountingTests {
    private static let sources = ["kakao.blog", "kakao.cafe", "kakao.web", "kakao.video"]

    /// Sums by metric and labels, as the text of the metrics has them.
    private struct Sums {
        private(set) var values: [String: Int] = [:]

        init() {}

        init(_ text: String) {
            for line in text.split(separator: "\n") where !line.hasPrefix("#") {
                guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                    Issue.record("no sample: \(line)")
                    continue
                }
                values[String(line[..<space]), default: 0] += Int(value)
            }
        }

        mutating func count(_ metric: String, _ count: Int = 1) {
            if count != 0 { values[metric, default: 0] += count }
        }

        /// What has come to the sums of some metrics; those that have not changed are left out.
        func grown(since before: Sums, _ metrics: [String]) -> [String: Int] {
            values.filter { name, _ in metrics.contains { name.hasPrefix("\($0){") || name == $0 } }
                .reduce(into: [:]) { grown, sample in
                    let more = sample.value - (before.values[sample.key] ?? 0)
                    if more != 0 { grown[sample.key] = more }
                }
        }

        /// Counts an answer as its client sees it.
        mutating func add(_ answer: JSONValue, to method: String) {
            count("searchd_requests_total{method=\"\(method)\",outcome=\"\(answer.errorKind ?? "ok")\"}")
            guard let result = answer["result"], method == "search" else { return }
            for hit in result["hits"]?.array ?? [] {
                count("searchd_hits_total{kind=\"\(hit["kind"]?.string ?? "")\"}")
            }
        }
    }

    private static func metrics(_ client: TestClient) throws -> Sums {
        Sums(try #require(try client.call("server/metrics")["result"]?["text"]?.string))
    }

    /// A request at random; each search is another line, so that none is answered from the bytes of another.
    private static func request(_ number: Int, _ random: inout SeededGenerator) -> (method: String, params: String?) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: ("server/ping", nil)
        case 1: ("source/list", nil)
        case 2: ("search", "{\"query\":\"x\",\"limit\":\(-number)}")
        case 3: ("search/\(number)", nil)
        case 4: ("search", "{\"query\":\"나무\",\"sources\":[\"nobody.\(number)\"]}")
        default:
            (
                "search",
                """
                {"query":"\(Queries.rich[Int.random(in: 0..<8, using: &random)])",\
                "sources":["\(sources.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
                    .joined(separator: "\",\""))"],\
                "limit":\(Int.random(in: 1...60, using: &random)),"timeout":\(20_000 + number)}
                """
            )
        }
    }

    @Test func `every count is that of the clients and of the sources, exactly`() async throws {
        var random = SeededGenerator(seed: testSeed())
        let limits = Self.sources.map { "\"\($0)\": { limits: { perSecond: 10000, concurrency: 16 } }," }.joined()
        try await withDaemon {
            $0.members = "sources: { \(limits) },"
        } _: { daemon in
            await daemon.sandbox.change { options in
                options.faults = [
                    FaultRule(source: "kakao.cafe", name: "maintenance", share: 0.2),
                    FaultRule(source: "kakao.web", name: "productOff", share: 0.1),
                ]
            }
            let clients = try (0..<3).map { _ in try daemon.connect() }
            let watcher = try daemon.connect()
            let before = try Self.metrics(watcher)
            let sentBefore = await daemon.sandbox.counts
            var expected = Sums()
            expected.count("searchd_requests_total{method=\"server/metrics\",outcome=\"ok\"}")
            var number = 0
            for _ in 0..<40 {
                // Three clients at a time, each with some requests in flight.
                var asked: [(client: TestClient, id: Int, method: String)] = []
                for client in clients {
                    for _ in 0..<Int.random(in: 1...3, using: &random) {
                        number += 1
                        let (method, params) = Self.request(number, &random)
                        asked.append((client, try client.ask(method, params), method))
                    }
                }
                try clients[0].notify("$/cancelRequest", #"{"id":"nobody's"}"#)
                expected.count("searchd_notifications_total")
                for (client, id, method) in asked {
                    let known = ["search", "server/ping", "source/list"].contains(method)
                    expected.add(try client.answer(to: id), to: known ? method : "unknown")
                }
            }
            // A call may go on that nobody waits for any more.
            let asker = try daemon.connect()
            try await eventually("no call under way") { try daemon.stats(asker)["flights"]?["calls"] == 0 }
            let counts = await daemon.sandbox.counts
            func sent(_ source: String, _ status: Int) -> Int {
                counts.requests(to: source, status: status) - sentBefore.requests(to: source, status: status)
            }
            for source in Self.sources {
                for status in [200, 403, 503] {
                    let labels = "{source=\"\(source)\",status=\"\(status)\"}"
                    expected.count("searchd_upstream_calls_total\(labels)", sent(source, status))
                }
                expected.count(
                    "searchd_upstream_seconds_count{source=\"\(source)\"}",
                    [200, 403, 503].reduce(0) { $0 + sent(source, $1) }
                )
            }
            let compared = [
                "searchd_requests_total", "searchd_hits_total", "searchd_upstream_calls_total",
                "searchd_upstream_seconds_count", "searchd_notifications_total",
            ]
            let grown = try Self.metrics(watcher).grown(since: before, compared).filter {
                !$0.key.contains("server/stats")
            }
            #expect(grown == expected.grown(since: Sums(), compared))
            #expect(grown.count > 12)
        }
    }
}
