import JSON
import RPC
import Testing

@Suite struct LineLimitTests {
    private func ping(id: Int, bytes: Int) -> String {
        let bare = "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"server/ping\",\"pad\":\"\"}"
        return bare.dropLast(2) + String(repeating: "x", count: bytes - bare.utf8.count) + "\"}"
    }

    @Test func `a line of 1 MiB is answered, a longer line is refused, and the next line is answered`() async throws {
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

    @Test func `lines may arrive in any pieces`() async throws {
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
}
