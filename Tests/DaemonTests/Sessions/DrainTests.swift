import EventLoop
import JSON
import TestSupport
import Testing

@testable import Daemon

/// Tests how connections end when the daemon shuts down.
@Suite struct DrainTests {
    private func withDrained(_ body: (DaemonFixture) async throws -> Void) async throws {
        try await withDaemon {
            $0.checksBystander = false
        } _: {
            try await body($0)
        }
    }

    @Test func `idle connections are closed at once, and new connections are refused`() async throws {
        try await withDrained { daemon in
            let client = try daemon.connect()
            #expect(try client.call("server/ping")["result"] != nil)
            await daemon.startDrain(within: .seconds(5)).value
            try client.end()
            #expect(throws: TestFailure.self) { try daemon.connect() }
        }
    }

    @Test func `requests in flight at the deadline get an error`() async throws {
        try await withDrained { daemon in
            await daemon.fault("hang")
            let client = try daemon.connect()
            let search = try client.ask("search", #"{"query":"고양이","timeout":120000}"#)
            let batch = TestClient.request("\"b\"", "search", #"{"query":"커피"}"#).dropLast()
            try client.send("[\(batch)]\n")
            try await daemon.waitForRequests(2)
            let drained = daemon.startDrain(within: .seconds(5))
            try await eventually("the start of the shutdown") { await daemon.service.server.read { $0.isDraining } }
            daemon.advance(by: .seconds(6))
            for _ in 1...2 {
                let answer = try client.message()
                #expect((answer.array?.first ?? answer).errorKind == "shuttingDown")
                if answer.array == nil { #expect(answer["id"]?.int == search) }
            }
            try client.end()
            await drained.value
        }
    }

    @Test func `an answer that is being sent is completed before the connection closes`() async throws {
        try await withDrained { daemon in
            let client = try daemon.connect()
            let params = #"{"query":"고양이","limit":600"#
            await daemon.delay(200, source: "kakao.cafe")
            try client.ask("search", params + #","sources":["kakao.blog","kakao.cafe"]}"#)
            try await daemon.waitForRequests(1, to: "kakao.cafe")
            let drained = daemon.startDrain(within: .seconds(60))
            try await eventually("no requests in flight") {
                await daemon.service.server.read { $0.all.allSatisfy { $0.requests.isEmpty } }
            }
            let line = try client.line()
            #expect(line.count(of: "\"rank\":") == 600)
            try client.end()
            await drained.value
        }
    }
}

extension DaemonFixture {
    fileprivate func startDrain(within limit: Duration) -> Task<Void, Never> {
        let deadline = loop.now.advanced(by: limit)
        return Task(executorPreference: loop) { [service] in await service.drain(until: deadline) }
    }
}
