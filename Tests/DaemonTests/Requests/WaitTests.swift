import JSON
import TestSupport
import Testing

@Suite struct WaitTests {
    private static let params = #""sources":["kakao.blog","kakao.cafe","kakao.web"],"timeout":60000,"#

    @Test(arguments: ["", ",\"stream\":true"])
    func `a slow source is reported as late, and its later results are cached`(more: String) async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.delay(2000)
            let search = "{\(Self.params)\"query\":\"고양이\",\"wait\":\"enough\"\(more)}"
            let answer = try client.answer(to: client.ask("search", search))
            let late = try #require(answer.source("kakao.blog"))
            #expect(late["status"] == "late" && late["error"]?["data"]?["kind"] == "timeout")
            #expect(answer["result"]?["complete"] == false && answer["result"]?["next"]?.string != nil)
            #expect((answer["result"]?["elapsed"]?.double ?? 60_000) < 2000)
            try await eventually("the late page in the cache") {
                let offline = #"{"sources":["kakao.blog"],"query":"고양이","offline":true}"#
                return try client.call("search", offline).source("kakao.blog")?["status"] == "ok"
            }
            #expect(await daemon.requests() == 1)
        }
    }
}
