import JSON
import Testing

@testable import Daemon

/// `server/metrics` over the socket, against `server/stats` of the same daemon.
struct MetricsMethodTests {
    /// The sample under a name and its labels, as the text has it.
    private func sample(_ name: String, in text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line?.split(separator: " ").last.flatMap { Int($0) }
    }

    @Test func `every line is a comment or a sample of the family before it`() async throws {
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
        }
    }

    @Test func `they count exactly what was asked`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            func text() throws -> String {
                try #require(try client.call("server/metrics")["result"]?["text"]?.string)
            }
            let before = try text()
            for _ in 0..<5 { _ = try client.call("search", #"{"query":"고양이"}"#) }
            _ = try client.call("search", "{}")
            _ = try client.call("server/pong")
            try client.send("nonsense\n")
            _ = try client.message()
            let after = try text()
            func grown(_ name: String) -> Int {
                (sample(name, in: after) ?? 0) - (sample(name, in: before) ?? 0)
            }
            func requests(_ method: String, _ outcome: String) -> Int {
                grown("searchd_requests_total{method=\"\(method)\",outcome=\"\(outcome)\"}")
            }
            #expect(requests("search", "ok") == 5)
            #expect(requests("search", "invalidParams") == 1)
            #expect(requests("unknown", "methodNotFound") == 1)
            #expect(requests("invalid", "parseError") == 1)
            #expect(requests("server/metrics", "ok") == 1)
            // The first missed, the second was found in memory, the others repeated the second.
            #expect(grown("searchd_repeated_searches_total") == 3)
            #expect(grown("searchd_source_answers_total{cache=\"miss\"}") == 1)
            #expect(grown("searchd_source_answers_total{cache=\"hit\"}") == 1)
            #expect(grown("searchd_upstream_calls_total{source=\"kakao.blog\",status=\"200\"}") == 1)
            #expect(grown("searchd_upstream_seconds_count{source=\"kakao.blog\"}") == 1)
            #expect(grown("searchd_flights_led_total") == 1)
            #expect(grown("searchd_hits_total{kind=\"blog\"}") == 20)
        }
    }
}
