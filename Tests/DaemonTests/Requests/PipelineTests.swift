import JSON
import Testing

@Suite struct PipelineTests {
    @Test func `ten thousand requests in one write are all answered, each once`() async throws {
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
            let ids = try client.call("search", params).hitIDs
            #expect(ids.count == 3)
            try client.send((1...3000).map { TestClient.request("\"\($0)\"", "search", params) }.joined())
            var answered: Set<String> = []
            for _ in 1...3000 {
                let answer = try client.message()
                #expect(answer.hitIDs == ids)
                answered.insert(try #require(answer["id"]?.string))
            }
            #expect(answered.count == 3000)
            #expect(await daemon.requests() == 1)
        }
    }

    @Test func `answers come as they are ready, whatever the order of the requests`() async throws {
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
