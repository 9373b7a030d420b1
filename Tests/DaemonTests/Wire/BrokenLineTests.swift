import JSON
import Testing

@Suite struct BrokenLineTests {
    @Test func `text that is not JSON gets a parse error, and the next line is answered`() async throws {
        let lines = [
            "nope", "{", "[1,]", "{} {}", "{\"a\":\"unfinished", "\u{FEFF}{\"jsonrpc\":\"2.0\",\"id\":1}", "\u{0}",
        ]
        try await withDaemon { daemon in
            let client = try daemon.connect()
            for line in lines {
                try client.send(line + "\n")
                let answer = try client.message()
                #expect(answer["id"] == .null, "\(line)")
                #expect(answer.errorKind == "parseError", "\(line): \(answer)")
                #expect(answer.errorCode == -32700, "\(line)")
                #expect(try client.call("server/ping")["result"] != nil, "\(line)")
            }
        }
    }

    @Test func `JSON that is not a request is refused, and the error repeats a valid id`() async throws {
        let rows: [(line: String, id: JSONValue)] = [
            ("1", nil), ("{}", nil), (#"{"jsonrpc":"1.0","id":7,"method":"server/ping"}"#, 7),
            (#"{"jsonrpc":"2.0","id":"a","method":null}"#, "a"),
            (#"{"jsonrpc":"2.0","id":12,"method":"server/ping","params":1}"#, 12),
            (#"{"jsonrpc":"2.0","id":15,"method":"server/ping","method":"server/ping"}"#, 15),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"server/ping"}"#, nil),
        ]
        try await withDaemon { daemon in
            let client = try daemon.connect()
            for row in rows {
                try client.send(row.line + "\n")
                let answer = try client.message()
                #expect(answer["id"] == row.id, "\(row.line): \(answer)")
                #expect(answer.errorKind == "invalidRequest", "\(row.line): \(answer)")
                #expect(answer.errorCode == -32600, "\(row.line)")
                #expect(answer.hint != nil, "\(row.line)")
            }
            #expect(try client.call("server/ping")["result"] != nil)
        }
    }
}
