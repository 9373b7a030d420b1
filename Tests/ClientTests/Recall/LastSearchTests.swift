import JSON
import SearchModel
import Testing

@testable import Client

struct LastSearchTests {
    private func hits(_ count: Int, title: String = "t") throws -> [JSONCursor] {
        try (0..<count).map { number in
            let hit: JSONValue = ["id": .string("a.b:\(number)"), "title": .string(title)]
            return try JSONDocument(hit.bytes).root
        }
    }

    @Test func `what is written is read again`() throws {
        let search = LastSearch(
            session: "12-345",
            words: ["-s", "a.b", "--", "고양이"],
            firstNumber: 11,
            hits: try hits(3)
        )
        let read = try #require(LastSearch(search.text))
        #expect(read.session == "12-345")
        #expect(read.words == search.words)
        #expect(read.firstNumber == 11)
        #expect(read.hits.map { $0[.id]?.string } == ["a.b:0", "a.b:1", "a.b:2"])
    }

    @Test(arguments: ["", "{}", "nonsense", #"{"version":2,"firstNumber":1,"words":[]}"#, "{\"version\":1}\n{"])
    func `what is not its own text is nothing`(text: String) {
        #expect(LastSearch(Array(text.utf8)) == nil)
    }

    @Test func `a hit is found by its number and by its id, and by nothing else`() throws {
        let search = LastSearch(words: [], firstNumber: 11, hits: try hits(3))
        #expect(try search.hit("11")[.id]?.string == "a.b:0")
        #expect(try search.hit("13")[.id]?.string == "a.b:2")
        #expect(try search.hit("a.b:1")[.id]?.string == "a.b:1")
        for word in ["10", "14", "0", "-1", "a.b:3", "99999999999999999999"] {
            #expect(throws: ClientError.self) { try search.hit(word) }
        }
    }

    @Test func `no more is kept than its limits allow`() throws {
        #expect(LastSearch(words: [], firstNumber: 1, hits: try hits(LastSearch.hitsMax)).hits.count == 1000)
        #expect(LastSearch(words: [], firstNumber: 1, hits: try hits(LastSearch.hitsMax + 1)).hits.count == 1000)
        let large = try hits(20, title: String(repeating: "x", count: 1 << 19))
        let text = LastSearch(words: [], firstNumber: 1, hits: large).text
        #expect(text.count <= LastSearch.bytesMax)
        #expect(LastSearch(text)?.hits.count == 15)
    }
}
