import JSON
import Testing

/// A streamed search with all its notifications and its answer.
private struct Streamed {
    /// For each notification, its source and either `hits` or the status.
    var story: [(source: String, what: String)] = []
    var hits: [JSONValue] = []
    var answer: JSONValue = nil
    var progress: [(answered: Int, asked: Int)] = []

    init(_ client: TestClient, _ params: String) throws {
        let id = try client.ask("search", params)
        while answer == nil {
            let message = try client.message()
            guard let method = message.method, let params = message["params"] else {
                #expect(message["id"]?.int == id)
                answer = message
                return
            }
            #expect(params["request"]?.int == id)
            let source = params["source"]?.string ?? ""
            switch method {
            case "search/hits":
                let hits = params["hits"]?.array ?? []
                #expect(!hits.isEmpty)
                #expect(hits.allSatisfy { $0["source"]?.string == source })
                self.hits += hits
                story.append((source, "hits"))
            case "search/source": story.append((source, params["status"]?.string ?? ""))
            case "search/progress": progress.append((params["answered"]?.int ?? -1, params["asked"]?.int ?? -1))
            default: Issue.record("\(method) does not belong to a stream")
            }
        }
    }

    var ids: [String] { hits.compactMap { $0["id"]?.string } }
    var order: [String] { (answer["result"]?["order"]?.array ?? []).compactMap(\.string) }

    func story(of source: String) -> [String] { story.filter { $0.source == source }.map(\.what) }
}

@Suite struct StreamTests {
    private let both = #""sources":["kakao.blog","kakao.cafe"]"#

    @Test(arguments: ["", ",\"raw\":true", ",\"offset\":7", ",\"offset\":45,\"limit\":20"])
    func `hits come before the status of their source, and the answer has the same hits`(more: String) async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            for _ in ["cold", "cached"] {
                let streamed = try Streamed(client, "{\"query\":\"고양이\",\"stream\":true\(more)}")
                #expect(streamed.story(of: "kakao.blog").last == "ok")
                #expect(streamed.story(of: "kakao.blog").dropLast().allSatisfy { $0 == "hits" })
                #expect(Set(streamed.ids) == Set(streamed.order))
                #expect(streamed.ids.count == streamed.order.count)
                #expect(streamed.answer["result"]?["hits"] == nil)
                #expect(streamed.hits.allSatisfy { ($0["raw"] != nil) == more.contains("raw") })
                let plain = try client.call("search", "{\"query\":\"고양이\"\(more)}")
                #expect(plain.hitIDs == streamed.order)
                let told = Dictionary(uniqueKeysWithValues: zip(streamed.ids, streamed.hits))
                #expect(plain["result"]?["hits"]?.array == streamed.order.compactMap { told[$0] })
            }
        }
    }

    @Test func `the hits of each source come before its status, even if another source fails`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let streamed = try Streamed(client, "{\"query\":\"고양이\",\"stream\":true,\(both)}")
            for source in ["kakao.blog", "kakao.cafe"] { #expect(streamed.story(of: source).last == "ok") }
            #expect(Set(streamed.ids).count == streamed.ids.count)
            #expect(Set(streamed.order).isSubset(of: Set(streamed.ids)))
            #expect(streamed.order.count == 10)
            await daemon.fault("maintenance")
            let partly = try Streamed(client, "{\"query\":\"강아지\",\"stream\":true,\(both)}")
            #expect(partly.story(of: "kakao.blog").filter { $0 != "retrying" } == ["failed"])
            #expect(partly.story(of: "kakao.cafe").last == "ok")
            #expect(partly.answer["result"]?["complete"] == false)
        }
    }

    @Test(arguments: [#""sources":["kakao.*"],"kinds":["blog","cafe"]"#, #""kinds":["blog"]"#])
    func `a stream with progress reports the number of sources that have answered`(
        chosen: String
    ) async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.fault("maintenance", source: "kakao.blog")
            let params = "{\"query\":\"고양이\",\"stream\":true,\"timeout\":2000,\(chosen)"
            let streamed = try Streamed(client, params + ",\"progress\":true}")
            let asked = chosen.contains("cafe") ? 2 : 1
            #expect(streamed.progress.map(\.asked) == Array(repeating: asked, count: asked))
            #expect(streamed.progress.map(\.answered) == Array(0..<asked))
            #expect(try Streamed(client, params + "}").progress.isEmpty)
        }
    }

    @Test func `a cancelled stream sends nothing after its answer`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.delay(150, source: "kakao.cafe")
            let id = try client.ask("search", "{\"query\":\"고양이\",\"stream\":true,\(both)}")
            let first = try client.message()
            #expect(first.method == "search/hits")
            try client.notify("$/cancelRequest", "{\"id\":\(id)}")
            var answer = try client.message()
            while answer.method != nil { answer = try client.message() }
            #expect(answer.errorKind == "cancelled")
            // The daemon would send a late notification to the first client before it answers the other client.
            let other = try daemon.connect()
            #expect(try other.call("search", #"{"query":"고양이","sources":["kakao.cafe"]}"#).hitIDs.count == 10)
            client.closeWriting()
            try client.end()
        }
    }
}
