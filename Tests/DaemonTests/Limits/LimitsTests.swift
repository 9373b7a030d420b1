import JSON
import Sandbox
import Testing

@Suite struct LimitsTests {
    private static func limits(_ source: String, _ limits: String) -> String {
        "sources: { \"\(source)\": { limits: { \(limits) } } },"
    }

    private func search(
        _ client: TestClient,
        _ source: String,
        count: Int,
        from first: Int = 0,
        timeout: Int = 300
    ) throws -> [String?] {
        try (first..<first + count).map { number in
            let params = "{\"query\":\"word \(number)\",\"sources\":[\"\(source)\"],\"timeout\":\(timeout)}"
            return try client.call("search", params).errorKind
        }
    }

    private func quota(_ name: String, of source: String, _ client: TestClient) throws -> JSONValue {
        let sources = try client.call("source/list")["result"]?["sources"]?.array ?? []
        let entry = try #require(sources.first { $0["source"]?.string == source })
        return try #require(entry["quota"]?.array?.first { $0["name"]?.string == name })
    }

    @Test func `a daily quota is never exceeded, and its use is listed`() async throws {
        try await withDaemon {
            $0.members = Self.limits("kakao.blog", "perDay: 12, perSecond: 10000, concurrency: 16")
        } _: { daemon in
            await daemon.sandbox.change { $0.limits.kakaoPerDayEach = 12 }
            let client = try daemon.connect()
            let before = try quota("kakao-blog-day", of: "kakao.blog", client)
            #expect(before["used"] == 0 && before["left"] == 12 && before["limit"] == 12)
            let kinds = try search(client, "kakao.blog", count: 20, timeout: 5000)
            #expect(kinds.prefix(12).allSatisfy { $0 == nil })
            #expect(kinds.dropFirst(12).allSatisfy { $0 == "quotaExhausted" })
            #expect(await daemon.requests() == 12)
            let after = try quota("kakao-blog-day", of: "kakao.blog", client)
            #expect(after["used"] == 12 && after["left"] == 0 && after["forecast"] != nil)
            let answer = try client.call("search", #"{"query":"another","sources":["kakao.blog"]}"#)
            #expect(answer.errorCode == -32004)
            #expect(answer["error"]?["data"]?["resetsAt"]?.string == after["resetsAt"]?.string)
            let all = await daemon.sandbox.counts.requests()
            #expect(try quota("kakao-day", of: "kakao.web", client)["used"]?.int == all)
        }
    }

    @Test func `an administrator can set how much of a quota is used`() async throws {
        try await withDaemon {
            $0.members = Self.limits("kakao.blog", "perDay: 12")
        } _: { daemon in
            let client = try daemon.connect()
            let set = try client.call("quota/set", #"{"name":"kakao-blog-day","used":11}"#)
            #expect(set["result"]?["quota"]?.array?.first?["left"] == 1, "\(set)")
            #expect(try search(client, "kakao.blog", count: 2, timeout: 5000) == [nil, "quotaExhausted"])
            #expect(try quota("kakao-blog-day", of: "kakao.blog", client)["used"] == 12)
            let wrong = try client.call("quota/set", #"{"name":"kakao-blog-dya","used":1}"#)
            #expect(wrong.errorKind == "invalidParams" && wrong.hint?.contains("kakao-blog-day") == true)
            #expect(try client.call("quota/set", #"{"name":"kakao-blog-day"}"#).errorKind == "invalidParams")
            let tooMany = try client.call("quota/set", #"{"name":"kakao-blog-day","used":13}"#)
            #expect(tooMany["error"]?["data"]?["path"] == "params.used" && tooMany.errorKind == "invalidParams")
            #expect(tooMany["error"]?["message"]?.string?.contains("the limit of kakao-blog-day is 12 calls") == true)
            let usedUp = try client.call("quota/set", #"{"name":"kakao-blog-day","used":12}"#)
            #expect(usedUp["result"]?["quota"]?.array?.first?["left"] == 0)
        }
    }

    @Test func `a failed call is retried, and the stream reports the retry`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.sandbox.change { $0.faults = [FaultRule(source: "kakao.blog", name: "status", times: 1)] }
            let id = try client.ask("search", #"{"query":"고양이","stream":true}"#)
            var statuses: [String] = []
            var message = try client.message()
            while message.method != nil {
                if let status = message["params"]?["status"]?.string { statuses.append(status) }
                message = try client.message()
            }
            #expect(statuses == ["retrying", "ok"])
            #expect(message["id"]?.int == id)
            #expect(message["result"]?["order"]?.array?.count == 10)
            #expect(await daemon.requests() == 2)
        }
    }
}
