import JSON
import Testing

/// Searches that wait for no more than enough, and sources that are left out, on real sockets.
@Suite struct WaitTests {
    private static let params = #""sources":["kakao.blog","kakao.cafe","kakao.web"],"timeout":60000,"#

    @Test(arguments: ["", ",\"stream\":true"])
    func `a source that hangs is late, and what it brings is cached`(more: String) async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.delay(2000)
            let search = "{\(Self.params)\"query\":\"고양이\",\"wait\":\"enough\"\(more)}"
            let answer = try client.answer(to: client.ask("search", search))
            let late = try #require(answer.source("kakao.blog"))
            #expect(late["status"] == "late" && late["error"]?["data"]?["kind"] == "timeout")
            #expect(answer["result"]?["complete"] == false && answer["result"]?["next"]?.string != nil)
            #expect((answer["result"]?["elapsed"]?.double ?? 60_000) < 2000)
            try await eventually("the late page is cached") {
                let offline = #"{"sources":["kakao.blog"],"query":"고양이","offline":true}"#
                return try client.call("search", offline).source("kakao.blog")?["status"] == "ok"
            }
            #expect(await daemon.requests() == 1)
        }
    }

    @Test func `who wants all waits for all, which is what a search does`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.delay(500)
            for (query, wait) in [("하나", ""), ("둘", #","wait":"all""#)] {
                let answer = try client.call("search", "{\(Self.params)\"query\":\"\(query)\"\(wait)}")
                #expect(answer.source("kakao.blog")?["status"] == "ok", "\(answer)")
                #expect(answer["result"]?["complete"] == true)
            }
        }
    }

    @Test func `a source that came by a profile is left out when the query is too short for it`() async throws {
        try await withDaemon { setup in
            setup.members = #"profiles: { "@two": ["openlibrary.books", "kakao.blog"] },"#
        } _: { daemon in
            let client = try daemon.connect()
            for stream in [false, true] {
                let answer = try client.answer(
                    to: client.ask("search", "{\"query\":\"책\",\"sources\":[\"@two\"],\"stream\":\(stream)}")
                )
                let skipped = try #require(answer.source("openlibrary.books"))
                #expect(skipped["status"] == "skipped" && skipped["reason"] == "tooShort" && skipped["error"] == nil)
                #expect(answer["result"]?["complete"] == true)
            }
            let named = try client.call("search", #"{"query":"책","sources":["openlibrary.books","kakao.blog"]}"#)
            #expect(named.source("openlibrary.books")?["status"] == "failed")
        }
    }
}
