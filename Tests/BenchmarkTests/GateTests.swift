import JSON
import Testing

@testable import Benchmark

@Suite struct GateTests {
    private func cursor(_ text: String) throws -> JSONCursor { try JSONDocument(Array(text.utf8)).root }

    @Test func `a hostile line has the maximum length and is JSON unless raw bytes are wanted`() throws {
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

    @Test func `a hostile answer is found by its query`() {
        for index in HostileAnswer.all.indices {
            let request = Array("GET /v2/search/blog?query=\(HostileAnswer.query(index))+1 HTTP/1.1".utf8)
            #expect(HostileAnswer.requested(by: request)?.name == HostileAnswer.all[index].name)
        }
        #expect(HostileAnswer.requested(by: Array("GET / HTTP/1.1".utf8)) == nil)
    }

    @Test(arguments: [
        ("kakao", 4, 6, true), ("kakao", 4, 7, false), ("kakao", 4, 3, false), ("kakao", 11, 11, false),
        ("kakao", 10, 11, false), ("kakao", 0, 0, false), ("exa", 4, 9, true), ("exa", 4, 11, false),
        ("exa", 4, 3, false),
    ])
    func `the limits of lost units and of a ledger are exact`(
        account: String,
        spent: Int,
        used: Int,
        isGood: Bool
    ) {
        let ledger = KillGate.Ledger(account: account, kills: 2, limit: 10, spent: spent, used: used)
        #expect(ledger.verdict.passed == isGood)
    }

    @Test func `a follower knows the state of the library from answers and notices`() throws {
        var follower = LibraryFollower()
        follower.resume(try cursor(#"{"revision":1,"inserted":[{"id":"a:1"}]}"#))
        follower.receive(try cursor(#"{"revision":2,"inserted":[{"id":"a:2","tags":["x"]}]}"#))
        follower.receive(try cursor(#"{"revision":4,"updated":[{"id":"a:1","tags":["y"]}],"deleted":["a:2"]}"#))
        #expect(follower.state == ["a:1": ["y"]] && follower.revision == 4)
        follower.resume(try cursor(#"{"revision":9,"items":[{"id":"a:3","notes":[{"text":"n"}]}]}"#))
        #expect(follower.state == ["a:3": ["n"]] && follower.problems == [])
    }

    @Test(arguments: [
        #"{"revision":2,"inserted":[{"id":"a:2"}]}"#, #"{"revision":3,"inserted":[{"id":"a:1"}]}"#,
        #"{"revision":3,"updated":[{"id":"a:2"}]}"#, #"{"revision":3,"reset":true}"#,
    ])
    func `a follower reports an invalid notice`(_ notice: String) throws {
        var follower = LibraryFollower()
        follower.resume(try cursor(#"{"revision":2,"inserted":[{"id":"a:1"}]}"#))
        follower.receive(try cursor(notice))
        #expect(follower.problems.count == 1)
    }

    @Test func `changes have the expected effect on a state`() {
        var state = LibraryState()
        for change in [
            LibraryChange.save(["a:1", "a:2"], tag: "x"), .tag(["a:1"], tag: "y"), .save(["a:1"], tag: "x"),
            .note("a:2", text: "n"), .remove(["a:3"]),
        ] {
            change.apply(to: &state)
        }
        #expect(state == ["a:1": ["x", "y"], "a:2": ["x", "n"]])
    }
}
