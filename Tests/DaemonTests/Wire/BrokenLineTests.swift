import JSON
import Testing

@Suite struct BrokenLineTests {
    @Test func `what is not JSON gets a parse error, and the next line its answer`() async throws {
        let lines = [
            "nope", "{", "}", "[", "[1,]", #"{"jsonrpc":"2.0","id":1,"method":"server/ping",}"#,
            #"{"jsonrpc":"2.0" "id":1}"#, "{'jsonrpc':'2.0'}", #"{"jsonrpc":"2.0","id":01,"method":"server/ping"}"#,
            "{} {}", #"{"a":NaN}"#, #"{"a":+1}"#, #"{"a":.5}"#, #"{"a":1.}"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#,
            "{\"a\":\"\t\"}", "{\"a\":\"unfinished", "// a comment", "tru", "\u{FEFF}{\"jsonrpc\":\"2.0\",\"id\":1}",
            "\u{0}", "\u{B}{}",
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

    @Test func `bytes that are not UTF-8 get a parse error`() async throws {
        let wrong: [[UInt8]] = [
            [0xFF], [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF0, 0x9F, 0x98],
        ]
        try await withDaemon { daemon in
            let client = try daemon.connect()
            for bytes in wrong {
                for text in [bytes, Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)] {
                    try client.send(text + [UInt8(ascii: "\n")])
                    let answer = try client.message()
                    #expect(answer.errorKind == "parseError", "\(bytes)")
                    #expect(answer["id"] == .null)
                }
            }
            #expect(try client.call("server/ping")["result"] != nil)
        }
    }

    @Test func `what is JSON and no request is refused, under its id where that can be read`() async throws {
        let rows: [(line: String, id: JSONValue)] = [
            ("1", nil), ("\"text\"", nil), ("null", nil), ("true", nil), ("{}", nil),
            (#"{"jsonrpc":"1.0","id":7,"method":"server/ping"}"#, 7),
            (#"{"jsonrpc":2.0,"id":8,"method":"server/ping"}"#, 8),
            (#"{"id":9,"method":"server/ping"}"#, 9),
            (#"{"method":"server/ping"}"#, nil),
            (#"{"jsonrpc":"2.0","id":10}"#, 10),
            (#"{"jsonrpc":"2.0","id":11,"method":1}"#, 11),
            (#"{"jsonrpc":"2.0","id":"a","method":null}"#, "a"),
            (#"{"jsonrpc":"2.0","id":12,"method":"server/ping","params":1}"#, 12),
            (#"{"jsonrpc":"2.0","id":13,"method":"server/ping","params":"x"}"#, 13),
            (#"{"jsonrpc":"2.0","id":14,"method":"server/ping","params":null}"#, 14),
            (#"{"jsonrpc":"2.0","id":15,"method":"server/ping","method":"server/ping"}"#, 15),
            (#"{"jsonrpc":"2.0","id":16,"method":"server/ping","params":{},"params":{}}"#, 16),
            (#"{"jsonrpc":"2.0","method":"server/ping","params":1}"#, nil),
            (#"{"jsonrpc":"2.0"}"#, nil),
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
