import JSON
import Testing

/// Answers past their time, over the wire, from a sandbox whose faults are real answers.
@Suite struct StaleTests {
    private static func params(_ query: String, _ more: String = "") -> String {
        "{\"query\":\"\(query)\",\"sources\":[\"kakao.blog\"]\(more)}"
    }

    private static func entry(_ answer: JSONValue) -> JSONValue? { answer.source("kakao.blog") }

    @Test(arguments: ["maintenance", "internalFault", "html", "quota", "cut"])
    func `with the source down for a day every query that was warm answers, marked stale`(fault: String) async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let queries = ["고양이", "강아지", "햄스터", "금붕어"]
            var warm: [[String]] = []
            // The first two also as answers under their exact bytes.
            for (index, query) in queries.enumerated() {
                for _ in 0..<(index < 2 ? 4 : 1) { warm.append(try client.call("search", Self.params(query)).hitIDs) }
            }
            let expected = [warm[0], warm[4], warm[8], warm[9]]
            #expect(expected.allSatisfy { $0.count >= 5 })
            await daemon.fault(fault)
            for hours in [1, 6, 12, 4] {
                daemon.advance(by: .seconds(hours * 3600))
                for (query, ids) in zip(queries, expected) {
                    let answer = try client.call("search", Self.params(query, #","explain":true"#))
                    let entry = Self.entry(answer)
                    #expect(answer.hitIDs == ids, "\(fault) \(query)")
                    #expect(entry?["cache"] == "stale" && entry?["status"] == "ok" && entry?["error"] == nil)
                    #expect(answer["result"]?["complete"] == true)
                    #expect((entry?["age"]?.double ?? 0) >= Double(hours * 3600))
                    let events = answer["result"]?["trace"]?.array?.compactMap { $0["event"]?.string } ?? []
                    #expect(events.contains("failed") && events.contains("cacheStale"), "\(events)")
                    // A plain line may not fall back on what was finished while it was fresh.
                    let plain = try client.call("search", Self.params(query))
                    #expect(Self.entry(plain)?["cache"] == "stale")
                }
            }
            #expect(try client.call("cache/stats")["result"]?["stale"] == 32)
            // Those who ask for fresh ones are told the truth.
            #expect(try client.call("search", Self.params("고양이", #","maxAge":0"#)).errorKind != nil)
            #expect(try client.call("search", Self.params("고양이", #","maxAge":600"#)).errorKind != nil)
            await daemon.endFaults()
            // A source whose quota is gone is left alone until it begins anew.
            daemon.advance(by: .seconds(2 * 86_400))
            #expect(Self.entry(try client.call("search", Self.params("고양이")))?["cache"] == "miss")
        }
    }

    @Test func `past its time an answer is given at once and a newer one fetched behind it`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let line = Self.params("고양이")
            for _ in 0..<4 { _ = try client.call("search", line) }
            let calls = await daemon.requests()
            daemon.advance(by: .seconds(601))
            let stale = Self.entry(try client.call("search", line))
            #expect(stale?["cache"] == "stale")
            #expect((stale?["age"]?.double ?? 0) >= 601)
            try await daemon.waitForRequests(calls + 1)
            try await eventually("a fresh answer") {
                let entry = Self.entry(try client.call("search", line))
                return entry?["cache"] == "hit" && (entry?["age"]?.double ?? 1000) < 600
            }
            #expect(await daemon.requests() == calls + 1)
        }
    }
}
