import JSON
import Testing

@testable import Client

struct WaitingSourcesTests {
    private static func cursor(_ text: String) throws -> JSONCursor { try JSONDocument(Array(text.utf8)).root }

    private static func progress(_ answered: Int, _ asked: Int) throws -> JSONCursor {
        try cursor(#"{"request":1,"answered":\#(answered),"asked":\#(asked)}"#)
    }

    private static let queued = #"{"source":"kakao.blog","status":"queued","reason":"rateLimit","wait":800}"#

    @Test func `how many have answered comes before what one of them waits for`() throws {
        var waiting = WaitingSources()
        #expect(waiting.line == nil)
        waiting.received(progress: try Self.progress(3, 5))
        #expect(waiting.line == "3 of 5 sources")
        waiting.received(source: try Self.cursor(Self.queued))
        #expect(waiting.line == "3 of 5 sources · kakao.blog waits 800 ms for its rate")
        waiting.received(source: try Self.cursor(#"{"source":"kakao.blog","status":"retrying","attempt":2}"#))
        #expect(waiting.line == "3 of 5 sources · kakao.blog is asked again, attempt 2")
    }

    @Test(arguments: [#"{"source":"kakao.blog","hits":[]}"#, #"{"source":"kakao.blog","status":"ok"}"#])
    func `a source that has answered waits no longer`(answer: String) throws {
        var waiting = WaitingSources()
        waiting.received(source: try Self.cursor(Self.queued))
        waiting.received(hits: try Self.cursor(#"{"source":"itunes.app","hits":[]}"#))
        #expect(waiting.line != nil)
        let params = try Self.cursor(answer)
        if params["hits"] == nil { waiting.received(source: params) } else { waiting.received(hits: params) }
        #expect(waiting.line == nil)
    }

    @Test func `when all have answered there is nothing to tell`() throws {
        var waiting = WaitingSources()
        waiting.received(progress: try Self.progress(0, 1))
        #expect(waiting.line == "0 of 1 source")
        waiting.received(progress: try Self.progress(1, 1))
        #expect(waiting.line == nil)
    }
}
