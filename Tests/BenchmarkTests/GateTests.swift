import JSON
import Testing

@testable import Benchmark

@Suite struct GateTests {
    private func cursor(_ text: String) throws -> JSONCursor { try JSONDocument(Array(text.utf8)).root }

    @Test func `hostile lines have nearly the maximum length, and all except raw bytes are JSON`() throws {
        for (name, template) in LineGate.positions {
            for text in HostileText.all {
                let line = LineGate.line(template, text, bytesMax: 16 * 1024)
                #expect(line.count <= 16 * 1024 && line.count > 15 * 1024, "\(name), \(text.name)")
                #expect(!line.contains(UInt8(ascii: "\n")))
            }
            guard name != "raw bytes" else { continue }
            let line = LineGate.line(template, HostileText.all[0], bytesMax: 4 * 1024)
            #expect([JSONKind.object, .array].contains(try JSONDocument(line).root.kind))
        }
    }

    @Test func `the query of a request selects the hostile answer`() {
        for index in HostileAnswer.all.indices {
            let request = Array("GET /v2/search/blog?query=\(HostileAnswer.query(index))+1 HTTP/1.1".utf8)
            #expect(HostileAnswer.requested(by: request)?.name == HostileAnswer.all[index].name)
        }
        #expect(HostileAnswer.requested(by: Array("GET / HTTP/1.1".utf8)) == nil)
    }

    @Test func `KillGate fails at one lost unit too many, and at one call too many`() {
        let lost = KillGate.lostPerKillMax
        func verdicts(ampleUsed: Int, tightCalls: Int) -> [Bool] {
            let ample = KillGate.Series(kills: 2, calls: 4, used: ampleUsed)
            return KillGate.verdicts(ample, .init(kills: 3, calls: tightCalls, used: 30), limit: 30).map(\.passed)
        }
        #expect(verdicts(ampleUsed: 4 + 2 * lost, tightCalls: 30) == [true, true])
        #expect(verdicts(ampleUsed: 5 + 2 * lost, tightCalls: 31) == [false, false])
        #expect(verdicts(ampleUsed: 3, tightCalls: 30) == [false, true])
    }

    @Test func `LibraryFollower computes the state of the library from answers and notices`() throws {
        var follower = LibraryFollower()
        follower.resume(try cursor(#"{"revision":1,"inserted":[{"id":"a:1"}]}"#))
        follower.receive(try cursor(#"{"revision":2,"inserted":[{"id":"a:2","tags":["x"]}]}"#))
        follower.receive(try cursor(#"{"revision":4,"updated":[{"id":"a:1","tags":["y"]}],"deleted":["a:2"]}"#))
        #expect(follower.state.items == ["a:1": LibraryState.Item(tags: ["y"])] && follower.revision == 4)
        follower.resume(try cursor(#"{"revision":9,"items":[{"id":"a:3","notes":[{"text":"n"}]}]}"#))
        #expect(follower.state.items == ["a:3": LibraryState.Item(notes: ["n"])] && follower.problems == [])
    }

    @Test(arguments: [
        #"{"revision":2,"inserted":[{"id":"a:2"}]}"#, #"{"revision":3,"inserted":[{"id":"a:1"}]}"#,
        #"{"revision":3,"updated":[{"id":"a:2"}]}"#, #"{"revision":3,"reset":true}"#,
    ])
    func `LibraryFollower reports an invalid notice`(_ notice: String) throws {
        var follower = LibraryFollower()
        follower.resume(try cursor(#"{"revision":2,"inserted":[{"id":"a:1"}]}"#))
        follower.receive(try cursor(notice))
        #expect(follower.problems.count == 1)
    }

    @Test func `LibraryState applies saves, tags, notes and removals to its items`() {
        var state = LibraryState()
        for change in [
            LibraryChange.save(["a:1", "a:2"], tag: "x"), .tag(["a:1"], tag: "y"), .save(["a:1"], tag: "x"),
            .note("a:2", text: "n"), .remove(["a:3"]),
        ] {
            state.apply(change)
        }
        #expect(state.items["a:1"] == LibraryState.Item(tags: ["x", "y"]))
        #expect(state.items["a:2"] == LibraryState.Item(tags: ["x"], notes: ["n"]) && state.items.count == 2)
    }
}
