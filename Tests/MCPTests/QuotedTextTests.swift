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
