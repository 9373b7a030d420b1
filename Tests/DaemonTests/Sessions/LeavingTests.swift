import JSON
import Testing

@testable import Daemon

@Suite struct LeavingTests {
    @Test func `one who has closed its writing side gets every pending answer, then the end`() async throws {
        try await withDaemon { daemon in
            await daemon.delay(150)
            let client = try daemon.connect()
            for (id, query) in Queries.rich.prefix(5).enumerated() {
                try client.send(TestClient.request("\(id)", "search", "{\"query\":\"\(query)\"}"))
            }
            try client.send(TestClient.request("5", "search", #"{"query":"고양이","stream":true}"#))
            try client.send(TestClient.request("6", "server/ping"))
            client.closeWriting()
            for id in 0...4 { #expect(try client.answer(to: id).hitIDs.count == 10) }
            #expect(try client.answer(to: 5)["result"]?["order"]?.array?.count == 10)
            #expect(try client.answer(to: 6)["result"] != nil)
            while let message = try? client.message() { #expect(message.method != nil) }
            try client.end()
        }
    }

    @Test func `an unfinished last line counts as a line when the writing side is closed`() async throws {
        try await withDaemon { daemon in
            let whole = try daemon.connect()
            try whole.send(String(TestClient.request("1", "search", #"{"query":"고양이"}"#).dropLast()))
            whole.closeWriting()
            #expect(try whole.message().hitIDs.count == 10)
            try whole.end()
            let half = try daemon.connect()
            try half.send(#"{"jsonrpc":"2.0","id":1,"meth"#)
            half.closeWriting()
            #expect(try half.message().errorKind == "parseError")
            try half.end()
            let silent = try daemon.connect()
            silent.closeWriting()
            try silent.end()
        }
    }

    @Test func `what one who left in the middle of a line would have been told is told to no other`() async throws {
        try await withDaemon { daemon in
            let other = try daemon.connect()
            for _ in 0..<20 {
                do {
                    let leaving = try daemon.connect()
                    _ = try leaving.call("server/ping")
                    try leaving.send("{")
                    // The byte is read before the connection ends.
                    #expect(try other.call("server/ping")["result"] != nil)
                }
                for id in 1...3 {
                    try other.send(TestClient.request("\(id)", "server/ping"))
                    // The very next line that comes.
                    #expect(try other.message()["result"] != nil)
                }
            }
        }
    }

    @Test func `a half-closed client that takes its time gets megabytes of answers`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let params = #"{"query":"고양이","limit":50,"raw":true}"#
            try client.ask("search", params)
            let hits = try client.line().hitsText
            let lines = (1...100).map { TestClient.request("\"\($0)\"", "search", params) }.joined()
            #expect(try client.sendSome(Array(lines.utf8)[...]) == lines.utf8.count)
            client.closeWriting()
            for _ in 1...5 { try daemon.bystander.check() }
            for id in 1...100 { try client.expectAnswer(to: "\"\(id)\"", holding: hits) }
            try client.end()
        }
    }

    @Test func `one who leaves in the middle of an answer is forgotten`() async throws {
        try await withDaemon { daemon in
            let other = try daemon.connect()
            try other.ask("search", #"{"query":"고양이","limit":400,"raw":true}"#)
            _ = try other.line()
            let open = try daemon.stats(other)["connections"]?["open"]
            for _ in 1...20 {
                let client = try daemon.connect()
                try client.ask("search", #"{"query":"고양이","limit":400,"raw":true}"#)
                try client.waitForInput()
            }
            try await eventually("everybody has left") { try daemon.stats(other)["connections"]?["open"] == open }
            let unsent = await daemon.service.board.unsentBytes
            #expect(unsent == 0)
        }
    }

    @Test func `what only one who has left was waiting for is waited for no longer`() async throws {
        try await withDaemon { daemon in
            await daemon.delay(200)
            do {
                let client = try daemon.connect()
                for query in Queries.rich.prefix(3) {
                    try client.ask("search", "{\"query\":\"\(query)\",\"stream\":true}")
                }
                try await daemon.waitForRequests(3)
            }
            let other = try daemon.connect()
            try await eventually("no waiters") { try daemon.stats(other)["flights"]?["waiters"] == 0 }
            // The calls have been paid for: they end, and are kept.
            try await eventually("no calls") { try daemon.stats(other)["flights"]?["calls"] == 0 }
            for query in Queries.rich.prefix(3) {
                let answer = try other.call("search", "{\"query\":\"\(query)\"}")
                #expect(answer.source("kakao.blog")?["cache"] == "hit")
            }
            #expect(await daemon.requests() == 3)
        }
    }

    @Test func `a call that has not been sent when its only caller leaves is never sent`() async throws {
        try await withDaemon { daemon in
            await daemon.fault("hang")
            let other = try daemon.connect()
            // As many as the source bears at once; the next one waits for a place.
            let busy = try Queries.rich.prefix(8).map { try other.ask("search", "{\"query\":\"\($0)\"}") }
            try await daemon.waitForRequests(8)
            do {
                let client = try daemon.connect()
                try client.ask("search", "{\"query\":\"\(Queries.rich[8])\"}")
                try await eventually("it waits") { try daemon.stats(other)["flights"]?["calls"] == 9 }
            }
            try await eventually("it waits no longer") {
                (try daemon.stats(other)["flights"]?["calls"]?.int ?? 0) <= 8
            }
            daemon.advance(by: .seconds(20))
            for id in busy { #expect(try other.answer(to: id).errorKind == "timeout") }
            try await eventually("no calls") { try daemon.stats(other)["flights"]?["calls"] == 0 }
            #expect(await daemon.requests() == 8)
        }
    }

    @Test func `a shared call goes on for those who stay`() async throws {
        try await withDaemon { daemon in
            await daemon.delay(200)
            let stays = try daemon.connect()
            do {
                let leaves = try daemon.connect()
                try leaves.ask("search", #"{"query":"고양이"}"#)
                try await daemon.waitForRequests(1)
                try stays.send(TestClient.request("\"s\"", "search", #"{"query":"고양이"}"#))
                try await eventually("two waiters") { try daemon.stats(stays)["flights"]?["waiters"] == 2 }
            }
            let answer = try stays.answer(to: "s")
            #expect(answer.hitIDs.count == 10)
            #expect(answer.source("kakao.blog")?["cache"] == "joined")
            #expect(await daemon.requests() == 1)
        }
    }
}
