import JSON
import Testing

@Suite struct CacheTests {
    private static let blog = #"{"query":"고양이","sources":["kakao.blog"]}"#

    private func figures(_ client: TestClient) throws -> JSONValue {
        try #require(try client.call("cache/stats")["result"])
    }

    @Test func `the statistics of the cache have its entries, hits and misses`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            // The other client, `daemon.bystander`, has searched once.
            let before = try figures(client)
            #expect(before["limit"] == .number(JSONNumber(64 << 20)))
            #expect(before["disk"]?.members != nil)
            let names = ["entries", "bytes", "limit", "hits", "misses", "stale", "evictions", "disk"]
            #expect(Set(before.members?.map(\.name) ?? []) == Set(names))
            for _ in 0..<7 { _ = try client.call("search", Self.blog) }
            _ = try client.call("search", #"{"query":"고양이","sources":["kakao.blog","kakao.cafe"]}"#)
            _ = try client.call("search", #"{"query":"never","offline":true}"#)
            let after = try figures(client)
            func grown(_ name: String) -> Int { (after[name]?.int ?? 0) - (before[name]?.int ?? 0) }
            #expect(grown("entries") == 2)
            #expect(grown("hits") == 6 + 1)
            #expect(grown("misses") >= 1 + 1 + 1)
            #expect(grown("stale") == 0 && grown("evictions") == 0)
            #expect(grown("bytes") > 10_000)
            let stats = try daemon.stats(client)["cache"]
            for name in ["entries", "bytes", "hits", "misses", "stale", "evictions"] {
                #expect(stats?[name] == after[name], "\(name)")
            }
        }
    }

    @Test func `the cache is cleared by source, by query, by source and query, or completely`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            _ = try client.call("cache/clear")
            func fill() throws {
                for query in ["고양이", "강아지"] {
                    let params = "{\"query\":\"\(query)\",\"sources\":[\"kakao.blog\",\"kakao.cafe\"]}"
                    #expect(try client.call("search", params)["result"]?["complete"] == true)
                }
            }
            try fill()
            let rows = [
                (#"{"source":"kakao.blog"}"#, 2), (#"{"source":"kakao.*"}"#, 4), (#"{"source":"naver.*"}"#, 0),
                (#"{"source":"google.books"}"#, 0), (#"{"query":"  고양이 "}"#, 2), (#"{"query":"neither"}"#, 0),
                (#"{"source":"kakao.cafe","query":"강아지"}"#, 1), ("{}", 4),
            ]
            for (params, removed) in rows {
                let answer = try client.call("cache/clear", params)
                #expect(answer["result"] == ["removed": .number(JSONNumber(removed))], "\(params)")
                try fill()
            }
        }
    }
}
