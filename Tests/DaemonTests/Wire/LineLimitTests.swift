import JSON
import RPC
import Testing

@Suite struct LineLimitTests {
    /// A ping of so many bytes, without its line end.
    private func ping(id: Int, bytes: Int) -> String {
        let bare = "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"server/ping\",\"pad\":\"\"}"
        return bare.dropLast(2) + String(repeating: "x", count: bytes - bare.utf8.count) + "\"}"
    }

    @Test func `a line of 1 MiB is answered, one byte more is refused, and the next is answered`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            for end in ["\n", "\r\n"] {
                try client.send(ping(id: 1, bytes: LineFramer.lineBytesMax) + end)
                #expect(try client.message()["result"] != nil)
                try client.send(ping(id: 2, bytes: LineFramer.lineBytesMax + 1) + end)
                let refused = try client.message()
                #expect(refused.errorKind == "lineTooLong")
                #expect(refused.errorCode == -32600)
                #expect(refused["id"] == .null)
                try daemon.bystander.check()
                try client.send(ping(id: 3, bytes: 100) + end)
                #expect(try client.message()["id"] == 3)
            }
        }
    }

    @Test func `a line without end gets one answer while it still comes, and its end brings none`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let piece = String(repeating: "x", count: LineFramer.lineBytesMax)
            for _ in 0..<3 { try client.send(piece) }
            #expect(try client.message().errorKind == "lineTooLong")
            for _ in 0..<3 { try client.send(piece) }
            try client.send("\n" + ping(id: 1, bytes: 100) + "\n")
            #expect(try client.message()["id"] == 1)
        }
    }

    @Test func `64 levels are answered, 65 are too deep, and so are a hundred thousand`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            func nested(_ levels: Int) -> String {
                // The message itself is one level.
                let inner = String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1)
                return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/ping\",\"pad\":\(inner)}\n"
            }
            try client.send(nested(64))
            #expect(try client.message()["result"] != nil)
            for levels in [65, 100_000] {
                try client.send(nested(levels))
                let refused = try client.message()
                #expect(refused.errorKind == "tooDeep")
                #expect(refused.errorCode == -32600)
                #expect(refused["id"] == .null)
            }
            try client.send(nested(64))
            #expect(try client.message()["result"] != nil)
        }
    }

    @Test func `lines are found whatever the pieces they come in`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let lines =
                TestClient.request("1", "server/ping") + "\r\n\n\n"
                + TestClient.request("\"둘\"", "search", #"{"query":"고양이","limit":1}"#).dropLast() + "\r\n"
                + #"[{"jsonrpc":"2.0","id":3,"method":"server/ping"}]"# + "\n"
            for byte in lines.utf8 { try client.send([byte]) }
            #expect(try client.answer(to: 1)["result"] != nil)
            #expect(try client.answer(to: "둘").hitIDs.count == 1)
            #expect(try client.message().array?.count == 1)
        }
    }

    @Test func `empty lines and carriage returns mean nothing`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            try client.send("\n\r\n\n" + TestClient.request("1", "server/ping").dropLast() + "\r\n\n\r\n")
            #expect(try client.message()["id"] == 1)
            client.closeWriting()
            try client.end()
        }
    }
}
