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

    @Test func `a page that goes on where the one before ended is joined with it, up to the limit`() throws {
        let first = LastSearch(words: ["q"], firstNumber: 1, hits: try hits(10))
        let second = LastSearch(session: "s", words: ["--page", "2", "q"], firstNumber: 11, hits: try hits(5))
        let both = second.continuing(first)
        #expect(both.firstNumber == 1 && both.hits.count == 15 && both.words == second.words && both.session == "s")
        let later = LastSearch(words: ["q"], firstNumber: 21, hits: try hits(5))
        #expect(later.continuing(first).firstNumber == 21)
        let full = LastSearch(words: ["q"], firstNumber: 1, hits: try hits(LastSearch.hitsMax))
        let next = LastSearch(words: ["q"], firstNumber: LastSearch.hitsMax + 1, hits: try hits(1))
        #expect(next.continuing(full).hits.count == 1)
    }

    private func ids(_ words: String..., elsewhere: LastSearch? = nil) throws -> [String?] {
        let search = LastSearch(words: [], firstNumber: 11, hits: try hits(13))
        return try HitSelection(LastSearches(here: search, elsewhere: elsewhere)).hits(words).map {
            $0.hit[.id]?.string
        }
    }

    @Test func `a hit is found by its number, in a range, by its id and by a beginning of it`() throws {
        #expect(try ids("11") == ["a.b:0"])
        #expect(try ids("23") == ["a.b:12"])
        #expect(try ids("13-15", "11") == ["a.b:2", "a.b:3", "a.b:4", "a.b:0"])
        #expect(try ids("12-12") == ["a.b:1"])
        // One id begins another.
        #expect(try ids("a.b:1") == ["a.b:1"])
        #expect(try ids("a.b:12") == ["a.b:12"])
    }

    @Test(arguments: ["10", "24", "0", "-1", "1-", "15-13", "11-24", "a.b", "a.b:13", "99999999999999999999", ""])
    func `what means no hit, or more than one, is refused`(word: String) {
        #expect(throws: ClientError.self) { try ids(word) }
    }

    @Test func `numbers are those of the search here, ids of any`() throws {
        let other = LastSearch(
            words: [],
            firstNumber: 1,
            hits: [try JSONDocument(Array(#"{"id":"c.d:x"}"#.utf8)).root]
        )
        #expect(try ids("c.d:x", "c.", elsewhere: other) == ["c.d:x", "c.d:x"])
        #expect(throws: ClientError.self) { try ids("1", elsewhere: other) }
        #expect(throws: ClientError.self) { try HitSelection(LastSearches()).hits(["1"]) }
        #expect(throws: ClientError.self) { try HitSelection(LastSearches()).hits(["a.b:1"]) }
    }

    @Test func `of a list without hits no number can be given, so that none is asked for`() {
        let empty = HitSelection(LastSearches(here: LastSearch(words: [], firstNumber: 1, hits: [])))
        let error = #expect(throws: ClientError.self) { try empty.hits(["1"]) }
        #expect(error?.hint == "Search again.")
    }

    @Test func `no more hits are chosen at once than the limit`() throws {
        let many = LastSearch(words: [], firstNumber: 1, hits: try hits(30))
        #expect(try HitSelection(LastSearches(here: many)).hits(["1-20"]).count == HitSelection.shownMax)
        #expect(try HitSelection(LastSearches(here: many), hitsMax: 30).hits(["1-30"]).count == 30)
        #expect(throws: ClientError.self) { try HitSelection(LastSearches(here: many)).hits(["1-21"]) }
        for word in ["9223372036854775807", "0-9223372036854775807"] {
            #expect(throws: ClientError.self) { try HitSelection(LastSearches(here: many)).hits([word]) }
        }
        #expect(throws: ClientError.self) { try HitSelection(LastSearches(here: many)).hits(["1-20", "1"]) }
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
