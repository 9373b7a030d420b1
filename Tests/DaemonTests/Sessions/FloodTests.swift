import JSON
import Testing

/// One program asks a little while others ask a lot.
@Suite struct FloodTests {
    private static let slots = 4
    private static let floods = 64
    /// How many calls of each wait at the beginning.
    private static let backlog = 8
    private static let setup = "sources: { \"kakao.blog\": { limits: { perSecond: 10000, concurrency: \(slots) } } },"

    @Test func `a light client is served within two calls' time while 64 others flood`() async throws {
        try await withDaemon({ $0.members = Self.setup }) { daemon in
            // Slowly at first, so that none has got what it asked for before the last has asked.
            await daemon.delay(300)
            let light = try daemon.connect()
            light.checksContract = false
            _ = try light.call("server/hello", #"{"client":"light"}"#)
            let flooders = try (0..<Self.floods).map { number in
                let client = try daemon.connect()
                _ = try client.call("server/hello", "{\"client\":\"flood \(number)\"}")
                for call in 0..<Self.backlog { try Self.ask(client, number, call) }
                return client
            }
            await daemon.delay(20)
            // Whoever has not been here before is the last of the round.
            _ = try light.call("search", #"{"query":"light","timeout":120000}"#)
            let rounds = 3
            var waits: [Int] = []
            for round in 1...rounds {
                // It asks again when all others have been served since, and the next round has begun.
                try await daemon.waitForRequests(await daemon.requests() + Self.floods + 2 * Self.slots)
                for (number, flooder) in flooders.enumerated() { try Self.ask(flooder, number, Self.backlog + round) }
                let before = await daemon.requests()
                let answer = try light.call("search", "{\"query\":\"light \(round)\"}")
                #expect(answer.source("kakao.blog")?["cache"] == "miss")
                waits.append(await daemon.requests() - before)
            }
            // In two calls' time the source begins as many calls as two for each slot, and this one; some more may have
            // come before they were counted. In the order of their coming it would wait for hundreds.
            #expect(waits.sorted()[rounds / 2] <= 2 * Self.slots + 1, "\(waits)")
            #expect(waits.allSatisfy { $0 < Self.floods }, "\(waits)")
            for flooder in flooders {
                for _ in 0..<Self.backlog + rounds { #expect(try flooder.message()["result"] != nil) }
            }
            #expect(await daemon.requests() == Self.floods * (Self.backlog + rounds) + rounds + 1)
        }
    }

    private static func ask(_ client: TestClient, _ number: Int, _ call: Int) throws {
        try client.ask("search", "{\"query\":\"flood \(number) \(call)\",\"timeout\":120000,\"limit\":1}")
    }
}
