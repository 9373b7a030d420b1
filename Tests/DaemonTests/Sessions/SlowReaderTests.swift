import EventLoop
import JSON
import TestSupport
import Testing

@testable import Daemon

@Suite struct SlowReaderTests {
    private static let large = #"{"query":"고양이","limit":50,"raw":true}"#

    /// Sends requests until the socket is full, and returns the number of complete requests.
    private func fill(_ client: TestClient, _ daemon: DaemonFixture) throws -> Int {
        let pad = String(repeating: " ", count: 32 << 10)
        var asked = 0
        var idleTurns = 0
        var rest: ArraySlice<UInt8> = []
        // Between two answers to `daemon.bystander`, the daemon reads all available bytes.
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

    @Test func `a client that never reads takes little memory, and other clients are served`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            try client.ask("search", Self.large)
            let hits = try client.line().hitsText
            #expect(hits.utf8.count > 40_000)
            let asked = try fill(client, daemon)
            let unsent = await daemon.service.server.unsentBytes
            #expect(unsent >= SessionLimits.unsentBytes)
            #expect(unsent < SessionLimits.unsentBytes + 256 << 10)
            #expect(await daemon.service.server.heldBytes < unsent + 2 * ReadBuffer.bytes)
            for id in 1...asked { try client.expectAnswer(to: "\(id)", holding: hits) }
            let after = await daemon.service.server.unsentBytes
            #expect(after == 0)
        }
    }

    @Test func `a client that reads nothing for 30 s is disconnected, but a slow client is not`() async throws {
        try await withDaemon { daemon in
            daemon.clock.stop()
            let (silent, slow) = (try daemon.connect(), try daemon.connect())
            _ = try slow.call("search", Self.large)
            _ = try fill(silent, daemon)
            let asked = try fill(slow, daemon)
            daemon.advance(by: SessionLimits.progress - .seconds(1))
            try daemon.bystander.check()
            #expect(try daemon.stats(daemon.connect())["connections"]?["stalled"] == 0)
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

    @Test func `if a line is incomplete after 30 s, its connection is closed`() async throws {
        try await withDaemon { daemon in
            daemon.clock.stop()
            let (started, silent) = (try daemon.connect(), try daemon.connect())
            #expect(try silent.call("server/ping")["result"] != nil)
            try started.send(TestClient.request("1", "server/ping") + #"{"jsonrpc""#)
            #expect(try started.message()["result"] != nil)
            // After this check, the time limit of the incomplete line has begun.
            try daemon.bystander.check()
            daemon.advance(by: SessionLimits.progress - .seconds(1))
            try started.send(#":"2.0","#)
            try daemon.bystander.check()
            daemon.advance(by: .seconds(2))
            try started.end()
            #expect(try silent.call("server/ping")["result"] != nil)
        }
    }

    @Test func `a search fails while too many bytes are buffered for its user`() async throws {
        try await withDaemon {
            $0.limits.bytesPerUser = 200 << 10
        } _: { daemon in
            let client = try daemon.connect()
            await daemon.delay(100)
            // All requests begin before the first answer. Together, the answers exceed the limit.
            let requests = (1...8).map { TestClient.request("\($0)", "search", Self.large).dropLast() }
            try client.send("[\(requests.joined(separator: ","))]\n")
            let kinds = try #require(try client.message().array).map(\.errorKind)
            #expect(kinds.count == 8 && kinds.contains("overloaded") && kinds.contains(nil))
        }
    }

    @Test func `a stream pauses while too many bytes are unsent, and continues later`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let params = #"{"query":"고양이","limit":100,"raw":true,"stream":true}"#
            // The first stream fills the cache, so the later streams are fast.
            let first = try client.ask("search", params)
            let whole = try client.answer(to: first)["result"]?["order"]
            #expect(whole?.array?.count == 100)
            while let message = try? client.message(), message["params"]?["status"] == nil {}
            let count = 24
            for id in 1...count { try client.send(TestClient.request("\"\(id)\"", "search", params)) }
            for _ in 1...20 { try daemon.bystander.check() }
            let unsent = await daemon.service.server.unsentBytes
            #expect(unsent < SessionLimits.unsentBytes + 512 << 10)
            var told: [String: Int] = [:]
            var answered = 0
            while answered < count {
                let message = try client.message()
                if let params = message["params"] {
                    told[params["request"]?.string ?? "", default: 0] += params["hits"]?.array?.count ?? 0
                } else {
                    #expect(message["result"]?["order"] == whole)
                    #expect(told[message["id"]?.string ?? ""] == 100)
                    answered += 1
                }
            }
        }
    }
}
