import JSON
import SearchModel
import Testing

@testable import MCP

@Suite struct TranslatorTests {
    private static let meta =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#
    private static let search = #""name":"search","arguments":{"query":"x"}"#

    private struct Pair {
        var translator = Translator(reader: noReader) { 1 }

        mutating func agent(_ line: String) throws -> (toAgent: [JSONValue], toDaemon: [JSONValue]) {
            translator.received(Array(line.utf8))
            return try lines()
        }

        mutating func request(_ id: Int, _ method: String, _ params: String = "") throws -> (
            toAgent: [JSONValue], toDaemon: [JSONValue]
        ) {
            let params = params.isEmpty ? TranslatorTests.meta : params + "," + TranslatorTests.meta
            return try agent(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(params)}}"#)
        }

        mutating func daemon(_ line: String) throws -> (toAgent: [JSONValue], toDaemon: [JSONValue]) {
            translator.answered(Array(line.utf8))
            return try lines()
        }

        mutating func lines() throws -> (toAgent: [JSONValue], toDaemon: [JSONValue]) {
            let lines = translator.takeLines()
            return (
                try lines.toAgent.map { try JSONDocument($0).root.value },
                try lines.toDaemon.map { try JSONDocument($0).root.value }
            )
        }
    }

    @Test(arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "x"])
    func `a session gets the requested protocol revision, or else the latest that supports sessions`(_ version: String)
        throws
    {
        var pair = Pair()
        let early = try pair.agent(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).toAgent[0]
        #expect(early["error"]?["code"]?.int == -32602)
        let start = try pair.agent(
            #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"\#(version)"}}"#
        ).toAgent[0]
        let isKnown = version.hasPrefix("202") && version < "2026"
        #expect(start["id"] == "a" && start["result"]?["protocolVersion"]?.string == (isKnown ? version : "2025-11-25"))
        #expect(try pair.agent(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).toAgent.isEmpty)
        let tools = try pair.agent(#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#).toAgent[0]["result"]
        #expect(tools == (try JSONDocument(Tool.list.bytes(in: .november2025)).root.value))
        #expect(tools?["resultType"] == nil && tools?["tools"]?.array?.count == 8)
        #expect(try pair.request(3, "ping").toAgent[0]["result"]?["resultType"] == "complete")
    }

    @Test func `a stateless request must name its protocol revision`() throws {
        var pair = Pair()
        let found = try pair.request(1, "server/discover").toAgent[0]["result"]
        #expect(found?["supportedVersions"]?[0] == "2026-07-28" && found?["cacheScope"] == "public")
        #expect(try pair.request(2, "tools/list").toAgent[0]["result"]?["ttlMs"]?.int ?? 0 > 0)
        for (meta, code) in [
            (#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#, -32602),
            (#""io.modelcontextprotocol/protocolVersion":"2025-11-25""#, -32022),
            (#""io.modelcontextprotocol/clientCapabilities":{}"#, -32602),
        ] {
            let line = #"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{\#(meta)}}}"#
            #expect(try pair.agent(line).toAgent[0]["error"]?["code"]?.int == code)
        }
    }

    @Test(arguments: [
        ("{", -32700), (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600), (#"{"id":1,"method":"ping"}"#, -32600),
        ("[1]", -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/lsit"}"#, -32601),
        (#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"x",META}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":"x",META}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd",META}}"#, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{META}}"#, -32602),
    ])
    func `a request that is not valid gets an error and is not sent to the daemon`(_ line: String, _ code: Int) throws {
        var pair = Pair()
        let lines = try pair.agent(line.split(separator: "META").joined(separator: Self.meta))
        #expect(lines.toAgent.map { $0["error"]?["code"]?.int } == [code] && lines.toDaemon.isEmpty)
    }

    @Test func `a request gets a new id for the daemon, and its answer has the agent's id`() throws {
        var pair = Pair()
        let first = try pair.request(7, "tools/call", Self.search).toDaemon[0]
        #expect(first["method"] == "search" && first["params"] == ["query": "x", "history": false])
        let second = try pair.request(8, "tools/call", #""name":"lookup","arguments":{"id":"a.b:1"}"#).toDaemon[0]
        #expect(try pair.request(8, "ping").toAgent[0]["error"]?["data"]?["kind"] == "duplicateId")
        let looked = try pair.daemon(
            #"{"jsonrpc":"2.0","id":\#(second["id"]?.int ?? 0),"result":{"hit":{"id":"a.b:1"},"saved":true}}"#
        ).toAgent[0]
        #expect(looked["id"] == 8 && looked["result"]?["structuredContent"]?["hit"]?["id"] == "a.b:1")
        let failed = try pair.daemon(
            #"{"jsonrpc":"2.0","id":\#(first["id"]?.int ?? 0),"error":{"code":-32003,"message":"slow","data":{"kind":"rateLimited","retryAfter":1500}}}"#
        ).toAgent[0]
        #expect(failed["id"] == 7 && failed["result"]?["isError"] == true)
        #expect(failed["result"]?["content"]?[0]?["text"]?.string?.contains("Try again in 2 s") == true)
        #expect(pair.translator.isIdle)
    }

    @Test func `each request of a batch is answered`() throws {
        var pair = Pair()
        let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
        let lines = try pair.agent("[\(ping),{\"jsonrpc\":\"2.0\",\"method\":\"x\"},\(ping)]")
        #expect(lines.toAgent.map { $0["result"] } == [[:], [:]])
    }

    @Test func `a cancelled request is cancelled at the daemon and gets no answer`() throws {
        var pair = Pair()
        let number = try pair.request(7, "tools/call", Self.search).toDaemon[0]["id"]?.int ?? 0
        let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#
        #expect(
            try pair.agent(cancel).toDaemon == [
                ["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": .number(JSONNumber(number))]]
            ]
        )
        #expect(pair.translator.isIdle)
        let late = try pair.daemon(
            #"{"jsonrpc":"2.0","id":\#(number),"error":{"code":-32800,"message":"cancelled","data":{"kind":"cancelled"}}}"#
        )
        #expect(late.toAgent.isEmpty)
        #expect(try pair.agent(cancel).toDaemon.isEmpty)
    }

    @Test func `a search with a progress token is streamed from the daemon and answered in one piece`() throws {
        var pair = Pair()
        let params = #""name":"search","arguments":{"query":"x"},"_meta":{"progressToken":"t""#
        let meta = Self.meta.dropFirst(#""_meta":{"#.count)
        let asked = try pair.agent(#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{\#(params),\#(meta)}}"#)
            .toDaemon[0]
        #expect(asked["params"]?["stream"] == true && asked["params"]?["progress"] == true)
        let number = asked["id"]?.int ?? 0
        for id in ["a", "b", "c"] {
            let hit = #"{"id":"\#(id)","title":"\#(id)"}"#
            _ = try pair.daemon(
                #"{"jsonrpc":"2.0","method":"search/hits","params":{"request":\#(number),"source":"s","hits":[\#(hit)]}}"#
            )
        }
        let progress = try pair.daemon(
            #"{"jsonrpc":"2.0","method":"search/progress","params":{"request":\#(number),"answered":1,"asked":2,"waitingFor":["s.t"]}}"#
        )
        let message = "1 of 2 sources have answered; waiting for s.t"
        #expect(
            progress.toAgent.map { $0["params"] } == [
                ["progressToken": "t", "progress": 1, "total": 2, "message": .string(message)]
            ]
        )
        let answer = try pair.daemon(
            #"{"jsonrpc":"2.0","id":\#(number),"result":{"query":"x","order":["c","a"],"alsoFrom":{"a":["u"]},"next":null}}"#
        ).toAgent[0]
        let content = answer["result"]?["structuredContent"]
        #expect(content?["hits"] == [["id": "c", "title": "c"], ["id": "a", "title": "a", "alsoFrom": ["u"]]])
        #expect(content?["alsoFrom"] == nil && content?["next"] == .null)
    }

    @Test func `if a daemon ends, idempotent or refused requests are sent to the next daemon`() throws {
        var pair = Pair()
        _ = try pair.request(1, "tools/call", Self.search)
        _ = try pair.request(2, "tools/call", #""name":"library_note","arguments":{"id":"a","note":{"rating":1}}"#)
        let refused = try pair.request(
            3,
            "tools/call",
            #""name":"library_note","arguments":{"id":"b","note":{"rating":1}}"#
        ).toDaemon[0]
        let refusal = #""error":{"code":-32009,"message":"","data":{"kind":"shuttingDown"}}"#
        #expect(try pair.daemon(#"{"jsonrpc":"2.0","id":\#(refused["id"]?.int ?? 0),\#(refusal)}"#).toAgent.isEmpty)
        pair.translator.daemonEnded()
        let after = try pair.lines()
        #expect(after.toDaemon.map { $0["method"] } == ["search", "library/note"])
        #expect(after.toDaemon.last?["params"]?["id"] == "b")
        #expect(after.toAgent.map { $0["id"] } == [2] && after.toAgent[0]["result"]?["isError"] == true)
        for _ in 0..<Translator.retriesMax { pair.translator.daemonEnded() }
        #expect(Set(try pair.lines().toAgent.compactMap { $0["id"]?.int }) == [1, 3] && pair.translator.isIdle)
    }

    @Test func `if no daemon is reachable, every request fails with the reason`() throws {
        var pair = Pair()
        _ = try pair.request(1, "tools/call", Self.search)
        _ = try pair.request(2, "resources/list")
        pair.translator.daemonIsUnreachable(SearchError(.unavailable, "no searchd answers", retryable: true))
        let lines = try pair.lines()
        #expect(lines.toAgent[0]["result"]?["content"]?[0]?["text"]?.string?.contains("no searchd answers") == true)
        #expect(lines.toAgent[1]["error"]?["code"]?.int == -32603 && lines.toDaemon.isEmpty && pair.translator.isIdle)
    }

    @Test func `the URI of a resource may be written in several ways`() throws {
        var pair = Pair()
        let id = "web:a/b 고"
        #expect(LibraryResource.uri(of: id) == "searchd://library/web:a%2Fb%20%EA%B3%A0")
        let asked = try pair.request(1, "resources/read", #""uri":"searchd://library/web%3Aa%2Fb%20%EA%B3%A0""#)
            .toDaemon[0]
        #expect(asked["method"] == "library/get" && asked["params"] == ["id": .string(id)])
        let lost = try pair.daemon(
            #"{"jsonrpc":"2.0","id":\#(asked["id"]?.int ?? 0),"error":{"code":-32010,"message":"","data":{"kind":"notFound"}}}"#
        ).toAgent[0]
        #expect(lost["error"]?["message"] == "Resource not found" && lost["error"]?["code"]?.int == -32602)
    }
}
