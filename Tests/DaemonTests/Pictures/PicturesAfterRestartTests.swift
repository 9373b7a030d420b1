import Glibc
import JSON
import Sandbox
import Testing

/// Pictures of hits that the user was shown by a daemon before this one.
@Suite struct PicturesAfterRestartTests {
    private static let search = #"{"query":"고양이","sources":["kakao.image"],"limit":2,"timeout":60000}"#

    private func get(_ url: String, _ client: TestClient) throws -> JSONValue {
        try client.call("image/get", String(decoding: (["url": .string(url)] as JSONValue).bytes, as: UTF8.self))
    }

    @Test func `what searches brought is fetched, and what a client has saved of its own making is not`() async throws {
        try await withProgram { program in
            let hits = try program.connect().call("search", Self.search)["result"]?["hits"]
            let urls = try (0...1).map { try #require(hits?[$0]?["thumbnail"]?.string) }
            let madeUp = "\(program.sandbox.base)/_sandbox/image/made-up-10x10.png"
            let members = #""source":"kakao.image","kind":"image","title":"cat","thumbnail":"\#(madeUp)""#
            let saved = try program.connect().call("library/save", #"{"hit":{"id":"kakao.image:x",\#(members)}}"#)
            #expect(saved["result"]?["added"] == 1, "\(saved)")
            program.searchd.signal(SIGTERM)
            _ = try program.searchd.waitForExit()
            let next = try program.start()
            #expect(try next.readyText() == "R")
            let client = try program.connect()
            #expect(try client.call("library/list")["result"]?["total"] == 1)
            let found = try client.call("search", #"{"query":"cat","sources":["library"]}"#)
            #expect(found.hitIDs == ["kakao.image:x"])
            // Both ask for what was shown before; it is read once.
            let ids = try urls.map { try client.ask("image/get", #"{"url":"\#($0)"}"#) }
            for id in ids { #expect(try client.answer(to: id)["result"]?["cache"] == "miss") }
            for _ in 0..<2 { #expect(try get(madeUp, client).errorKind == "forbidden") }
            #expect(await program.sandbox.counts.requests(to: ImageTests.source) == 2)
            _ = try client.call("history/clear")
            next.signal(SIGTERM)
            _ = try next.waitForExit()
            let last = try program.start()
            #expect(try last.readyText() == "R")
            #expect(try get(urls[0], program.connect()).errorKind == "forbidden")
            last.signal(SIGTERM)
            _ = try last.waitForExit()
        }
    }
}
