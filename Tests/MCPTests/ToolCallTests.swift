import JSON
import RPC
import SearchModel
import Testing

@testable import MCP

let noReader: PageCall.Reader = { _ throws(SearchError) in throw SearchError(.internal, "no page is read here") }

@Suite struct ToolCallTests {
    private func call(_ name: String, _ arguments: String) throws -> ToolCall {
        let params = Array(#"{"name":"\#(name)","arguments":\#(arguments)}"#.utf8)
        return try ToolCall(try JSONDocument(params).root, mark: 1, reader: noReader)
    }

    private func content(_ next: ToolCall.Next) throws -> JSONValue {
        guard case .done(let result) = next else { throw AgentError.wrongCursor }
        return try JSONDocument(result.bytes(in: .november2025)).root.value
    }

    private func hits(_ count: Int) -> JSONValue {
        let hits = (0..<count).map { number -> JSONValue in
            ["id": .string("a.b:\(number)"), "rank": 1, "title": .string(String(repeating: "고양이 ", count: 20))]
        }
        return ["hits": .array(hits), "next": "cursor", "elapsed": 1.5]
    }

    @Test func `the list of tools is short and complete`() throws {
        #expect(Tool.list.bytes(in: .november2025).count <= 16_000)
        let names = Tool.all.map(\.about.name)
        #expect(
            names == [
                "search", "lookup", "suggest", "read", "library_save", "library_note", "library_list", "sources",
            ]
        )
        for tool in Tool.all.map(\.listed) {
            #expect(tool["title"]?.string?.isEmpty == false)
            #expect(tool["description"]?.string?.lowercased().contains("cost") == true)
            #expect(tool["inputSchema"]?["type"] == "object" && tool["outputSchema"]?["type"] == "object")
            let names = tool["inputSchema"]?["properties"]?.members?.map(\.name) ?? []
            #expect(names.allSatisfy { !["stream", "channel", "raw", "history", "explain"].contains($0) })
            let isWriting = ["library_save", "library_note"].contains(tool["name"]?.string)
            #expect(tool["annotations"]?["readOnlyHint"]?.bool == !isWriting)
        }
    }

    @Test func `arguments that only the tool uses are not sent to the daemon`() throws {
        var call = try call("search", #"{"query":"x","limit":3,"maxBytes":2000,"kinds":null}"#)
        let parameters = try call.begin(streams: true).params
        let expected = #"{"query":"x","limit":3,"stream":true,"progress":true,"history":false}"#
        #expect(String(decoding: parameters, as: UTF8.self) == expected)
    }

    @Test(arguments: [
        ("search", #"{"query":"x","limti":3}"#, "Did you mean “limit”?"),
        ("search", #"{"query":"x","stream":true}"#, "unknown argument"),
        ("search", #"{"query":"x","maxBytes":999}"#, "an integer from 1000 to 1000000"),
        ("sources", #"{"all":1}"#, "true or false"),
        ("suggest", #"{"all":true}"#, "unknown argument"),
    ])
    func `an error for wrong arguments names the valid arguments`(_ name: String, _ arguments: String, _ reason: String)
        throws
    {
        var call = try call(name, arguments)
        let error = try #require(throws: SearchError.self) { try call.begin(streams: false) }
        let result = try content(.done(call.failed(error.json)))
        let text = result["content"]?[0]?["text"]?.string ?? ""
        #expect(result["isError"] == true && text.contains(reason))
        for argument in call.tool.arguments { #expect(text.contains(argument.member.description)) }
        let ofDaemon = Parameters.invalid("params.limit", "wrong", hint: "Give another.")
        #expect(
            try content(.done(call.failed(ofDaemon.json)))["content"]?[0]?["text"]?.string?.contains(
                "path: arguments.limit"
            ) == true
        )
    }

    @Test(arguments: ["{}", #"{"name":"serach"}"#, #"{"name":"search","arguments":[]}"#])
    func `unknown tools and malformed calls are protocol errors`(_ params: String) throws {
        let root = try JSONDocument(Array(params.utf8)).root
        let error = #expect(throws: AgentError.self) { try ToolCall(root, mark: 1, reader: noReader) }
        #expect(error?.code == -32602)
    }

    @Test func `a list that is too long is requested again with a smaller limit`() throws {
        var call = try call("search", #"{"query":"x","limit":20,"maxAge":0,"maxBytes":2000}"#)
        _ = try call.begin(streams: true)
        guard case .call(.search, let parameters) = call.answered(hits(20)) else { throw AgentError.wrongCursor }
        let again = try JSONDocument(parameters).root.value
        let keeps = try #require(again["limit"]?.int)
        #expect((2..<19).contains(keeps) && again["maxCalls"] == 0 && again["maxAge"] == nil && again["stream"] == nil)
        let result = try content(call.answered(hits(keeps)))
        #expect(result["structuredContent"]?["leftOut"]?.int == 20 - keeps)
        #expect(result["structuredContent"]?["next"] == "cursor" && result["structuredContent"]?["elapsed"] == nil)
        #expect(try #require(result["structuredContent"]).bytes.count <= 2000)
        let text = try #require(result["content"]?[0]?["text"]?.string)
        #expect(text.utf8.count <= 2000 && text.contains("the cursor in “next”"))
    }

    @Test func `if the answer to a private search is too long, it is cut without another request`() throws {
        var call = try call("search", #"{"query":"x","private":true,"maxBytes":2000}"#)
        _ = try call.begin(streams: false)
        let content = try content(call.answered(hits(20)))["structuredContent"]
        #expect(content?["next"] == .null && content?["leftOut"]?.int == 20 - (content?["hits"]?.array?.count ?? 0))
    }

    @Test(arguments: [3, 30, 500]) func `the list of sources is short, but complete with the argument “all”`(
        _ count: Int
    )
        throws
    {
        let entries = (0..<count).map { number -> JSONValue in
            let quota: JSONValue = ["name": .string("quota-\(number / 3)"), "left": 7, "limit": 9, "used": 2]
            return [
                "source": .string("account.source\(number)"), "kind": "blog", "enabled": true, "title": "Title",
                "quota": [quota], "options": [:],
            ]
        }
        let off: JSONValue = ["source": "no.key", "kind": "blog", "enabled": false, "reason": "notConfigured"]
        let document: JSONValue = [
            "sources": .array(entries + [off]), "profiles": [["name": "@default", "sources": []]],
        ]
        var brief = try call("sources", "{}")
        _ = try brief.begin(streams: false)
        let result = try content(brief.answered(document))
        #expect(result.bytes.count <= 4000)
        let text = result["content"]?[0]?["text"]?.string ?? ""
        #expect(text.contains("more sources were left out") == (count > 30))
        if count <= 30 { #expect((0..<count).allSatisfy { text.contains("account.source\($0)") }) }
        let content = try #require(result["structuredContent"])
        let shown = content["sources"]?.array?.count ?? 0
        #expect(shown + (content["leftOut"]?.int ?? 0) == count && shown >= min(count, 15))
        #expect(content["callsLeft"]?["quota-0"] == 7 && content["profiles"]?[0]?["name"] == "@default")
        #expect(!String(decoding: result.bytes, as: UTF8.self).contains("no.key"))
        var whole = try call("sources", #"{"all":true}"#)
        _ = try whole.begin(streams: false)
        let all = try self.content(whole.answered(document))["structuredContent"]?["sources"]?.array
        #expect(
            all?.count == count + 1 && all?.last?["reason"] == "notConfigured" && all?[0]["quota"]?[0]?["limit"] == 9
        )
    }
}
