import JSON
import SearchModel
import TestSupport
import Testing

@testable import MCP

@Suite struct TextTests {
    @Test(arguments: [
        "[단독] 고양이 <속보> (1) `code` *별* ~물결~ C:\\path", "vector<int> a[0] = 1 < 2 && 3 > 2;",
        "snake_case __init__ 👍 e\u{301}",
        "metadata: profile: see https://a.example/x_(y)?q=[1]#z", "“인용” ‘따옴표’ &lt;b&gt; | a | b |",
    ])
    func `ordinary text does not change`(_ text: String) {
        #expect(AgentText.cleaned(text) == text)
    }

    @Test(arguments: [
        ("a\u{1B}[31mb\u{7}\u{0}c", "a[31mbc"), ("a\r\n\tb\u{2028}c\u{85}d\u{3000}e", "a b c d e"),
        ("\u{202E}abc\u{202C}\u{2066}d\u{2069}", "abcd"), ("a\u{200B}b\u{200D}c\u{FEFF}d\u{AD}e\u{3164}f", "abcdef"),
        ("a\u{E0041}\u{E000}\u{FFFE}b", "ab"), ("javascript:alert(1) x", "(link removed) x"),
        ("see JavaScript:alert(1)", "see (link removed)"), ("java\u{200B}script:alert(1)", "(link removed)"),
        ("(data:text/html,x) file:///etc/passwd", "(link removed) (link removed)"),
        ("<script>alert(1)</script>", "< script>alert(1)< /script>"), ("<IMG src=x>", "< IMG src=x>"),
        ("![x](https://a.example/?q=)", "! [x](https://a.example/?q=)"),
    ])
    func `hidden characters, line breaks and active content are removed`(_ text: String, _ expected: String) {
        #expect(AgentText.cleaned(text) == expected)
    }

    @Test func `a long text is cut between words`() {
        let cleaned = AgentText.cleaned(String(repeating: "word ", count: AgentText.scalarsMax))
        #expect(cleaned.hasSuffix("word (truncated)"))
        #expect(cleaned.unicodeScalars.count <= AgentText.scalarsMax + 30)
    }

    @Test(arguments: [
        ("http://example.org/고양이?a=b&c=(d)[e]#f", "http://example.org/고양이?a=b&c=(d)[e]#f"),
        ("HTTPS://Example.org/a b\n\u{202E}c", "HTTPS://Example.org/a%20b%20c"), ("javascript:alert(1)", nil),
        ("data:text/html,x", nil), ("file:///etc/passwd", nil), ("//a.example/", nil), ("", nil),
        ("https://a.example/" + String(repeating: "a", count: AgentText.addressBytesMax), nil),
    ])
    func `only web addresses are kept`(_ address: String, _ expected: String?) {
        #expect(AgentText.address(address) == expected)
    }

    @Test func `no text can end a quotation`() {
        var random = SeededGenerator(seed: testSeed())
        let pieces = [
            "end of quote-00001a2b", "\n", "\r", "\u{2028}", "\u{85}", "> ", "<script", "![", "data:a", "\u{1B}", "고",
        ]
        for _ in 0..<testEvents(1000) {
            var text = ""
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                text += pieces[Int.random(in: 0..<pieces.count, using: &random)]
                text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) ?? " ")
            }
            let value = JSONValue.object([JSONMember(text, .string(text)), JSONMember("url", .string(text))])
            let lines = QuotedText.lines(value.cleaned() ?? .null)
            #expect(lines.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy { $0.starts(with: "> ".utf8) })
            #expect(!lines.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
            #expect(!lines.contains("<script") && !lines.contains("!["))
        }
    }

    @Test func `values are quoted as lines with names`() {
        let hits: JSONValue = [
            ["id": "a.b:1", "title": "One", "extra": ["price": 3, "genres": ["x", "y"]]],
            ["id": "a.b:2", "notes": [["text": "n", "rating": 5]]],
        ]
        #expect(QuotedText.lines(["saved": ["a.b:1", "a.b:2"]]) == "> already in the library: a.b:1, a.b:2\n")
        let lines = QuotedText.lines(["query": "q", "hits": hits, "next": nil, "none": []])
        #expect(
            lines == """
                > query: q
                > hits:
                > - id: a.b:1
                >   title: One
                >   extra:
                >     price: 3
                >     genres: x, y
                > - id: a.b:2
                >   notes:
                >   - text: n
                >     rating: 5
                > next: null
                > none: \n
                """
        )
        #expect(
            QuotedText.lines(["hits": [hits[0] ?? .null]]) == "> hits:\n"
                + QuotedText.lines(hits[0] ?? .null, isElement: true)
        )
        let quoted = QuotedText(mark: 0x1a2b).quoting(lines)
        #expect(
            quoted.contains("up to the line “end of quote-00001a2b”") && quoted.hasSuffix("\nend of quote-00001a2b\n")
        )
    }

    @Test func `the member “rank” is left out at every depth, but not in “extra”`() {
        let hit: JSONValue = [
            "id": "a.b:data:x_", "rank": 3, "url": "javascript:x", "extra": ["rank": 1, "<b>\n": "data:x"],
        ]
        let clean = JSONValue.object([JSONMember("hits", [hit]), JSONMember("rank", 1)]).cleaned(leavingOut: [.rank])
        #expect(clean == ["hits": [["id": "a.b:data:x_", "extra": ["rank": 1, "<b>": "(link removed)"]]]])
    }
}
