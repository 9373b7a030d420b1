import JSON
import Testing

@Suite struct PipelineTests {
    @Test func `ten thousand requests in one write are each answered once`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            try client.send((1...10_000).map { TestClient.request("\($0)", "server/ping") }.joined())
            var answered: Set<Int> = []
            for _ in 1...10_000 {
                let answer = try client.message()
                #expect(answer["result"] != nil)
                answered.insert(try #require(answer["id"]?.int))
            }
            #expect(answered == Set(1...10_000))
            client.closeWriting()
            try client.end()
        }
    }

    @Test func `thousands of cached searches in one write have the same hits`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let params = #"{"query":"고양이","limit":3}"#
            try client.ask("search", params)
            let hits = try client.line().hitsText
            try client.send((1...3000).map { TestClient.request("\"\($0)\"", "search", params) }.joined())
            for id in 1...3000 { try client.expectAnswer(to: "\"\(id)\"", holding: hits) }
            #expect(await daemon.requests() == 1)
        }
    }

    @Test func `answers are sent as soon as they are ready, in any order`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.delay(200)
            let slow = try client.ask("search", #"{"query":"slow"}"#)
            let other = try client.ask("search", #"{"query":"quick","sources":["kakao.cafe"]}"#)
            let ping = try client.ask("server/ping")
            let order = [try client.message(), try client.message(), try client.message()].compactMap { $0["id"]?.int }
            #expect(order == [ping, other, slow])
        }
    }
}
