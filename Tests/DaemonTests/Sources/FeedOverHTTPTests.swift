import HTTP
import JSON
import Testing

@Suite struct FeedOverHTTPTests {
    @Test func `a feed is fetched once for all queries`() async throws {
        try await withDaemon { daemon in
            let address = "\(daemon.sandbox.base)/arxiv/api/query?search_query=all:cat"
            daemon.configure(members: "allowedHosts: [\"127.0.0.1\"], feeds: { papers: \"\(address)\" },")
            let client = try daemon.connect()
            #expect(try client.call("server/reload").errorKind == nil)
            let found = try client.call("search", #"{"query":"cat","sources":["feed.papers"]}"#)
            #expect(!found.hitIDs.isEmpty && found.source("feed.papers")?["status"]?.string == "ok")
            let none = try client.call("search", #"{"query":"zebra","sources":["feed.papers"]}"#)
            #expect(none.hitIDs.isEmpty && none.errorKind == nil)
            #expect(await daemon.requests(to: "arxiv.papers") == 1)
        }
    }
}
