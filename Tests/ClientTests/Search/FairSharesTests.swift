import JSON
import Testing

@testable import Client

struct FairSharesTests {
    private func json(_ text: String) throws -> JSONCursor {
        try JSONDocument(Array(text.utf8)).root
    }

    private func hit(_ source: String, _ number: Int, alsoFrom: String = "") throws -> JSONCursor {
        let others = alsoFrom.isEmpty ? "" : #","alsoFrom":["\#(alsoFrom)"]"#
        return try json(#"{"id":"\#(source):\#(number)","source":"\#(source)"\#(others)}"#)
    }

    private func asked(_ count: Int) throws -> JSONCursor {
        try json(#"{"answered":0,"asked":\#(count)}"#)
    }

    /// How many hits of one source are printed at once of a page of so many lines.
    private func printedAtOnce(lines: Int, asked count: Int) throws -> Int {
        var shares = FairShares()
        shares.begin(lines: lines)
        shares.received(progress: try asked(count))
        for number in 0..<lines {
            let hit = try hit("a.b", number)
            guard shares.mayPrintNow(hit) else { return number }
            shares.printed(hit)
        }
        return lines
    }

    @Test(arguments: [(10, 1, 10), (10, 2, 5), (10, 3, 3), (10, 10, 1), (10, 11, 1), (1, 1, 1)])
    func `each source has an equal part of the lines, and one at least`(lines: Int, asked: Int, part: Int) throws {
        #expect(try printedAtOnce(lines: lines, asked: asked) == part)
    }

    @Test func `before it is known how many sources there are, everything waits`() throws {
        var shares = FairShares()
        shares.begin(lines: 10)
        #expect(!shares.mayPrintNow(try hit("a.b", 1)))
        shares.received(progress: try json(#"{"answered":0}"#))
        #expect(!shares.mayPrintNow(try hit("a.b", 1)))
        shares.received(progress: try asked(2))
        #expect(shares.mayPrintNow(try hit("a.b", 1)))
        // The next page has its own parts.
        shares.begin(lines: 10)
        #expect(!shares.mayPrintNow(try hit("a.b", 2)))
    }

    @Test func `what may be on a line already waits for the final answer`() throws {
        var shares = FairShares()
        shares.begin(lines: 10)
        shares.received(progress: try asked(2))
        #expect(shares.mayPrintNow(try hit("c.d", 1, alsoFrom: "a.b")))
        shares.printed(try hit("a.b", 1))
        #expect(!shares.mayPrintNow(try hit("a.b", 1)))
        #expect(!shares.mayPrintNow(try hit("c.d", 1, alsoFrom: "a.b")))
        #expect(shares.mayPrintNow(try hit("c.d", 2)))
        #expect(shares.isPrinted(try hit("c.d", 1), sameAs: ["c.d:1": ["x.y:4", "a.b:1"]]))
        #expect(!shares.isPrinted(try hit("c.d", 2), sameAs: ["c.d:1": ["a.b:1"]]))
        // Still so on the next page.
        shares.begin(lines: 10)
        shares.received(progress: try asked(2))
        #expect(!shares.mayPrintNow(try hit("c.d", 1, alsoFrom: "a.b")))
        #expect(shares.isPrinted(try hit("a.b", 1)))
    }
}
