import JSON
import TestSupport
import Testing

@testable import Daemon

/// Sends random sequences of valid and invalid messages.
///
/// Each request must get one answer.
@Suite struct HostileClientTests {
    private struct Script {
        var text = ""
        var ids: Set<Int> = []
        var unnamed = 0
        var unnamedInBatches = 0

        init(_ random: inout SeededGenerator) {
            var id = 0
            for _ in 0..<60 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0: add("nonsense", "{\"a\":", "[1,]", "\u{FEFF}{}")
                case 1: add("{}", "7", "{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"server/ping\"}")
                case 2: text += "\r\n\n"
                case 3:
                    let target = Int.random(in: 1...max(1, id), using: &random)
                    text += "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancelRequest\",\"params\":{\"id\":\(target)}}\n"
                case 4:
                    let requests = (0..<Int.random(in: 1...8, using: &random)).map { _ in request(&id, &random) }
                    text += "[\(requests.joined(separator: ",")),5]\n"
                    unnamedInBatches += 1
                default: text += request(&id, &random) + "\n"
                }
            }
        }

        private mutating func add(_ lines: String...) {
            for line in lines { text += line + "\n" }
            unnamed += lines.count
        }

        private mutating func request(_ id: inout Int, _ random: inout SeededGenerator) -> String {
            id += 1
            ids.insert(id)
            let query = Queries.rich[Int.random(in: 0..<6, using: &random)]
            let line =
                switch Int.random(in: 0..<6, using: &random) {
                case 0: TestClient.request("\(id)", "server/ping")
                case 1: TestClient.request("\(id)", "server/stats", "{}")
                case 2: TestClient.request("\(id)", "no/such", "[]")
                case 3: TestClient.request("\(id)", "search", "{\"query\":\"\(query)\",\"stream\":true,\"limit\":5}")
                case 4: TestClient.request("\(id)", "search", "{\"query\":\"\(query)\",\"channel\":\"c\",\"limit\":2}")
                default: TestClient.request("\(id)", "search", "{\"query\":\"\(query)\",\"limit\":20,\"raw\":true}")
                }
            return String(line.dropLast())
        }
    }

    @Test func `each request is answered once, even if it is between invalid lines and arrives in pieces`() async throws
    {
        var random = SeededGenerator(seed: testSeed())
        try await withDaemon { daemon in
            await daemon.delay(20)
            for _ in 1...8 {
                let scripts = (1...6).map { _ in Script(&random) }
                let clients = try scripts.map { _ in try daemon.connect() }
                var rests = scripts.map { Array($0.text.utf8)[...] }
                while rests.contains(where: { !$0.isEmpty }) {
                    for index in rests.indices where !rests[index].isEmpty {
                        let count = min(rests[index].count, Int.random(in: 1...2000, using: &random))
                        try clients[index].send(Array(rests[index].prefix(count)))
                        rests[index] = rests[index].dropFirst(count)
                    }
                }
                for client in clients { client.closeWriting() }
                for (client, script) in zip(clients, scripts) { try check(client, script) }
            }
        }
    }

    private func check(_ client: TestClient, _ script: Script) throws {
        var due = script.ids
        var unnamed = script.unnamed
        var unnamedInBatches = script.unnamedInBatches
        while !due.isEmpty || unnamed > 0 || unnamedInBatches > 0 {
            let message = try client.message()
            if let request = message["params"]?["request"]?.int {
                #expect(due.contains(request), "\(request) has a notification after its answer")
                continue
            }
            for answer in message.array ?? [message] {
                if let id = answer["id"]?.int {
                    #expect(due.remove(id) != nil, "\(id) is answered again: \(answer)")
                } else if message.array == nil {
                    unnamed -= 1
                } else {
                    unnamedInBatches -= 1
                }
            }
        }
        #expect(unnamed == 0 && unnamedInBatches == 0)
        try client.end()
    }

    @Test func `after clients disconnect at any moment, no connection, request, waiter or buffer remains`() async throws
    {
        var random = SeededGenerator(seed: testSeed())
        try await withDaemon { daemon in
            await daemon.delay(10)
            for _ in 1...150 {
                let client = try daemon.connect()
                let text = Array(Script(&random).text.utf8)
                _ = try client.sendSome(text.prefix(Int.random(in: 0...text.count, using: &random)))
                if Bool.random(using: &random) { try daemon.bystander.check() }
                if Bool.random(using: &random) { client.closeWriting() }
            }
            let other = try daemon.connect()
            try await eventually("closed connections") { try daemon.stats(other)["connections"]?["open"] == 2 }
            try await eventually("no calls") { try daemon.stats(other)["flights"]?["calls"] == 0 }
            let stats = try daemon.stats(other)
            #expect(stats["connections"]?["inFlight"] == 0)
            #expect(stats["flights"]?["waiters"] == 0)
            // The daemon releases these resources before it writes the answers.
            #expect(await daemon.service.server.heldBytes == 0)
        }
    }
}
