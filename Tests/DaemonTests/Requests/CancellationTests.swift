import JSON
import TestSupport
import Testing

@Suite struct CancellationTests {
    @Test func `a cancelled search is answered once, and no notification follows`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.delay(150)
            let id = try client.ask("search", #"{"query":"고양이","stream":true}"#)
            try client.notify("$/cancelRequest", "{\"id\":\(id)}")
            let answer = try client.message()
            #expect(answer["id"]?.int == id)
            #expect(answer.errorKind == "cancelled")
            #expect(answer.errorCode == -32800)
            // If there were a late notification, it would arrive before this answer, and the ping would receive it.
            let other = try daemon.connect()
            #expect(try other.call("search", #"{"query":"고양이"}"#).hitIDs.count == 10)
            #expect(try client.call("server/ping")["result"] != nil)
            client.closeWriting()
            try client.end()
            #expect(await daemon.requests() == 1)
        }
    }

    @Test func `cancelling an unknown, finished or malformed request has no effect and no answer`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let finished = try client.ask("server/ping")
            _ = try client.answer(to: finished)
            for params in ["{\"id\":\(finished)}", #"{"id":99}"#, #"{"id":null}"#, #"{"id":1.5}"#, "{}", "[]", "[1]"] {
                try client.notify("$/cancelRequest", params)
            }
            try client.notify("$/unheardOf", "{}")
            try client.notify("search", #"{"query":"x"}"#)
            try client.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest"}"# + "\n")
            #expect(try client.call("server/ping")["result"] != nil)
            client.closeWriting()
            try client.end()
            #expect(await daemon.requests() == 0)
        }
    }

    @Test func `a request of another connection cannot be cancelled`() async throws {
        try await withDaemon { daemon in
            let (first, second) = (try daemon.connect(), try daemon.connect())
            await daemon.delay(150)
            try first.send(TestClient.request("1", "search", #"{"query":"고양이"}"#))
            try second.notify("$/cancelRequest", #"{"id":1}"#)
            #expect(try second.call("server/ping")["result"] != nil)
            #expect(try first.message().hitIDs.count == 10)
        }
    }

    @Test func `a thousand cancelled searches leave no waiter and no request in flight`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.hang()
            var lines = ""
            for id in 1...1000 {
                lines += TestClient.request("\(id)", "search", "{\"query\":\"never \(id % 10)\"}")
                lines += "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancelRequest\",\"params\":{\"id\":\(id)}}\n"
            }
            try client.send(lines)
            for _ in 1...1000 { #expect(try client.message().errorKind == "cancelled") }
            try await eventually("no waiters") { try daemon.stats(client)["flights"]?["waiters"] == 0 }
            #expect(try daemon.stats(client)["connections"]?["inFlight"] == 0)
        }
    }
}
