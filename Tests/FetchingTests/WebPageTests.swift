import EventLoop
import Testing

@testable import Fetching

@Suite struct RobotsRulesTests {
    private static let file = """
        User-agent: other
        Disallow: /

        User-agent: *   # everyone
        Disallow: /private
        Allow: /private/open
        Disallow: /*.pdf$
        Disallow: /search?q=*&page
        Crawl-delay: 10
        """

    @Test(
        arguments: [
            ("/", true), ("/private", false), ("/private/x", false), ("/private/open/x", true), ("/Private", true),
            ("/a/b.pdf", false), ("/a/b.pdf?x", true), ("/search?q=x", true), ("/search?q=x&page=2", false),
        ]
    )
    func `in robots.txt, the longest matching rule decides`(path: String, isAllowed: Bool) {
        #expect(RobotsRules(Array(Self.file.utf8)).allows(path) == isAllowed)
    }

    @Test func `in robots.txt, rules for this program replace the rules for all programs`() {
        let rules = RobotsRules(Array("\(Self.file)\nUser-Agent: a\nUser-Agent: SearchD\nDisallow: /secret\n".utf8))
        #expect(rules.allows("/private") && !rules.allows("/secret/x"))
    }

    @Test(arguments: ["", "<html>Not found</html>", "Disallow: /", "User-agent: *\nDisallow:", "\u{0}\u{1}:::\r\r\n"])
    func `a robots.txt without rules allows everything`(text: String) {
        #expect(RobotsRules(Array(text.utf8)).allows("/x"))
    }

    @Test func `if two rules of robots.txt have the same length, “Allow” decides`() {
        #expect(RobotsRules(Array("User-agent: *\nAllow: /page\nDisallow: /page".utf8)).allows("/page"))
    }

    @Test func `a dollar sign at the end counts in the length of a robots.txt rule`() {
        let rules = RobotsRules(Array("User-agent: *\nAllow: /$\nDisallow: /".utf8))
        #expect(rules.allows("/"))
        #expect(!rules.allows("/page"))
    }

    @Test func `a pattern with many stars takes little time`() {
        let pattern = String(repeating: "*a", count: 100)
        let rules = RobotsRules(Array("User-agent: *\nDisallow: /\(pattern)b".utf8))
        #expect(rules.allows("/" + String(repeating: "a", count: 4000)))
    }
}

@Suite struct HostTurnsTests {
    private let start = Instant(nanoseconds: 0)

    private func after(_ seconds: Double) -> Instant { start.advanced(by: .seconds(seconds)) }

    @Test func `a host gets one request per second, and requests to other hosts do not wait`() {
        var turns = HostTurns()
        #expect(turns.take("a", at: start, before: after(9)) == start)
        #expect(turns.take("a", at: start, before: after(9)) == after(1))
        #expect(turns.take("b", at: start, before: after(9)) == start)
        #expect(turns.take("a", at: after(1.5), before: after(9)) == after(2))
        #expect(turns.take("a", at: after(7), before: after(9)) == after(7))
    }

    @Test func `if a request was sent late, the next request is sent at least a second later`() {
        var turns = HostTurns()
        #expect(turns.send("a", at: after(5.5)) == after(5.5))
        #expect(turns.send("a", at: after(6)) == after(6.5))
        #expect(turns.send("b", at: after(6)) == after(6))
    }

    @Test func `if a host's next free time is after the deadline, the request is refused`() {
        var turns = HostTurns()
        _ = turns.take("a", at: start, before: after(9))
        #expect(turns.take("a", at: start, before: after(0.5)) == nil)
        #expect(turns.take("a", at: start, before: after(2)) == after(1))
    }

    @Test func `the number of hosts is limited, and hosts without a waiting request are removed`() {
        var turns = HostTurns()
        for number in 0..<HostTurns.hostsMax { _ = turns.take("\(number)", at: start, before: after(9)) }
        #expect(turns.take("one more", at: start, before: after(9)) == nil)
        #expect(turns.take("one more", at: after(1), before: after(9)) == after(1))
    }
}

@Suite struct WebPageTypeTests {
    @Test(
        arguments: [
            (nil, WebPageType.html, nil), ("text/html", .html, nil), ("Text/HTML; Charset=\"EUC-KR\"", .html, "euc-kr"),
            ("application/xhtml+xml;charset=utf-8", .html, "utf-8"), ("text/plain ; charset=", .plain, nil),
            ("image/png", nil, nil), ("application/json", nil, nil), ("text/html;charset=a\u{7}b c", .html, "abc"),
        ] as [(String?, WebPageType?, String?)]
    )
    func `the type and the charset come from the Content-Type`(
        field: String?,
        type: WebPageType?,
        charset: String?
    ) {
        #expect(WebPageType(field: field) == type)
        #expect(WebPageType.charset(inField: field) == charset)
    }
}
