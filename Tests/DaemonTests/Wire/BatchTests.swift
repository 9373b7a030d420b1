import JSON
import RPC
import TestSupport
import Testing

@Suite struct BatchTests {
    private func pings(_ ids: some Sequence<Int>) -> String {
        "[" + ids.map { TestClient.request("\($0)", "server/ping").dropLast() }.joined(separator: ",") + "]\n"
    }

    @Test func `a batch with the maximum number of messages is answered with one array`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            try client.send(pings(1...Batch.messagesMax))
            let answers = try #require(try client.message().array)
            #expect(answers.compactMap { $0["id"]?.int } == Array(1...Batch.messagesMax))
            #expect(answers.allSatisfy { $0["result"]?["uptime"] != nil })
        }
    }

    @Test func `a batch of notifications gets no answer, and a broken batch gets one error`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let notification = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#
            try client.send("[\(notification),\(notification)]\n[\(notification),]\n")
            #expect(try client.message().errorKind == "parseError")
            try client.send(pings(1...1))
            #expect(try client.message().array?.count == 1)
        }
    }

    @Test func `a mixed batch has an answer for each request and an error for each invalid element`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            try client.send(
                #"[{"jsonrpc":"2.0","id":1,"method":"server/ping"},{"jsonrpc":"2.0","method":"server/ping"},"#
                    + #"{"jsonrpc":"2.0","id":2,"method":"server/pong"},{"foo":1},"#
                    + #"{"jsonrpc":"2.0","id":"3","method":"search","params":{}},"#
                    + #"{"jsonrpc":"2.0","id":null,"method":"server/ping"}]"# + "\n"
            )
            let answers = try #require(try client.message().array)
            #expect(answers.count == 5)
            #expect(answers.first { $0["id"] == 1 }?["result"] != nil)
            #expect(answers.first { $0["id"] == 2 }?.errorKind == "methodNotFound")
            #expect(answers.first { $0["id"] == "3" }?.errorKind == "invalidParams")
            #expect(answers.contains { $0["id"] == .null && $0.errorKind == "invalidRequest" })
            #expect(answers.contains { $0["id"] == .null && $0["result"] != nil })
        }
    }

    @Test func `a batch waits for its searches, but other requests on the connection do not`() async throws {
        try await withDaemon { daemon in
            await daemon.delay(200)
            let client = try daemon.connect()
            let searches = (1...20).map {
                TestClient.request("\($0)", "search", "{\"query\":\"\(Queries.rich[$0 % 4])\",\"limit\":3}").dropLast()
            }
            let ping = TestClient.request("21", "server/ping").dropLast()
            try client.send("[\((searches + [ping]).joined(separator: ","))]\n")
            try client.send(TestClient.request("22", "server/ping"))
            #expect(try client.message()["id"] == 22)
            let answers = try #require(try client.message().array)
            #expect(Set(answers.compactMap { $0["id"]?.int }) == Set(1...21))
            #expect(answers.count == 21)
            #expect(answers.filter { $0.hitIDs.count == 3 }.count == 20)
            #expect(await daemon.requests() == 4)
        }
    }

    @Test func `a batch can cancel one of its requests, and is still answered completely`() async throws {
        try await withDaemon { daemon in
            await daemon.hang()
            let client = try daemon.connect()
            let search = TestClient.request("1", "search", #"{"query":"never"}"#).dropLast()
            try client.send(
                "[\(search),\(TestClient.request("2", "server/ping").dropLast()),"
                    + #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}]"# + "\n"
            )
            let answers = try #require(try client.message().array)
            #expect(answers.count == 2)
            #expect(answers.first { $0["id"] == 1 }?.errorKind == "cancelled")
            #expect(answers.first { $0["id"] == 2 }?["result"] != nil)
        }
    }

    @Test func `a batch is removed when its client disconnects`() async throws {
        try await withDaemon { daemon in
            await daemon.hang()
            do {
                let client = try daemon.connect()
                let search = TestClient.request("1", "search", #"{"query":"never"}"#).dropLast()
                try client.send("[\(search),\(search)]\n")
                try await daemon.waitForRequests(1)
            }
            let other = try daemon.connect()
            try await eventually("no requests in flight") {
                try daemon.stats(other)["connections"]?["inFlight"] == 0
            }
        }
    }
}
