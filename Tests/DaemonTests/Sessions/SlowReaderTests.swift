import EventLoop
import JSON
import Testing

@testable import Daemon

@Suite struct SlowReaderTests {
    /// A full page of hits, with each hit's own document: about 50 KB.
    private static let large = #"{"query":"고양이","limit":50,"raw":true}"#

    /// Asks without reading until the daemon takes no more; how many requests have been sent whole.
    private func fill(_ client: TestClient, _ daemon: DaemonFixture) throws -> Int {
        // Long lines, so that the kernel keeps few of them for the daemon.
        let pad = String(repeating: " ", count: 32 << 10)
        var asked = 0
        var idleTurns = 0
        var rest: ArraySlice<UInt8> = []
        // A turn of the loop lies between any two answers to the bystander, and in each it would read what is there.
        while idleTurns < 20 {
            if rest.isEmpty {
                asked += 1
                rest = Array((pad + TestClient.request("\(asked)", "search", Self.large)).utf8)[...]
            }
            let taken = try client.sendSome(rest)
            rest = rest.dropFirst(taken)
            if taken > 0 {
                idleTurns = 0
            } else {
                idleTurns += 1
                try daemon.bystander.check()
            }
        }
        return asked - 1
    }

    @Test func `one who never reads is held back, in little memory, and others are served`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            try client.ask("search", Self.large)
            let hits = try client.line().hitsText
            #expect(hits.utf8.count > 40_000)
            let asked = try fill(client, daemon)
            let unsent = await daemon.service.board.unsentBytes
            #expect(unsent >= Outbox.bytesMax)
            #expect(unsent < Outbox.bytesMax + 256 << 10)
            let input = await daemon.service.board.inputBytes
            #expect(input <= 2 * ReadBuffer.bytes)
            // When it reads at last, every answer is there, once and in order.
            for id in 1...asked { try client.expectAnswer(to: "\(id)", holding: hits) }
            let after = await daemon.service.board.unsentBytes
            #expect(after == 0)
        }
    }

    @Test func `one who takes nothing for 30 s is dropped, a slow one is not`() async throws {
        try await withDaemon { daemon in
            daemon.clock.stop()
            let (silent, slow) = (try daemon.connect(), try daemon.connect())
            _ = try slow.call("search", Self.large)
            _ = try fill(silent, daemon)
            let asked = try fill(slow, daemon)
            daemon.advance(by: Outbox.stallMax - .seconds(1))
            try daemon.bystander.check()
            #expect(try daemon.stats(daemon.connect())["connections"]?["stalled"] == 0)
            // More than the kernel keeps: the daemon gets some room.
            for id in 1...8 { try slow.expectAnswer(to: "\(id)") }
            try daemon.bystander.check()
            daemon.advance(by: .seconds(2))
            let other = try daemon.connect()
            try await eventually("a dropped connection") {
                try daemon.stats(other)["connections"]?["stalled"] == 1
            }
            #expect(throws: TestFailure.self) {
                while true { _ = try silent.line() }
            }
            for id in 9...asked { try slow.expectAnswer(to: "\(id)") }
        }
    }

    @Test func `a stream pauses at the limit and goes on`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let params = #"{"query":"고양이","limit":400,"raw":true,"stream":true}"#
            // What is cached from the first stream makes the others quick.
            let first = try client.ask("search", params)
            let whole = try client.answer(to: first)["result"]?["order"]
            #expect(whole?.array?.count == 400)
            while let message = try? client.message(), message["params"]?["status"] == nil {}
            let count = 6
            for id in 1...count { try client.send(TestClient.request("\"\(id)\"", "search", params)) }
            for _ in 1...20 { try daemon.bystander.check() }
            let unsent = await daemon.service.board.unsentBytes
            #expect(unsent < Outbox.bytesMax + 512 << 10)
            var told: [String: Int] = [:]
            var answered = 0
            while answered < count {
                let message = try client.message()
                if let params = message["params"] {
                    told[params["request"]?.string ?? "", default: 0] += params["hits"]?.array?.count ?? 0
                } else {
                    #expect(message["result"]?["order"] == whole)
                    #expect(told[message["id"]?.string ?? ""] == 400)
                    answered += 1
                }
            }
        }
    }

    @Test func `answers that wait for room hold no text`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            try client.ask("search", Self.large)
            let hits = try client.line().hitsText
            let request = TestClient.request("1", "search", Self.large).dropLast()
            let batch = "[\(Array(repeating: String(request), count: 150).joined(separator: ","))]\n"
            var rest = Array(batch.utf8)[...]
            while !rest.isEmpty {
                rest = rest.dropFirst(try client.sendSome(rest))
                try daemon.bystander.check()
            }
            for _ in 1...20 { try daemon.bystander.check() }
            let unsent = await daemon.service.board.unsentBytes
            #expect(unsent < Outbox.bytesMax + 256 << 10)
            let answers = try client.line()
            #expect(answers.starts(with: Array("[{".utf8)))
            #expect(answers.suffix(2) == Array("}]".utf8)[...])
            #expect(answers.count(of: "\"id\":1,\"result\":") == 150)
            #expect(answers.count(of: hits) == 150)
        }
    }

    @Test func `unfinished lines of many connections have a common limit, and the longest goes first`() async throws {
        let limit = 6 << 20
        try await withDaemon {
            $0.memory.bytesMax = limit
        } _: { daemon in
            let piece = String(repeating: "x", count: 1 << 20)
            let greedy = try (1...4).map { _ in try daemon.connect() }
            for client in greedy { try client.send(piece) }
            // They take a quarter more than their bytes at most.
            try await eventually("all is read") { await daemon.service.board.inputBytes == 4 << 20 }
            let modest = try daemon.connect()
            let line = TestClient.request("1", "server/ping")
            try modest.send(String(line.prefix(20)))
            #expect(try daemon.stats(daemon.connect())["connections"]?["open"]?.int == greedy.count + 3)
            let more = try (1...3).map { _ in try daemon.connect() }
            // One that is dropped can't send all of it.
            for client in more { try? client.send(piece) }
            try await eventually("all is read, or dropped") { await daemon.service.board.inputBytes >= 4 << 20 }
            #expect(await daemon.service.board.heldBytes <= limit)
            try modest.send(String(line.dropFirst(20)))
            #expect(try modest.message()["result"] != nil)
            #expect(
                try daemon.stats(modest)["connections"]?["open"]?.int.map { $0 < greedy.count + more.count + 2 } == true
            )
        }
    }

    @Test func `readers that don't read have a limit in common, and those who read are served`() async throws {
        let limit = 12 << 20
        try await withDaemon {
            $0.memory.bytesMax = limit
        } _: { daemon in
            let params = #"{"query":"고양이","limit":400,"raw":true}"#
            let reader = try daemon.connect()
            try reader.ask("search", params)
            let hits = try reader.line().hitsText
            #expect(hits.utf8.count > 300_000)
            // Nobody is dropped for the time that this test takes.
            daemon.clock.stop()
            let lines = Array((1...6).map { TestClient.request("\"\($0)\"", "search", params) }.joined().utf8)
            func silent(_ count: Int) throws -> [TestClient] {
                let clients = try (1...count).map { _ in try daemon.connect() }
                for client in clients { #expect(try client.sendSome(lines[...]) == lines.count) }
                for _ in 1...5 { try daemon.bystander.check() }
                return clients
            }
            // Each is held back before all is taken, and still gets all of its answers when it reads.
            let some = try silent(6)
            let pressed = await daemon.service.board.heldBytes
            #expect(pressed > limit / 2)
            #expect(pressed <= limit)
            for id in 1...6 { try some[5].expectAnswer(to: "\"\(id)\"", holding: hits) }
            // However many they are, the limit is kept, and others are served.
            let many = try silent(60)
            #expect(await daemon.service.board.heldBytes <= limit)
            #expect(
                try daemon.stats(reader)["connections"]?["open"]?.int.map { $0 < 2 + some.count + many.count } == true
            )
            let asked = try reader.ask("search", params)
            try reader.expectAnswer(to: "\(asked)", holding: hits)
        }
    }

    @Test func `while memory is short a reader that takes nothing is dropped after 2 s`() async throws {
        try await withDaemon {
            $0.memory.bytesMax = 1 << 20
        } _: { daemon in
            daemon.clock.stop()
            let (silent, alone) = (try daemon.connect(), try daemon.connect())
            _ = try fill(silent, daemon)
            #expect(await daemon.service.board.memory.isPressed)
            daemon.advance(by: Outbox.stallMaxUnderPressure - .milliseconds(1))
            #expect(try alone.call("server/ping")["result"] != nil)
            #expect(try daemon.stats(alone)["connections"]?["stalled"] == 0)
            daemon.advance(by: .seconds(1))
            try await eventually("a dropped connection") {
                try daemon.stats(alone)["connections"]?["stalled"] == 1
            }
            #expect(await daemon.service.board.heldBytes < MemoryBudget.shareBytesMin)
        }
    }
}
