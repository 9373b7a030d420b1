import JSON
import TestSupport
import Testing

@testable import Daemon

/// Tests clients that close a connection, or one side of a connection, before they have all answers.
@Suite struct LeavingTests {
    @Test func `a client that closes its writing side gets all pending answers, then the end`() async throws {
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

    @Test func `a last line without a line end is served when the writing side is closed`() async throws {
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

    @Test func `a client's searches end when the client disconnects`() async throws {
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
            // The calls were sent before the client left, so they finish and their results are cached.
            try await eventually("no calls") { try daemon.stats(other)["flights"]?["calls"] == 0 }
            for query in Queries.rich.prefix(3) {
                let answer = try other.call("search", "{\"query\":\"\(query)\"}")
                #expect(answer.source("kakao.blog")?["cache"] == "hit")
            }
            #expect(await daemon.requests() == 3)
        }
    }
}
