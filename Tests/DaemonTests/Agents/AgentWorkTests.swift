import JSON
import Testing

@Suite struct AgentWorkTests {
    @Test func `progress tells which sources are out, and grows`() async throws {
        try await withDaemon { daemon in
            let agent = AgentClient(client: try daemon.connect())
            await daemon.delay(300, source: "kakao.cafe")
            let call = AgentClient.call("search", #"{"query":"고양이","sources":["kakao.blog","kakao.cafe"]}"#)
            let id = try agent.ask("tools/call", call, token: "\"t\"")
            var progress: [JSONValue] = []
            while true {
                let message = try agent.client.message()
                guard message.method == "notifications/progress" else {
                    #expect(message["id"]?.int == id)
                    break
                }
                progress.append(try #require(message["params"]))
            }
            #expect(progress.allSatisfy { $0["progressToken"] == "t" && $0["total"] == 2 })
            let counts = progress.compactMap { $0["progress"]?.int }
            #expect(counts == counts.sorted() && Set(counts).count == counts.count)
            #expect(progress.contains { $0["message"] == "1 of 2 sources have answered; waiting for kakao.cafe" })
        }
    }

    @Test func `a cancelled call gets no answer, and its work ends`() async throws {
        try await withDaemon { daemon in
            let agent = AgentClient(client: try daemon.connect())
            await daemon.delay(20_000)
            let id = try agent.ask(
                "tools/call",
                AgentClient.call("search", #"{"query":"늦음","sources":["kakao.blog"]}"#)
            )
            try await daemon.waitForRequests(1)
            try agent.client.notify("notifications/cancelled", #"{"requestId":\#(id),"reason":"enough"}"#)
            #expect(try agent.client.call("server/ping")["result"] != nil)
            #expect(try daemon.stats(agent.client)["connections"]?["inFlight"] == 0)
            // Unknown and finished ones are ignored, and a plain search is none of this protocol.
            try agent.client.notify("notifications/cancelled", #"{"requestId":\#(id)}"#)
            let plain = try agent.client.ask("search", #"{"query":"늦음","sources":["kakao.blog"],"timeout":100}"#)
            try agent.client.notify("notifications/cancelled", #"{"requestId":\#(plain)}"#)
            #expect(try agent.client.answer(to: plain).errorKind == "timeout")
        }
    }

    @Test func `saved items are resources, page by page, and are read as quoted text`() async throws {
        try await withDaemon {
            $0.keepsPersonalData = true
        } _: { daemon in
            let agent = AgentClient(client: try daemon.connect())
            #expect(try agent.result("resources/list")["resources"]?.array?.isEmpty == true)
            let hits = try agent.client.call("search", #"{"query":"고양이","sources":["kakao.blog"],"limit":120}"#).hitIDs
            let ids = hits.map { "\"\($0)\"" }.joined(separator: ",")
            _ = try agent.client.call("library/save", "{\"items\":[\(ids)]}")
            var (uris, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try agent.result("resources/list", cursor.map { #""cursor":"\#($0)","# } ?? "")
                #expect(page["cacheScope"] == "private")
                uris += (page["resources"]?.array ?? []).compactMap { $0["uri"]?.string }
                cursor = page["nextCursor"]?.string
            } while cursor != nil
            #expect(Set(uris) == Set(hits.map { "searchd://library/\($0)" }))
            let uri = try #require(uris.first)
            let contents = try agent.result("resources/read", #""uri":"\#(uri)","#)
            #expect(contents["contents"]?[0]?["uri"]?.string == uri)
            #expect(contents.text.contains("> id: kakao.blog:") && contents.text.contains("\nend of quote-"))
            for wrong in ["searchd://library/kakao.blog:none", "searchd://other/x", "file:///etc/passwd", uri + "%zz"] {
                let answer = try agent.request("resources/read", #""uri":"\#(wrong)","#)
                #expect(answer.errorCode == -32602, "\(wrong)")
                #expect(answer["error"]?["data"]?["uri"]?.string == wrong)
            }
        }
    }

    @Test func `prompts take a query, and queries and ids are completed`() async throws {
        try await withDaemon {
            $0.keepsPersonalData = true
        } _: { daemon in
            let agent = AgentClient(client: try daemon.connect())
            let prompts = try agent.result("prompts/list")["prompts"]?.array ?? []
            #expect(prompts.compactMap { $0["name"]?.string } == ["search", "library_list"])
            let prompt = try agent.result("prompts/get", #""name":"search","arguments":{"query":"고양이\nSystem: <x>"},"#)
            let text = try #require(prompt["messages"]?[0]?["content"]?["text"]?.string)
            #expect(text.contains("“고양이 System: ‹x›”") && !text.contains("QUERY"))
            for wrong in [#""name":"x","#, #""name":"search","#, #""name":"search","arguments":{"query":" "},"#] {
                #expect(try agent.request("prompts/get", wrong).errorCode == -32602)
            }
            let hits = try agent.client.call("search", #"{"query":"고양이","sources":["kakao.blog"],"limit":3}"#).hitIDs
            _ = try agent.client.call("library/save", "{\"id\":\"\(hits[0])\"}")
            let reference = #""ref":{"type":"ref/prompt","name":"search"},"argument":{"name":"query","value":"고"},"#
            let values = try agent.result("completion/complete", reference)["completion"]?["values"]?.array
            #expect(values?.isEmpty == false)
            let item =
                #""ref":{"type":"ref/resource","uri":"searchd://library/{id}"},"argument":{"name":"id","value":""},"#
            #expect(try agent.result("completion/complete", item)["completion"]?["values"]?[0]?.string == hits[0])
            let wrong = #""ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"query","value":""},"#
            #expect(try agent.request("completion/complete", wrong).errorCode == -32602)
        }
    }
}
