import JSON
import RPC
import Testing

@testable import Daemon

/// Batches whose answers are too many to hold.
@Suite struct LargeBatchTests {
    private static func batch(_ method: String, _ params: String = "{}", count: Int = Batch.messagesMax) -> String {
        let requests = (1...count).map { TestClient.request("\($0)", method, params).dropLast() }
        return "[\(requests.joined(separator: ","))]\n"
    }

    @Test func `unread batches of the most messages hold little, and are answered whole when they are read`()
        async throws
    {
        try await withDaemon { daemon in
            daemon.clock.stop()
            let clients = try (1...20).map { _ in try daemon.connect() }
            for client in clients { try client.send(Self.batch("server/metrics")) }
            for _ in 1...50 { try daemon.bystander.check() }
            let held = await daemon.service.board.heldBytes
            #expect(held > Outbox.bytesMax)
            #expect(await held <= daemon.service.board.memory.bytesMax)
            for client in [clients[0], clients[19]] {
                let answers = try #require(try client.message().array)
                #expect(answers.compactMap { $0["id"]?.int } == Array(1...Batch.messagesMax))
                #expect(answers.allSatisfy { $0["result"]?["text"] != nil })
            }
        }
    }

    @Test func `answers to others wait for the end of a batch whose line has begun, and come whole`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.delay(50)
            // Its last message takes longest.
            let slow = TestClient.request("\"slow\"", "search", #"{"query":"느린"}"#).dropLast()
            let batch = Self.batch("rpc.discover", count: 100).dropLast(2) + ",\(slow)]\n"
            try client.send(String(batch))
            for number in 1...20 { try client.send(TestClient.request("\"p\(number)\"", "server/ping")) }
            try client.send(Self.batch("server/ping", count: 3))
            try client.send(TestClient.request("\"s\"", "search", #"{"query":"흐름","stream":true,"limit":20}"#))
            var (batches, answers, told, ordered) = ([Int](), Set<String>(), 0, 0)
            while batches.count < 2 || answers.count < 21 {
                let message = try client.message()
                if let array = message.array {
                    batches.append(array.count)
                    #expect(array.allSatisfy { $0["result"] != nil })
                } else if let params = message["params"] {
                    told += params["hits"]?.array?.count ?? 0
                } else {
                    answers.insert(try #require(message["id"]?.string))
                    ordered += message["result"]?["order"]?.array?.count ?? 0
                }
            }
            #expect(batches.sorted() == [3, 101])
            #expect(told == ordered && told > 0)
        }
    }

    @Test func `a client that leaves in the middle of its batch leaves nothing behind`() async throws {
        try await withDaemon { daemon in
            for _ in 1...5 {
                let client = try daemon.connect()
                try client.send(Self.batch("server/metrics"))
                try client.waitForInput()
            }
            let other = try daemon.connect()
            try await eventually("all have left") { try daemon.stats(other)["connections"]?["open"] == 2 }
            #expect(await daemon.service.board.heldBytes == 0)
        }
    }
}
