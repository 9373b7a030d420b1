import JSON
import TestSupport
import Testing

@testable import Daemon

/// Sends a search for each keystroke.
@Suite struct TypingTests {
    private static let states = [
        "ㄱ", "고", "공", "고야", "고양", "고양ㅇ", "고양이", "고양이 ", "고양이 ㅅ", "고양이 사", "고양이 샂", "고양이 사지", "고양이 사진",
    ]
    private static let key = Duration.milliseconds(80)

    @Test(arguments: ["", ",\"debounce\":150", ",\"stream\":true", ",\"stream\":true,\"debounce\":150"])
    func `typing a query in Hangul costs one call`(more: String) async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            daemon.clock.stop()
            var ids: [Int] = []
            for state in Self.states {
                ids.append(try client.ask("search", "{\"query\":\"\(state)\",\"channel\":\"typing\"\(more)}"))
                try await Self.pass(Self.key, daemon)
            }
            try await Self.pass(.seconds(1), daemon)
            let last = try client.answer(to: try #require(ids.last))
            #expect(last["result"]?["query"] == "고양이 사진")
            #expect((last["result"]?["sources"]?[0]?["count"]?.int ?? 0) > 0)
            for (id, state) in zip(ids, Self.states).dropLast() {
                // An earlier request is superseded, unless it needs no call and is answered at once.
                let answer = try client.answer(to: id)
                #expect(
                    answer.errorKind == "superseded" || answer.source("kakao.blog")?["status"] == "skipped",
                    "\(state)"
                )
            }
            #expect(await daemon.requests() == 1)
        }
    }

    @Test func `an earlier call that hangs does not delay the search of the last keystroke`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.fault("hang")
            let first = try client.ask("search", #"{"query":"고","channel":"typing"}"#)
            try await daemon.waitForRequests(1)
            await daemon.delay(0)
            let last = try client.ask("search", #"{"query":"고양이","channel":"typing"}"#)
            #expect(try client.answer(to: first).errorKind == "superseded")
            let answer = try client.answer(to: last)
            #expect(answer.hitIDs.count == 10)
            #expect(answer["result"]?["elapsed"]?.double ?? .infinity < 5000)
        }
    }

    @Test func `a cached search is answered at once, and supersedes older searches`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            #expect(try client.call("search", #"{"query":"고양이"}"#).hitIDs.count == 10)
            await daemon.fault("hang")
            let older = try client.ask("search", #"{"query":"고양","channel":"typing"}"#)
            try await daemon.waitForRequests(2)
            for _ in 0..<3 {
                let newer = try client.ask("search", #"{"query":"고양이","channel":"typing"}"#)
                let ping = try client.ask("server/ping")
                #expect(try client.answer(to: newer).hitIDs.count == 10)
                #expect(try client.answer(to: ping)["result"] != nil)
            }
            #expect(try client.answer(to: older).errorKind == "superseded")
            #expect(try daemon.stats(client)["connections"]?["inFlight"] == 0)
        }
    }

    @Test(arguments: ["", ",\"stream\":true"])
    func `a query that ends in an incomplete syllable gets the hits of a matching cached query`(more: String)
        async throws
    {
        try await LibraryMethodTests.withLibrary { daemon, client in
            #expect(try client.call("search", #"{"query":"고양이 사료"}"#).hitIDs.count == 10)
            let found = try client.call("search", #"{"query":"고양이"}"#).hitIDs
            for typed in ["ㄱ", "고ㅇ", "고양ㅇ", "ㄱ"] {
                let id = try client.ask("search", "{\"query\":\"\(typed)\",\"channel\":\"typing\"\(more)}")
                let answer = try client.answer(to: id)
                #expect(answer.hitIDs == found || answer["result"]?["order"]?.array?.compactMap(\.string) == found)
                #expect(answer["result"]?["query"]?.string == typed && answer["result"]?["next"]?.isNull == true)
                #expect(answer["result"]?["completedQuery"] == "고양이")
                let source = answer.source("kakao.blog")
                #expect(source?["status"] == "skipped" && source?["reason"] == "unfinished")
                #expect(source?["total"] == nil && answer["result"]?["complete"] == false)
            }
            let food = try client.call("search", #"{"query":"고양이 사료"}"#).hitIDs
            let last = try client.ask("search", "{\"query\":\"고양ㅇ\",\"channel\":\"typing\"\(more)}")
            let answer = try client.answer(to: last)
            #expect(answer.hitIDs == food || answer["result"]?["order"]?.array?.compactMap(\.string) == food)
            let other = try client.call("search", #"{"query":"강ㅇ","channel":"typing"}"#)
            #expect(other.hitIDs.isEmpty && other.source("kakao.blog")?["reason"] == "unfinished")
            #expect(other["result"]?["completedQuery"] == nil)
            #expect(await daemon.requests() == 2)
            _ = try client.call("history/clear")
            #expect(try client.call("search", #"{"query":"ㄱ","channel":"typing"}"#).hitIDs.isEmpty)
        }
    }

    /// Waits until no call is in flight, advances the clock, and waits again.
    private static func pass(_ duration: Duration, _ daemon: DaemonFixture) async throws {
        try await calm(daemon)
        daemon.advance(by: duration)
        try await calm(daemon)
    }

    /// Waits until no call is in flight.
    ///
    /// Each ping gives the event loop a turn, so a call that is about to begin has then begun.
    private static func calm(_ daemon: DaemonFixture) async throws {
        let watcher = try daemon.connect()
        for _ in 0..<5 { _ = try watcher.call("server/ping") }
        try await eventually("no call in flight") { try daemon.stats(watcher)["flights"]?["calls"] == 0 }
    }
}
