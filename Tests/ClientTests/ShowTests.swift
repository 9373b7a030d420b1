import RPC
import TestSupport
import Testing

@testable import Client

struct ShowCommandTests {
    private let directory = TemporaryDirectory()

    private static let hits = #"""
        {"sources":[],"next":null,"complete":true,"hits":[
        {"id":"a.b:1","source":"a.b","kind":"book","title":"하나","rank":1,"extra":{"price":5}},
        {"id":"a.b:2","source":"a.b","kind":"book","title":"둘","rank":2}]}
        """#.filter { $0 != "\n" }

    private static func record(_ more: String = "", full: Bool = true, cache: String = "miss", age: String = "0.0")
        -> String
    {
        #"{"hit":{"id":"a.b:1","source":"a.b","kind":"book","title":"하나","author":"김하나","snippet":"짧다","rank":1,"#
            + #""extra":{"description":"이 책은 길다."}},"full":\#(full),"cache":"\#(cache)","age":\#(age),"saved":false\#(more),"elapsed":1.0}"#
    }

    private func daemon(_ answer: String, _ name: String = "socket") throws -> FakeDaemon {
        try FakeDaemon(at: directory.file(name), [.search: Self.hits, .lookup: answer])
    }

    private func run(_ words: [String], _ daemon: FakeDaemon) -> Run {
        Run(inTerminal: words, in: directory, socket: daemon.path)
    }

    @Test func `“show” looks up a hit by its number, and prints all details`() throws {
        let daemon = try daemon(Self.record())
        _ = run(["search", "고양이", "--plain"], daemon)
        let shown = run(["show", "1", "--plain"], daemon)
        #expect(shown.status == .found && shown.errors == "")
        #expect(
            shown.output == """
                하나
                김하나

                이 책은 길다.

                id      a.b:1
                source  a.b, its own record, just now

                """
        )
        #expect(daemon.params(of: .lookup) == [#"{"id":"a.b:1"}"#])
    }

    @Test func `all options are sent to the daemon`() throws {
        let daemon = try daemon(Self.record())
        _ = run(["show", "a.b:1", "--fresh", "--timeout", "2s", "--raw", "--private"], daemon)
        _ = run(["show", "a.b:1", "--offline"], daemon)
        _ = run(["show", "a.b:1", "--max-age", "10m"], daemon)
        #expect(
            daemon.params(of: .lookup) == [
                #"{"id":"a.b:1","maxAge":0,"timeout":2000,"raw":true,"private":true}"#,
                #"{"id":"a.b:1","offline":true}"#, #"{"id":"a.b:1","maxAge":600}"#,
            ]
        )
        let refused = run(["show", "a.b:1", "--fresh", "--offline"], daemon)
        #expect(refused.status == .usage)
        #expect(refused.errors.contains("--fresh and --offline"))
    }

    @Test func `if a lookup fails, “show” prints a hit of the last search, but no other item`() throws {
        let daemon = try daemon(FakeDaemon.failure("notFound", "a.b has no such item", code: -32010))
        _ = run(["search", "고양이", "--plain"], daemon)
        let known = run(["show", "1", "--plain"], daemon)
        #expect(known.status == .found)
        #expect(known.output.hasSuffix("source  a.b, from the search\n"))
        #expect(known.errors.contains("a.b has no such item"))
        let unknown = run(["show", "a.b:3"], daemon)
        #expect(unknown.status == .nothingFound && unknown.output == "")
        #expect(unknown.errors.contains("a.b has no such item"))
        let both = run(["show", "1", "a.b:3", "--field", "title", "-q"], daemon)
        #expect(both.status == .nothingFound && both.output == "하나\n")
        #expect(both.errors.contains("a.b has no such item"))
    }

    @Test func `without an earlier search, “show” accepts a complete id, but no number or prefix`() throws {
        let daemon = try daemon(Self.record())
        #expect(run(["show", "a.b:1", "--field", "author"], daemon).output == "김하나\n")
        for word in ["1", "x", "a:1", "a.b:", "A.b:1", "a.b"] {
            let nothing = run(["show", word], daemon)
            #expect(nothing.status == .nothingFound)
            #expect(nothing.errors.contains("nothing was searched here yet"), "\(word)")
        }
        #expect(daemon.params(of: .lookup).count == 1)
        _ = run(["search", "고양이", "--plain"], daemon)
        let ambiguous = run(["show", "a.b:"], daemon)
        #expect(ambiguous.status == .usage && ambiguous.errors.contains("is a prefix of the ids of 2 hits"))
    }

    @Test func `with --raw, JSON and plain text contain the source's document`() throws {
        let hit = #"{"id":"a.b:1","source":"a.b","kind":"book","title":"하나","rank":1,"raw":{"k":[1]}}"#
        let daemon = try daemon(#"{"hit":\#(hit),"full":true,"cache":"hit","age":1,"saved":true,"elapsed":1}"#)
        #expect(run(["show", "a.b:1", "--raw"], daemon).output == hit + "\n")
        let text = run(["show", "a.b:1", "--raw", "--plain"], daemon).output
        #expect(text.hasSuffix("source  a.b, its own record, 1 s ago\n{\"k\":[1]}\n"))
        #expect(text.contains("saved   in your library\n"))
    }

    @Test func `a saved item shows when it was saved, with tags, notes and changes`() throws {
        let item =
            #"{"id":"a.b:1","source":"a.b","kind":"book","title":"하나","savedAt":"2026-11-01T10:00:00Z","#
            + #""updatedAt":"2026-11-02T10:00:00Z","tags":["여름"],"notes":[{"id":"1","title":"제목","text":"첫 줄\n둘째","#
            + #""rating":4,"at":"2026-11-01T10:00:00Z"},{"id":"3","rating":1,"at":"2026-11-01T10:00:00Z"}],"#
            + #""changes":[{"at":"2026-11-02T10:00:00Z","field":"price","from":5,"to":4}]}"#
        let record = Self.record().replacing(#""saved":false"#, with: #""saved":true"#)
        let daemon = try FakeDaemon(
            at: directory.file("socket"),
            [.lookup: record, .libraryGet: #"{"item":\#(item),"revision":1}"#]
        )
        let shown = run(["show", "a.b:1", "--plain"], daemon)
        #expect(
            shown.output == """
                하나
                김하나

                이 책은 길다.

                saved    2026-11-01 19:00
                tags     #여름
                rating   ★☆☆☆☆
                note 1   ★★★★☆ 제목: 첫 줄
                         둘째
                changed  price 5 → 4, 2026-11-02 19:00
                id       a.b:1
                source   a.b, its own record, just now

                """
        )
        let json = run(["show", "a.b:1"], daemon).output
        #expect(json.hasPrefix(#"{"id":"a.b:1","source":"a.b","kind":"book","title":"하나","author":"김하나""#))
        let additions = try #require(item.firstRange(of: #""savedAt""#)).lowerBound
        #expect(json.hasSuffix(item[additions...] + "\n"))
    }

    @Test func `a saved item is shown even if its source no longer exists`() throws {
        let item = #"{"id":"gone.web:1","source":"gone.web","kind":"web","title":"T","savedAt":"2026-11-01T10:00:00Z"}"#
        let daemon = try FakeDaemon(
            at: directory.file("socket"),
            [
                .lookup: FakeDaemon.failure("unknownSource", "there is no source gone.web", code: -32001),
                .libraryGet: #"{"item":\#(item),"revision":1}"#,
            ]
        )
        let shown = run(["show", "gone.web:1", "--plain"], daemon)
        #expect(shown.status == .found && shown.errors == "")
        #expect(
            shown.output.hasSuffix("saved   2026-11-01 19:00\nid      gone.web:1\nsource  gone.web, as it was saved\n")
        )
        #expect(run(["show", "gone.web:1"], daemon).output == item + "\n")
    }
}
