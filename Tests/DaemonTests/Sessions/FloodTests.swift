import JSON
import Testing

/// One program asks a little while others ask a lot.
@Suite struct FloodTests {
    private static let slots = 4
    private static let setup = "sources: { \"kakao.blog\": { limits: { perSecond: 10000, concurrency: \(slots) } } },"

    @Test func `a light client is served within two calls' time while 64 others flood`() async throws {
        try await withDaemon({ $0.members = Self.setup }) { daemon in
            await daemon.delay(20)
            let light = try daemon.connect()
            _ = try light.call("server/hello", #"{"client":"light"}"#)
            let flooders = try (0..<64).map { number in
                let client = try daemon.connect()
                _ = try client.call("server/hello", "{\"client\":\"flood \(number)\"}")
                try client.send(
                    (0..<12).map { call in
                        let params = "{\"query\":\"flood \(number) \(call)\",\"timeout\":120000,\"limit\":1}"
                        return TestClient.request("\(call)", "search", params)
                    }.joined()
                )
                return client
            }
            var waits: [Int] = []
            for number in 1...8 {
                // Asks for less than its share: a round is 65 calls.
                try await daemon.waitForRequests(number * 70)
                let before = await daemon.requests()
                #expect(
                    try light.call("search", "{\"query\":\"light \(number)\"}").source("kakao.blog")?["cache"] == "miss"
                )
                waits.append(await daemon.requests() - before)
            }
            // In two calls' time the source begins as many calls as two for each slot, and this one; some more may have
            // come before they were counted. In the order of their coming it would wait for hundreds.
            #expect(waits.sorted()[4] <= 2 * Self.slots + 1, "\(waits)")
            #expect(waits.allSatisfy { $0 < 32 }, "\(waits)")
            for flooder in flooders {
                for _ in 0..<12 { #expect(try flooder.message()["result"] != nil) }
            }
            #expect(await daemon.requests() == 64 * 12 + 8)
        }
    }
}
