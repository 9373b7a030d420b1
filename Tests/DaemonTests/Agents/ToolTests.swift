import JSON
import MCP
import Testing

@Suite struct ToolTests {
    private func withAgent(_ body: (DaemonFixture, AgentClient) async throws -> Void) async throws {
        try await withDaemon {
            $0.hasAllKeys = true
            $0.keepsPersonalData = true
        } _: { daemon in
            try await body(daemon, AgentClient(client: try daemon.connect()))
        }
    }

    /// What a structured content has that its tool's output schema does not, or the other way round.
    private func problems(_ result: JSONValue, _ name: String, _ agent: AgentClient) throws -> [String] {
        let tools = try agent.result("tools/list")["tools"]?.array
        let schema = try #require(tools?.first { $0["name"]?.string == name }?["outputSchema"])
        let content = try #require(result.content)
        // The definitions are no keyword of their own.
        let keywords = JSONValue.object((schema.members ?? []).filter { $0.name != "$defs" })
        return ContractCheck(schema).problems(content, keywords, at: name)
    }

    @Test func `each tool says when to use it, what it takes and answers, and what it changes`() async throws {
        try await withAgent { _, agent in
            let tools = try #require(try agent.result("tools/list")["tools"]?.array)
            #expect(
                tools.compactMap { $0["name"]?.string } == [
                    "search", "lookup", "suggest", "library_save", "library_note", "library_list", "sources",
                ]
            )
            for tool in tools {
                let name = try #require(tool["name"]?.string)
                #expect(tool["title"]?.string?.isEmpty == false, "\(name)")
                #expect(tool["description"]?.string?.contains("cost") == true, "\(name)")
                #expect(tool["inputSchema"]?["type"] == "object" && tool["outputSchema"]?["type"] == "object")
                let isReading = !["library_save", "library_note"].contains(name)
                #expect(tool["annotations"]?["readOnlyHint"]?.bool == isReading)
                #expect(tool["annotations"]?["openWorldHint"]?.bool == ["search", "lookup"].contains(name))
                #expect((tool["annotations"]?["destructiveHint"] == false) == !isReading)
                let names = tool["inputSchema"]?["properties"]?.members?.map(\.name) ?? []
                #expect(names.allSatisfy { !["stream", "channel", "raw", "history", "explain"].contains($0) })
            }
        }
    }

    @Test func `what a tool answers is of its schema, as structured content and as quoted text`() async throws {
        try await withAgent { _, agent in
            let found = try agent.tool("search", #"{"query":"고양이","sources":["kakao.*","naver.*"],"limit":20}"#)
            #expect(try problems(found, "search", agent) == [])
            let id = try #require(found.content?["hits"]?[0]?["id"]?.string)
            let calls = [
                ("lookup", #"{"id":"\#(id)"}"#), ("library_save", #"{"id":"\#(id)","tags":["읽을것"]}"#),
                ("library_note", #"{"id":"\#(id)","note":{"text":"좋다","rating":4}}"#),
                ("library_list", #"{"query":"ㄱㅇㅇ"}"#), ("suggest", #"{"prefix":"고"}"#), ("sources", "{}"),
            ]
            for (name, arguments) in calls {
                let result = try agent.tool(name, arguments)
                #expect(result["isError"] == false, "\(name)")
                #expect(try problems(result, name, agent) == [], "\(name)")
                #expect(result.content?["quoted"]?.string?.isEmpty == false)
                let lines = result.text.split(separator: "\n")
                let end = try #require(lines.firstIndex { $0.hasPrefix("end of quote-") })
                #expect(lines[2..<end].allSatisfy { $0.hasPrefix("> ") }, "\(name)")
            }
            #expect(found.text.contains("> - id: \(id)"))
        }
    }

    @Test func `an answer is cut whole hits before it is too long, and its cursor goes on there`() async throws {
        try await withAgent { daemon, agent in
            let arguments = #""query":"고양이","sources":["kakao.blog"],"limit":20"#
            let whole = try agent.tool("search", "{\(arguments)}")
            let ids = (whole.content?["hits"]?.array ?? []).compactMap { $0["id"]?.string }
            #expect(ids.count == 20 && whole.content?["leftOut"] == nil)
            let requests = await daemon.requests()
            var (seen, cursor): ([String], String?) = ([], nil)
            repeat {
                let from = cursor.map { #","cursor":"\#($0)""# } ?? ""
                let part = try agent.tool("search", "{\(arguments),\"maxBytes\":3000\(from)}")
                #expect(part.text.utf8.count <= 3000)
                #expect(try #require(part.content).bytes.count <= 3000)
                let hits = part.content?["hits"]?.array ?? []
                #expect(hits.count + (part.content?["leftOut"]?.int ?? 0) == 20)
                #expect(part.text.contains("left out for maxBytes"))
                seen += hits.compactMap { $0["id"]?.string }
                cursor = part.content?["next"]?.string
            } while seen.count < 20 && cursor != nil
            #expect(seen.prefix(20) == ids[...])
            #expect(await daemon.requests() == requests)
            let longest = try agent.tool("search", "{\(arguments),\"maxBytes\":1000}")
            #expect(longest.content?["hits"]?.array?.count == 1)
        }
    }

    @Test func `maxCalls bounds what one search spends`() async throws {
        try await withAgent { daemon, agent in
            let arguments = #""query":"강아지","sources":["kakao.blog","kakao.cafe","kakao.web"]"#
            let nothing = try agent.tool("search", "{\(arguments),\"maxCalls\":0}")
            #expect(nothing["isError"] == true && nothing.text.contains("maxCalls"))
            let one = try agent.tool("search", "{\(arguments),\"maxCalls\":1}")
            let states = (one.content?["sources"]?.array ?? []).map { $0["status"]?.string }
            #expect(states.count { $0 == "ok" } == 1 && states.count { $0 == "skipped" } == 2)
            #expect(one.content?["sources"]?.array?.count { $0["reason"] == "maxCalls" } == 2)
            #expect(one.content?["complete"] == false && one.content?["next"]?.string != nil)
            var requests = 0
            for source in ["kakao.blog", "kakao.cafe", "kakao.web"] {
                requests += await daemon.requests(to: source)
            }
            // One of them is the bystander's.
            #expect(requests == 2)
            let all = try agent.tool("search", "{\(arguments),\"maxCalls\":2}")
            #expect(all.content?["complete"] == true)
        }
    }

    @Test func `wrong arguments are errors of the request, failures of sources are for the model`() async throws {
        try await withAgent { daemon, agent in
            for (name, arguments, path) in [
                ("search", "{}", "params.arguments.query"),
                ("search", #"{"query":"x","stream":true}"#, "params.arguments.stream"),
                ("search", #"{"query":"x","limit":0}"#, "params.arguments.limit"),
                ("search", #"{"query":"x","maxBytes":999}"#, "params.arguments.maxBytes"),
                ("search", "[]", "params.arguments"), ("serach", "{}", "params.name"),
                ("library_list", #"{"cursor":"x"}"#, "params.arguments.cursor"),
            ] {
                let answer = try agent.request("tools/call", AgentClient.call(name, arguments))
                #expect(answer.errorCode == -32602, "\(name) \(arguments)")
                #expect(answer.errorPath == path, "\(name) \(arguments)")
            }
            await daemon.fault("maintenance")
            let failed = try agent.tool("search", #"{"query":"실패","sources":["kakao.blog"]}"#)
            #expect(failed["isError"] == true && failed.content == nil)
            #expect(failed.text.contains("> message: ") && failed.text.contains("Search has failed."))
            let unknown = try agent.tool("search", #"{"query":"x","sources":["kakao.bolg"]}"#)
            #expect(unknown["isError"] == true && unknown.text.contains("kakao.blog"))
            let lost = try agent.tool("lookup", #"{"id":"kakao.blog:0000"}"#)
            #expect(lost["isError"] == true && lost.text.contains("notFound"))
        }
    }
}
