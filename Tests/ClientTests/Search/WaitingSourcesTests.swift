import EventLoop
import JSON
import RPC
import SearchModel
import Testing

@testable import Client

struct WaitingSourcesTests {
    private static func cursor(_ text: String) throws -> JSONCursor { try JSONDocument(Array(text.utf8)).root }

    private static let start = Instant(nanoseconds: 1_000_000_000)

    private static func progress(_ answered: Int, _ asked: Int) throws -> JSONCursor {
        try cursor(#"{"request":1,"answered":\#(answered),"asked":\#(asked)}"#)
    }

    private static let queued = #"{"source":"kakao.blog","status":"queued","reason":"rateLimit","wait":800}"#

    @Test func `how many have answered comes before what one of them waits for`() throws {
        var waiting = WaitingSources()
        #expect(waiting.line == nil)
        waiting.received(progress: try Self.progress(3, 5), at: Self.start)
        #expect(waiting.line == "3 of 5 sources")
        waiting.received(source: try Self.cursor(Self.queued), at: Self.start)
        #expect(waiting.line == "3 of 5 sources · kakao.blog: rate limit, waiting 800 ms")
        waiting.received(
            source: try Self.cursor(#"{"source":"kakao.blog","status":"retrying","attempt":2}"#),
            at: Self.start
        )
        #expect(waiting.line == "3 of 5 sources · kakao.blog: retrying (attempt 2)")
    }

    @Test(arguments: [#"{"source":"kakao.blog","hits":[]}"#, #"{"source":"kakao.blog","status":"ok"}"#])
    func `a source that has answered waits no longer`(answer: String) throws {
        var waiting = WaitingSources()
        waiting.received(source: try Self.cursor(Self.queued), at: Self.start)
        waiting.received(hits: try Self.cursor(#"{"source":"itunes.app","hits":[]}"#), at: Self.start)
        #expect(waiting.line != nil)
        let params = try Self.cursor(answer)
        if params[.hits] == nil {
            waiting.received(source: params, at: Self.start)
        } else {
            waiting.received(hits: params, at: Self.start)
        }
        #expect(waiting.line == nil)
    }

    @Test func `when all have answered there is nothing to tell`() throws {
        var waiting = WaitingSources()
        waiting.received(progress: try Self.progress(0, 1), at: Self.start)
        #expect(waiting.line == "0 of 1 source")
        waiting.received(source: try Self.cursor(Self.queued), at: Self.start)
        #expect(waiting.line == "kakao.blog: rate limit, waiting 800 ms")
        waiting.received(hits: try Self.cursor(#"{"source":"kakao.blog","hits":[]}"#), at: Self.start)
        waiting.received(progress: try Self.progress(1, 1), at: Self.start)
        #expect(waiting.line == nil)
    }

    @Test func `a wait that was announced is over at its end, and who waited is not named at the next notification`()
        throws
    {
        for news in ["progress", "hits", "source"] {
            var waiting = WaitingSources()
            waiting.received(progress: try Self.progress(0, 5), at: Self.start)
            waiting.received(source: try Self.cursor(Self.queued), at: Self.start)
            func next(after wait: Duration) throws -> String? {
                let now = Self.start.advanced(by: wait)
                switch news {
                case "progress": waiting.received(progress: try Self.progress(0, 5), at: now)
                case "hits": waiting.received(hits: try Self.cursor(#"{"source":"itunes.app","hits":[]}"#), at: now)
                default:
                    waiting.received(source: try Self.cursor(#"{"source":"itunes.app","status":"ok"}"#), at: now)
                }
                return waiting.line
            }
            #expect(try next(after: .milliseconds(799)) == "0 of 5 sources · kakao.blog: rate limit, waiting 800 ms")
            #expect(try next(after: .milliseconds(800)) == "0 of 5 sources")
        }
    }

    @Test(arguments: [
        #"{"source":"a.b","status":"queued","reason":"concurrency"}"#,
        #"{"source":"a.b","status":"retrying","attempt":2}"#,
        #"{"source":"a.b","status":"queued","wait":1e300}"#,
    ])
    func `one whose end nobody has announced goes on`(waits: String) throws {
        var waiting = WaitingSources()
        waiting.received(source: try Self.cursor(waits), at: Self.start)
        waiting.received(progress: try Self.progress(0, 1), at: Self.start.advanced(by: .seconds(3600)))
        #expect(waiting.line?.hasPrefix("a.b: ") == true)
    }
}
