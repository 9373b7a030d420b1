import JSON
import Testing

@testable import Benchmark

/// How the gate of killed libraries judges.
@Suite struct HostileLibraryTests {
    private static func cursor(_ text: String) throws -> JSONCursor { try JSONDocument(Array(text.utf8)).root }

    private static func item(_ id: String, tags: String = "") -> String { #"{"id":"\#(id)","tags":[\#(tags)]}"# }

    private static func notice(
        _ revision: Int,
        inserted: String = "",
        updated: String = "",
        deleted: String = ""
    ) throws -> JSONCursor {
        try cursor(
            #"{"revision":\#(revision),"inserted":[\#(inserted)],"updated":[\#(updated)],"deleted":[\#(deleted)]}"#
        )
    }

    @Test func `a follower knows the library from what it is told`() throws {
        var follower = LibraryFollower()
        follower.began(try Self.notice(1, inserted: Self.item("a:1")))
        follower.told(try Self.notice(2, inserted: Self.item("a:2", tags: #""x""#)))
        follower.told(try Self.notice(4, updated: Self.item("a:1", tags: #""y""#), deleted: #""a:2""#))
        #expect(follower.items == ["a:1": LibraryItem(tags: ["y"])] && follower.revision == 4)
        follower.began(try Self.cursor(#"{"revision":9,"items":[\#(Self.item("a:3"))]}"#))
        #expect(follower.items == ["a:3": LibraryItem()] && follower.problems == [] && follower.changes == 2)
    }

    @Test func `what a follower must not see is a problem`() throws {
        for wrong in [
            try Self.notice(2, inserted: Self.item("a:2")), try Self.notice(3, inserted: Self.item("a:1")),
            try Self.notice(3, updated: Self.item("a:2")), try Self.cursor(#"{"revision":3,"reset":true}"#),
        ] {
            var follower = LibraryFollower()
            follower.began(try Self.notice(2, inserted: Self.item("a:1")))
            follower.told(wrong)
            #expect(follower.problems.count == 1)
        }
        var follower = LibraryFollower()
        follower.began(try Self.notice(2))
        follower.began(try Self.notice(1))
        #expect(follower.problems.count == 1)
    }

    @Test func `changes make of the items what the daemon should`() {
        var items = LibraryItems().after(.save(["a:1", "a:2"], tag: "x")).after(.tag(["a:1"], tag: "y"))
        items = items.after(.save(["a:1"], tag: "x")).after(.note("a:2", text: "n")).after(.remove(["a:3"]))
        #expect(items == ["a:1": LibraryItem(tags: ["x", "y"]), "a:2": LibraryItem(tags: ["x"], notes: ["n"])])
        var numbers = SeededNumbers(seed: 7)
        for number in 0..<1000 {
            let change = LibraryChange.random(of: 3, number, among: items, &numbers)
            switch change {
            case .note(let id, _): #expect(items[id] != nil)
            case .tag(let ids, _), .remove(let ids): #expect(ids.allSatisfy { items[$0] != nil } && !ids.isEmpty)
            case .save(let ids, _): #expect(ids.allSatisfy { LibraryChange.client(of: $0) == 3 })
            }
            items = items.after(change)
        }
    }

    @Test func `a loss, and a problem of a follower, fail the gate`() {
        var series = LibraryGate.Series(seed: 1)
        (series.kills, series.answered, series.open) = (1, 1, 1)
        #expect(LibraryGate.verdicts(series).map(\.passed) == [true, true])
        series.losses = ["x"]
        #expect(LibraryGate.verdicts(series).map(\.passed) == [false, true])
        series = LibraryGate.Series(seed: 1)
        #expect(LibraryGate.verdicts(series).map(\.passed) == [false, true])
    }
}
