import JSON
import Testing

@testable import Daemon

/// Searches that would need more memory together than there is.
@Suite struct WorkMemoryTests {
    private static let params = #"{"query":"고양이","limit":1,"timeout":120000}"#

    @Test func `searches beyond what memory allows wait for their turn, and all are answered`() async throws {
        try await withDaemon {
            $0.memory.bytesMax = 96 << 10
        } _: { daemon in
            await daemon.delay(20)
            let clients = try (1...4).map { _ in try daemon.connect() }
            for (number, client) in clients.enumerated() {
                for query in 1...5 { try client.ask("search", "{\"query\":\"\(number) \(query)\",\"limit\":1}") }
            }
            for client in clients {
                for id in 1...5 { #expect(try client.answer(to: id)["result"] != nil) }
            }
            #expect(await daemon.service.board.heldBytes == 0)
        }
    }

    @Test func `a search that waits for memory is cancelled at once, and one that waits too long is told so`()
        async throws
    {
        try await withDaemon {
            $0.memory.bytesMax = 96 << 10
        } _: { daemon in
            await daemon.fault("hang")
            let (first, second) = (try daemon.connect(), try daemon.connect())
            try first.ask("search", Self.params)
            try await daemon.waitForRequests(1)
            let cancelled = try second.ask("search", Self.params)
            let late = try second.ask("search", Self.params)
            try second.notify("$/cancelRequest", "{\"id\":\(cancelled)}")
            #expect(try second.answer(to: cancelled).errorKind == "cancelled")
            // Its task has had its turn before this is answered.
            #expect(try second.call("server/ping")["result"] != nil)
            daemon.clock.stop()
            daemon.advance(by: SessionMemory.workWaitMax)
            let answer = try second.answer(to: late)
            #expect(answer.errorKind == "overloaded")
            #expect(answer["error"]?["data"]?["retryAfter"]?.int != nil)
            let ping = try second.call("server/ping")
            #expect(ping["result"] != nil)
        }
    }

    @Test func `a client that leaves makes room for another's search`() async throws {
        try await withDaemon {
            $0.memory.bytesMax = 96 << 10
        } _: { daemon in
            await daemon.fault("hang")
            let waiting = try daemon.connect()
            do {
                let first = try daemon.connect()
                try first.ask("search", Self.params)
                try await daemon.waitForRequests(1)
                try waiting.ask("search", #"{"query":"강아지","limit":1}"#)
                #expect(try waiting.call("server/ping")["result"] != nil)
            }
            try await daemon.waitForRequests(2)
        }
    }
}
