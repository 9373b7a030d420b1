import JSON
import Sandbox
import Testing

/// Limits over real HTTP, before a sandbox that counts.
@Suite struct LimitsTests {
    /// Limits of the configuration for one source.
    private static func limits(_ source: String, _ limits: String) -> String {
        "sources: { \"\(source)\": { limits: { \(limits) } } },"
    }

    /// Searches of different words in one source, one after the other, each with little time; the kinds of their
    /// errors.
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

    @Test func `a quota of a day is not exceeded by one call, and told as it is used`() async throws {
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

    @Test func `many clients at once do not exceed a quota together`() async throws {
        try await withDaemon {
            $0.members = Self.limits("kakao.blog", "perDay: 40, perSecond: 10000, concurrency: 32")
        } _: { daemon in
            let clients = try (0..<8).map { _ in try daemon.connect() }
            for (place, client) in clients.enumerated() {
                for number in 0..<20 {
                    _ = try client.ask("search", "{\"query\":\"w \(place) \(number)\",\"sources\":[\"kakao.blog\"]}")
                }
            }
            var found = 0
            for client in clients {
                for id in 1...20 where try client.answer(to: id)["result"] != nil { found += 1 }
            }
            #expect(found == 40)
            #expect(await daemon.requests() == 40)
        }
    }

    @Test func `a source of so many calls a second gets no more in any second`() async throws {
        try await withDaemon {
            $0.members = Self.limits("kakao.blog", "perSecond: 20")
        } _: { daemon in
            await daemon.sandbox.change { $0.limits.kakaoPerSecond = 20 }
            let client = try daemon.connect()
            for number in 0..<45 {
                _ = try client.ask("search", "{\"query\":\"word \(number)\",\"sources\":[\"kakao.blog\"]}")
            }
            for id in 1...45 { #expect(try client.answer(to: id)["result"] != nil) }
            let counts = await daemon.sandbox.counts
            #expect(counts.requests(to: "kakao.blog", status: 200) == 45)
            #expect(counts.requests(to: "kakao.blog", status: 429) == 0)
        }
    }

    @Test func `iTunes is never asked more than twenty times a minute`() async throws {
        try await withDaemon { daemon in
            await daemon.sandbox.change { $0.limits.itunesPerMinute = 20 }
            let client = try daemon.connect()
            let kinds = try search(client, "itunes.app", count: 15, timeout: 200)
            #expect(kinds.prefix(12).allSatisfy { $0 == nil })
            #expect(kinds.suffix(3) == ["rateLimited", "rateLimited", "rateLimited"])
            // The daemon's clock goes ahead, so that its rate would allow more; the sandbox's does not.
            daemon.advance(by: .seconds(45))
            _ = try search(client, "itunes.music", count: 20, from: 100, timeout: 200)
            let counts = await daemon.sandbox.counts
            #expect(counts.requests(to: "itunes.app", status: 403) == 0)
            #expect(counts.requests(to: "itunes.music", status: 403) == 0)
            #expect(counts.requests(to: "itunes.app") + counts.requests(to: "itunes.music") == 20)
        }
    }

    /// What a source may say to be left alone, and for how long it then is, at the least and at the most, in seconds.
    private static let throttles: [(source: String, fault: String, kind: String, seconds: ClosedRange<Int>)] = [
        ("itunes.app", "rateLimited", "rateLimited", 60...60),
        ("itunes.app", "rateLimited429", "rateLimited", 60...60),
        ("google.books", "minuteQuota", "rateLimited", 10...10),
        ("google.books", "dailyQuota", "quotaExhausted", 1...90_000),
        ("naver.blog", "rate", "rateLimited", 1...1),
        ("naver.blog", "dailyQuota", "quotaExhausted", 1...86_400),
        ("kakao.blog", "throttled", "quotaExhausted", 5...5),
        ("kakao.blog", "quota", "quotaExhausted", 5...5),
    ]

    @Test(arguments: throttles.indices)
    func `a source that asks to be left alone is`(_ row: Int) async throws {
        let (source, fault, kind, seconds) = Self.throttles[row]
        try await withDaemon {
            $0.hasAllKeys = true
        } _: { daemon in
            let client = try daemon.connect()
            await daemon.fault(fault, source: source)
            func ask(_ number: Int) throws -> JSONValue {
                let params = "{\"query\":\"word \(number)\",\"sources\":[\"\(source)\"],\"timeout\":900}"
                return try client.call("search", params)
            }
            let first = try ask(0)
            #expect(first.errorKind == kind, "\(first)")
            let wait = try #require(first["error"]?["data"]?["retryAfter"]?.int)
            #expect((seconds.lowerBound * 1000...seconds.upperBound * 1000).contains(wait), "\(wait)")
            await daemon.endFaults()
            let second = try ask(1)
            #expect(second.errorKind == kind, "\(second)")
            #expect(await daemon.requests(to: source) == 1)
            daemon.advance(by: .milliseconds(wait))
            let third = try ask(2)
            // Quotas go by the wall clock, which nobody moves here: the day is not over, and nothing of it is left.
            let isDayOver = fault != "dailyQuota"
            let listed = try client.call("source/list")["result"]?["sources"]?.array ?? []
            let quotas = listed.first { $0["source"]?.string == source }?["quota"]?.array ?? []
            let isUsedUp = quotas.contains { $0["used"]?.int == $0["limit"]?.int && $0["left"]?.int == 0 }
            #expect(isUsedUp != isDayOver, "\(quotas)")
            #expect((third["result"] != nil) == isDayOver, "\(third)")
            #expect(await daemon.requests(to: source) == (isDayOver ? 2 : 1))
        }
    }

    @Test func `a server that names a time is not asked before it`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            var rule = FaultRule(source: "kakao.blog", name: "maintenance", times: 1)
            rule.retryAfter = 30
            await daemon.sandbox.change { [rule] in $0.faults = [rule] }
            #expect(
                try search(client, "kakao.blog", count: 3, timeout: 1000) == Array(repeating: "unavailable", count: 3)
            )
            #expect(await daemon.requests() == 1)
            daemon.advance(by: .seconds(30))
            #expect(try search(client, "kakao.blog", count: 1, from: 10) == [nil])
        }
    }

    @Test func `one failure is tried again, and the stream tells it`() async throws {
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

    @Test(arguments: [0.1, 0.4, 0.9])
    func `whatever share of its answers are faults a source gets a tenth more calls, and a quarter of what it answers`(
        _ share: Double
    ) async throws {
        try await withDaemon {
            $0.members = Self.limits("kakao.blog", "perSecond: 10000, concurrency: 16")
        } _: { daemon in
            let client = try daemon.connect()
            let names = ["maintenance", "malformedJSON", "cut", "internalError"]
            await daemon.sandbox.change { options in
                options.faults = names.map { FaultRule(source: "kakao.blog", name: $0, share: share / 4) }
            }
            for number in 0..<200 { _ = try client.ask("search", "{\"query\":\"word \(number)\"}") }
            var answered = 0
            for id in 1...200 where try client.answer(to: id)["result"] != nil { answered += 1 }
            #expect(await daemon.requests() <= 220 + answered / 4)
        }
    }

    @Test func `a source that keeps failing is left alone, told as open, and comes back`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.fault("internalFault")
            #expect(try search(client, "kakao.blog", count: 8, timeout: 2000).allSatisfy { $0 == "unavailable" })
            let asked = await daemon.requests()
            #expect(asked < 10)
            let sources = try client.call("source/list")["result"]?["sources"]?.array ?? []
            let entry = try #require(sources.first { $0["source"]?.string == "kakao.blog" })
            #expect(entry["health"] == "open")
            #expect(entry["since"]?.string?.hasSuffix("Z") == true)
            await daemon.endFaults()
            daemon.advance(by: .seconds(600))
            #expect(try search(client, "kakao.blog", count: 3, from: 50, timeout: 2000) == [nil, nil, nil])
        }
    }
}
