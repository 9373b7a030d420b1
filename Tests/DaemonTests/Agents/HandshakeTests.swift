import JSON
import MCP
import Testing

@Suite struct HandshakeTests {
    private static let initialize =
        #"{"protocolVersion":"VERSION","capabilities":{},"clientInfo":{"name":"a","version":"1"}}"#

    private func initialize(_ client: TestClient, _ version: String = "2025-11-25") throws -> JSONValue {
        let params = Self.initialize.split(separator: "VERSION").joined(separator: version)
        return try #require(try client.call("initialize", params)["result"])
    }

    @Test func `a session begins by the revision that is asked for`() async throws {
        try await withDaemon { daemon in
            for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
                let client = try daemon.connect()
                let result = try initialize(client, version)
                #expect(result["protocolVersion"]?.string == version)
                #expect(result["serverInfo"]?["name"] == "searchd")
                #expect(result["capabilities"]?["tools"] == .object([]))
                #expect((result["capabilities"]?["completions"] != nil) == (version > "2025"))
                #expect(result["resultType"] == nil && result["_meta"] == nil)
                try client.notify("notifications/initialized", "{}")
                let tool = try client.call("tools/list")["result"]?["tools"]?[0]
                #expect(tool?["name"] == "search")
                #expect((tool?["annotations"] != nil) == (version > "2025"))
                #expect((tool?["outputSchema"] != nil) == (version >= "2025-06-18"))
                let found = try client.call("tools/call", #"{"name":"search","arguments":{"query":"고양이"}}"#)["result"]
                #expect((found?.content != nil) == (version >= "2025-06-18"))
                #expect(found?.text.contains("> hits:") == true)
                #expect(try client.call("ping")["result"] == .object([]))
            }
        }
    }

    @Test func `a revision that is not spoken here gets the latest one that has sessions`() async throws {
        try await withDaemon { daemon in
            for version in ["2026-07-28", "1900-01-01"] {
                let result = try initialize(daemon.connect(), version)
                #expect(result["protocolVersion"] == "2025-11-25")
            }
        }
    }

    @Test func `a stateless client discovers everything at once, in the words of its revision`() async throws {
        try await withDaemon { daemon in
            let agent = AgentClient(client: try daemon.connect())
            let result = try agent.result("server/discover")
            #expect(result["resultType"] == "complete")
            #expect(result["supportedVersions"]?[0] == "2026-07-28")
            #expect(result["supportedVersions"]?[1] == "2025-11-25")
            #expect(result["ttlMs"]?.int ?? 0 > 0 && result["cacheScope"] == "public")
            #expect(result["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "searchd")
            for (method, list) in [
                ("tools/list", "tools"), ("prompts/list", "prompts"), ("resources/templates/list", "resourceTemplates"),
            ] {
                let result = try agent.result(method)
                #expect(result["resultType"] == "complete" && result["cacheScope"] == "public", "\(method)")
                #expect(result["ttlMs"]?.int != nil && result[list]?.array?.isEmpty == false, "\(method)")
            }
            #expect(try agent.result("ping")["resultType"] == "complete")
        }
    }

    @Test func `what says no revision, or one that is not spoken, is refused`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            #expect(try client.call("tools/list").errorCode == -32602)
            #expect(try client.call("server/discover", "{}").errorCode == -32602)
            let wrong =
                #"{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientCapabilities":{}}}"#
            let answer = try client.call("tools/list", wrong)
            #expect(answer.errorCode == -32022)
            #expect(answer["error"]?["data"]?["requested"] == "1900-01-01")
            #expect(answer["error"]?["data"]?["supported"]?[0] == "2026-07-28")
            // A cursor belongs to none of the lists of one page.
            let agent = AgentClient(client: client)
            for list in ["tools/list", "prompts/list", "resources/templates/list"] {
                #expect(try agent.request(list, #""cursor":"x","#).errorCode == -32602)
            }
            for method in ["subscriptions/listen", "logging/setLevel", "resources/subscribe", "tools/lsit"] {
                #expect(try agent.request(method).errorCode == -32601, "\(method)")
            }
        }
    }

    @Test func `a connection speaks both protocols, and both eras, side by side`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let agent = AgentClient(client: client)
            _ = try client.call("search", #"{"query":"고양이","sources":["kakao.blog"]}"#)
            _ = try initialize(client, "2025-06-18")
            let found = try agent.tool("search", #"{"query":"고양이","sources":["kakao.blog"],"maxCalls":0}"#)
            #expect(found.content?["hits"]?.array?.count == 10)
            #expect(found["resultType"] == "complete")
            let ofSession = try client.call("tools/call", #"{"name":"sources"}"#)
            #expect(ofSession["result"]?["resultType"] == nil && ofSession["result"]?.content != nil)
            #expect(try client.call("server/ping")["result"]?["uptime"] != nil)
            // A session is its connection's alone.
            #expect(try daemon.connect().call("tools/list").errorCode == -32602)
            #expect(await daemon.requests() == 1)
        }
    }

    @Test func `the daemon's own discovery names the tools, and hello the protocol`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let methods = try client.call("rpc.discover")["result"]?["methods"]?.array ?? []
            let tools = methods.compactMap { $0["x-tool"]?.string }
            let listed = try AgentClient(client: client).result("tools/list")["tools"]?.array ?? []
            #expect(tools == listed.compactMap { $0["name"]?.string })
            let capabilities = try client.call("server/hello")["result"]?["capabilities"]?.array
            #expect(capabilities?.contains("mcp") == true)
            let names = Set(methods.compactMap { $0["name"]?.string })
            #expect(AgentMethodName.allCases.allSatisfy { !names.contains($0.rawValue) })
        }
    }
}
