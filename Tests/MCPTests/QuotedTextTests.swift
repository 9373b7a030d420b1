import JSON
import Testing

@testable import MCP

@Suite struct QuotedTextTests {
    @Test func `every line of the material begins with its mark, and the lines around it do not`() {
        let quote = QuotedText(mark: 0x1a2b)
        let hits: JSONValue = [
            ["id": "a.b:1", "title": "One", "extra": ["price": 3, "genres": ["x", "y"]]],
            ["id": "a.b:2", "title": "Two", "notes": [["text": "n", "rating": 5]]],
        ]
        let lines = QuotedText.lines(["query": "q", "hits": hits, "next": nil])
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
                >   title: Two
                >   notes:
                >   - text: n
                >     rating: 5
                > next: null

                """
        )
        #expect(quote.beginning.hasSuffix("\n") && !quote.beginning.hasPrefix(">"))
        #expect(quote.beginning.contains("end of quote-00001a2b"))
        #expect(quote.end == "end of quote-00001a2b\n")
    }

    @Test func `an element of a list stands as it does in the list`() {
        let element: JSONValue = ["id": "a", "title": "One"]
        let list = QuotedText.lines(["hits": [element]])
        #expect(list == "> hits:\n" + QuotedText.lines(ofElement: element))
    }

    @Test func `an empty list and an empty object are lines, too`() {
        #expect(QuotedText.lines(["hits": [], "options": .object([])]) == "> hits: \n> options:\n")
    }
}

@Suite struct LinkTextTests {
    @Test(arguments: [
        ("https://example.org/a?b=c&d=e#f", "https://example.org/a?b=c&d=e#f"),
        ("http://example.org/고양이", "http://example.org/고양이"),
        ("HTTPS://Example.org/", "HTTPS://Example.org/"),
        ("https://a.example/x](https://b.example)", "https://a.example/x%5D%28https://b.example%29"),
        ("https://a.example/<script>", "https://a.example/%3Cscript%3E"),
        ("https://a.example/a b\nc", "https://a.example/a%20b%0Ac"),
        ("https://a.example/\u{202E}gpj", "https://a.example/%E2%80%AEgpj"),
        ("https://a.example/`x`", "https://a.example/%60x%60"),
    ])
    func `an address of the web stays, with what could end it written out`(_ address: String, _ expected: String) {
        #expect(LinkText.cleaned(address) == expected)
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://a.example/", "//a.example/",
        "a.example",
        "", " https://a.example/", "vbscript:x", "mailto:a@b.example",
    ])
    func `any other address is dropped`(_ address: String) {
        #expect(LinkText.cleaned(address) == nil)
    }

    @Test func `an address may be as long as its limit`() {
        let start = "https://a.example/"
        let fits = start + String(repeating: "a", count: LinkText.bytesMax - start.utf8.count)
        #expect(LinkText.cleaned(fits) == fits)
        #expect(LinkText.cleaned(fits + "a") == nil)
    }
}
