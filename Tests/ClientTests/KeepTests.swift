import EventLoop
import Glibc
import JSON
import RPC
import TestSupport
import Testing

@testable import Client

struct KeepCommandsTests {
    private let directory = TemporaryDirectory()

    private static let hits = #"""
        {"sources":[],"next":null,"complete":true,"saved":["a.b:1"],"hits":[
        {"id":"a.b:1","source":"a.b","kind":"book","title":"하나","rank":1,"marks":{"title":[[0,1]]},"raw":{"k":1}},
        {"id":"a.b:2","source":"a.b","kind":"book","title":"둘","rank":2}]}
        """#.filter { $0 != "\n" }
    private static let item =
        #"{"id":"a.b:1","source":"a.b","kind":"book","title":"It's 하나","savedAt":"2026-11-01T10:00:00Z","#
        + #""updatedAt":"2026-11-01T10:00:00Z","tags":["여름"],"notes":[{"id":"1","text":"좋다","rating":4,"#
        + #""at":"2026-11-01T10:00:00Z"}]}"#

    private func daemon(_ answers: [MethodName: String]) throws -> FakeDaemon {
        var answers = answers
        answers[.search] = Self.hits
        return try FakeDaemon(at: directory.file("socket"), answers)
    }

    private func run(_ daemon: FakeDaemon, _ words: String...) -> Run {
        Run(inTerminal: words, in: directory, socket: daemon.path)
    }

    @Test func `“searchctl save” accepts the number of a hit and the id of another item`()
        throws
    {
        let daemon = try daemon([.librarySave: #"{"items":[\#(Self.item)],"added":1,"revision":3}"#])
        _ = run(daemon, "search", "고양이", "--plain")
        let saved = run(daemon, "save", "--plain", "1", "c.d:9", "--tag", "여름", "--tag", "책", "--note", "좋다")
        #expect(saved.status == .found)
        #expect(saved.output == "saved “It's 하나” (a.b:1)\n1 of 2 had already been saved\n")
        #expect(
            daemon.params(of: .librarySave) == [
                #"{"items":[{"id":"a.b:1","source":"a.b","kind":"book","title":"하나"},"c.d:9"],"#
                    + #""tags":["여름","책"],"note":{"text":"좋다"}}"#
            ]
        )
    }

    @Test func `up to a thousand hits are saved at once, in requests within the line limit`() throws {
        let hits = (1...1000).map { number in
            #"{"id":"a.b:\#(number)","source":"a.b","kind":"book","title":"\#(String(repeating: "하", count: 500))"}"#
        }
        let daemon = try FakeDaemon(
            at: directory.file("socket"),
            [
                .search: #"{"sources":[],"next":null,"complete":true,"hits":[\#(hits.joined(separator: ","))]}"#,
                .librarySave: #"{"items":[],"added":400,"revision":3}"#,
                .libraryTag: #"{"items":[\#(Self.item)],"revision":4}"#,
            ]
        )
        _ = run(daemon, "search", "고양이", "-n", "1000", "--plain")
        let saved = run(daemon, "save", "1-1000", "--plain")
        #expect(saved.status == .found && saved.output == "200 of 1,000 had already been saved\n")
        let requests = daemon.params(of: .librarySave)
        #expect(requests.count == 2 && requests.allSatisfy { $0.utf8.count <= ItemBatch.bytesMax + 4096 })
        #expect(run(daemon, "tag", "1-1000", "책").status == .found)
        #expect(run(daemon, "save", "1-1000", "1").errors.contains("too many hits at once. Give at most 1,000 hits."))
        #expect(run(daemon, "show", "1-21").errors.contains("too many hits at once. Give at most 20 hits."))
        #expect(run(daemon, "read", "1-2").errors.contains("too many hits at once. Give at most 1 hit."))
        let text = String(repeating: "x", count: ItemBatch.bytesMax)
        let hit = #"{"id":"a.b:1","source":"a.b","kind":"book","title":"하나","extra":{"text":"\#(text)"}}"#
        let large = try FakeDaemon(
            at: directory.file("large"),
            [.search: #"{"sources":[],"next":null,"complete":true,"hits":[\#(hit)]}"#]
        )
        _ = run(large, "search", "고양이", "--plain")
        #expect(run(large, "save", "1").errors.contains("a.b:1 is too large to be saved"))
        #expect(large.params(of: .librarySave).isEmpty)
    }

    @Test func `“searchctl unsave” keeps removed items in a file, and prints the command that restores them`() throws {
        let daemon = try daemon([
            .libraryGet: #"{"item":\#(Self.item),"revision":3}"#,
            .libraryRemove: #"{"removed":1,"items":[\#(Self.item)],"revision":4}"#,
        ])
        let removed = run(daemon, "unsave", "--plain", "a.b:1")
        #expect(removed.status == .found)
        #expect(removed.output == "removed “It's 하나” (a.b:1)\nTo undo this, run: searchctl unsave --undo\n")
        #expect(directory.contents(of: "searchctl/unsaved.ndjson") == Self.item + "\n")
        #expect(daemon.params(of: .libraryRemove) == [#"{"ids":["a.b:1"]}"#])
        #expect(run(daemon, "unsave", "a.b:1").output == Self.item + "\n")
    }

    @Test func `“unsave --undo” restores the items removed last, and can be repeated after an error`() throws {
        let daemon = try daemon([
            .libraryGet: #"{"item":\#(Self.item),"revision":3}"#,
            .libraryRemove: #"{"removed":1,"items":[\#(Self.item)],"revision":4}"#,
        ])
        _ = run(daemon, "unsave", "a.b:1")
        #expect(run(daemon, "unsave", "--undo").status == .usage)
        let other = try FakeDaemon(
            at: directory.file("other"),
            [.librarySave: #"{"added":1,"items":[\#(Self.item)],"revision":5}"#]
        )
        #expect(run(other, "unsave", "--undo", "--plain").output == "1 item restored\n")
        #expect(other.params(of: .librarySave) == [#"{"items":[\#(Self.item)]}"#])
        // The daemon refuses the request with both items, and then a request with one item.
        _ = run(daemon, "unsave", "a.b:1")
        let unsaved = directory.contents(of: "searchctl/unsaved.ndjson") ?? ""
        directory.write(unsaved + unsaved, to: "searchctl/unsaved.ndjson")
        let refusal = FakeDaemon.failure("invalidParams", "x", code: -32602)
        let partial = try FakeDaemon(
            at: directory.file("partial"),
            [.librarySave: refusal, .libraryTag: refusal, .libraryNote: #"{"added":1,"items":[],"revision":5}"#]
        ) { method, answers in
            guard method == .librarySave else { return }
            (answers[.librarySave], answers[.libraryTag]) = (answers[.libraryTag], answers[.libraryNote])
        }
        #expect(run(partial, "unsave", "--undo", "--plain").output == "1 item restored, 1 left out\n")
        #expect(run(other, "unsave", "--undo", "--plain").output == "1 item restored, 1 already saved\n")
        let nothing = run(other, "unsave", "--undo")
        #expect(nothing.status == .nothingFound && nothing.errors.contains("there is nothing to undo"))
        #expect(run(other, "unsave", "--undo", "1").status == .usage && run(other, "unsave").status == .usage)
    }

    @Test func `tags are added to and removed from several items at once`() throws {
        let daemon = try daemon([
            .libraryTag: #"{"items":[\#(Self.item)],"revision":4}"#,
            .libraryGet: #"{"item":\#(Self.item),"revision":3}"#,
        ])
        _ = run(daemon, "search", "고양이", "--plain")
        let tagged = run(daemon, "tag", "1-2", "여름,#읽을 것", "--remove", "책", "--plain")
        #expect(tagged.output == "“It's 하나”: #여름  ★★★★☆  좋다\n")
        #expect(
            daemon.params(of: .libraryTag) == [#"{"ids":["a.b:1","a.b:2"],"add":["여름","읽을 것"],"remove":["책"]}"#]
        )
        let nothing = run(daemon, "tag", "1")
        #expect(nothing.status == .usage && nothing.errors.contains("no tag is given"))
    }

    @Test func `a tag with a space is quoted, and the removal of a missing tag is an error`() throws {
        let tagged = #"{"items":[{"id":"a.b:1","title":"하나","tags":["여름","읽을 것"]}],"updated":1,"revision":4}"#
        let daemon = try daemon([.libraryTag: tagged, .libraryGet: #"{"item":\#(Self.item),"revision":3}"#])
        #expect(run(daemon, "tag", "a.b:1", "읽을 것", "--plain").output == "“하나”: #여름 #“읽을 것”\n")
        let same = #"{"items":[\#(Self.item)],"updated":0,"revision":4}"#
        let other = try FakeDaemon(
            at: directory.file("other"),
            [.libraryTag: same, .libraryGet: #"{"item":\#(Self.item),"revision":3}"#]
        )
        let missing = run(other, "tag", "a.b:1", "--remove", "없음", "--plain")
        #expect(missing.status == .nothingFound && missing.output.isEmpty)
        #expect(missing.errors.contains("the item has no tag “없음”"))
        #expect(run(other, "tag", "a.b:1", "여름").status == .found)
    }
}

struct NoteCommandTests {
    private let directory = TemporaryDirectory(under: "/tmp")

    private static let item =
        #"{"id":"a.b:1","source":"a.b","kind":"book","title":"하나","savedAt":"2026-11-01T10:00:00Z","#
        + #""updatedAt":"2026-11-01T10:00:00Z","notes":[{"id":"1","title":"첫","text":"좋다","rating":4,"#
        + #""at":"2026-11-01T10:00:00Z"}]}"#

    private static let bare: [MethodName: String] = [
        .libraryGet: #"{"item":{"id":"a.b:1","title":"하나"},"revision":3}"#
    ]

    private func daemon(_ more: [MethodName: String] = [:]) throws -> FakeDaemon {
        let answers: [MethodName: String] = [
            .libraryGet: #"{"item":\#(Self.item),"revision":3}"#,
            .libraryNote: #"{"items":[\#(Self.item)],"revision":4}"#,
        ]
        return try FakeDaemon(at: directory.file("socket"), answers.merging(more) { $1 })
    }

    private func run(_ daemon: FakeDaemon, _ words: String..., input: String = "") -> Run {
        let environment = ["TERM": "xterm", "XDG_RUNTIME_DIR": directory.path]
        return Run(words, in: directory, socket: daemon.path, input: input, environment: environment)
    }

    private func noted(_ daemon: FakeDaemon) -> [String] { daemon.params(of: .libraryNote) }

    @Test func `a text, a title and a rating form one note`() throws {
        let daemon = try daemon()
        let run = run(daemon, "note", "a.b:1", "나중에", "다시", "--title", "메모", "--rating", "5", "--plain")
        #expect(run.status == .found && run.output == "“하나”: ★★★★☆  첫: 좋다\n")
        #expect(noted(daemon) == [#"{"id":"a.b:1","note":{"title":"메모","text":"나중에 다시","rating":5}}"#])
    }

    @Test func `a rating alone replaces the existing rating`() throws {
        let daemon = try daemon()
        #expect(run(daemon, "note", "a.b:1", "--rating", "5").status == .found)
        #expect(noted(daemon) == [#"{"id":"a.b:1","note":{"id":"1","title":"첫","text":"좋다","rating":5}}"#])
        #expect(run(daemon, "note", "a.b:1", "--rating", "6").status == .usage)
    }

    @Test func `without a text, the note is read from standard input`() throws {
        let daemon = try daemon(Self.bare)
        #expect(run(daemon, "note", "a.b:1", input: "\n둘째 \n\t줄\n\n").status == .found)
        #expect(noted(daemon) == [#"{"id":"a.b:1","note":{"text":"둘째 \n\t줄"}}"#])
        let empty = run(daemon, "note", "a.b:1", input: " \n")
        #expect(empty.status == .usage && empty.errors.contains("the text is empty"))
        #expect(noted(daemon).count == 1)
    }

    @Test func `an empty text removes the text of the latest note`() throws {
        let daemon = try daemon()
        #expect(run(daemon, "note", "a.b:1", "").status == .found)
        #expect(noted(daemon) == [#"{"id":"a.b:1","note":{"id":"1","rating":4}}"#])
    }

    @Test func `if --replace gets only a text or a rating, the note keeps its other members`() throws {
        let daemon = try daemon()
        _ = run(daemon, "note", "a.b:1", "--replace", "1", "--rating", "2")
        _ = run(daemon, "note", "a.b:1", "새 글", "--replace", "1")
        #expect(
            noted(daemon) == [
                #"{"id":"a.b:1","note":{"id":"1","title":"첫","text":"좋다","rating":2}}"#,
                #"{"id":"a.b:1","note":{"id":"1","title":"첫","text":"새 글","rating":4}}"#,
            ]
        )
        let unknown = run(daemon, "note", "a.b:1", "x", "--replace", "7")
        #expect(
            unknown.status == .nothingFound && unknown.errors.contains("“searchctl show”")
        )
    }

    @Test func `only notes with text have numbers, which begin at 1`() throws {
        let notes = #"[{"id":"1","rating":4},{"id":"2","text":"첫"},{"id":"5","text":"둘"}]"#
        let daemon = try daemon([.libraryGet: #"{"item":{"id":"a.b:1","notes":\#(notes)},"revision":3}"#])
        _ = run(daemon, "note", "a.b:1", "--remove", "2", "--plain")
        #expect(noted(daemon) == [#"{"id":"a.b:1","remove":"5"}"#])
        #expect(run(daemon, "note", "a.b:1", "--remove", "3").status == .nothingFound)
    }

    @Test func `--remove removes the text of a note by its number, and keeps the rating`() throws {
        let daemon = try daemon()
        let removed = run(daemon, "note", "a.b:1", "--remove", "1", "--plain")
        #expect(removed.status == .found)
        #expect(removed.output.hasSuffix("\nRemoved: 첫: 좋다\n"))
        #expect(noted(daemon) == [#"{"id":"a.b:1","note":{"id":"1","rating":4}}"#])
        #expect(run(daemon, "note", "a.b:1", "글", "--remove", "1").status == .usage)
    }
}
