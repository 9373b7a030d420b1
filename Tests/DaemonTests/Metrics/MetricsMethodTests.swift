import JSON
import Testing

@testable import Daemon

struct MetricsMethodTests {
    private func sample(_ name: String, in text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line?.split(separator: " ").last.flatMap { Int($0) }
    }

    @Test func `every sample comes after the lines HELP and TYPE of its metric`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            _ = try client.call("search", #"{"query":"counted"}"#)
            let text = try #require(try client.call("server/metrics")["result"]?["text"]?.string)
            #expect(text.hasSuffix("\n"))
            var family = ""
            var seen: Set<String> = []
            let pattern = try Regex(#"^([a-z_]+)(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? (-?[0-9.]+|\+Inf|NaN)$"#)
            for line in text.split(separator: "\n") {
                if line.hasPrefix("# HELP ") {
                    family = String(line.split(separator: " ")[2])
                    #expect(seen.insert(family).inserted, "\(family) comes twice")
                } else if line.hasPrefix("# TYPE ") {
                    #expect(line.split(separator: " ")[2] == family)
                } else {
                    #expect(try pattern.wholeMatch(in: line) != nil, "\(line)")
                    #expect(line.hasPrefix(family), "\(line)")
                }
            }
            #expect(seen.count > 20)
            // The other client, `daemon.bystander`, has searched, too.
            #expect(sample("searchd_requests_total{method=\"search\",outcome=\"ok\"}", in: text) == 2)
            #expect(sample("searchd_upstream_calls_total{source=\"kakao.blog\",status=\"200\"}", in: text) == 1)
            let stats = try daemon.stats(client)
            #expect(stats["requests"]?["search"] == 2)
            #expect(sample("searchd_cache_misses_total", in: text) == stats["cache"]?["misses"]?.int)
        }
    }
}
