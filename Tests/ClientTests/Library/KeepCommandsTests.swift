import EventLoop
import JSON
import RPC
import TestSupport
import Testing

@testable import Client

/// `save`, `unsave` and `tag`.
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

    private func daemon(_ answers: [MethodName: String]) throws -> ScriptedDaemon {
        var answers = answers
        answers[.search] = Self.hits
        return try ScriptedDaemon(at: directory.file("socket"), answers)
    }

    private func run(_ daemon: ScriptedDaemon, _ words: String...) -> Run {
        Run(
            words,
            in: directory,
            socket: daemon.path,
            environment: ["TERM": "xterm", "XDG_RUNTIME_DIR": directory.path],
            terminal: "/dev/pts/7"
        )
    }

    @Test func `hits of the last search are saved whole, without what that search added, and others by their ids`()
        throws
    {
        let daemon = try daemon([.librarySave: #"{"items":[\#(Self.item)],"added":1,"revision":3}"#])
        _ = run(daemon, "search", "고양이", "--plain")
        let saved = run(daemon, "save", "--plain", "1", "c.d:9", "--tag", "여름", "--tag", "책", "--note", "좋다")
        #expect(saved.status == .found)
        #expect(saved.output == "saved “It's 하나” (a.b:1)\n1 of 2 had been saved before\n")
        #expect(
            daemon.params(of: .librarySave) == [
                #"{"items":[{"id":"a.b:1","source":"a.b","kind":"book","title":"하나"},"c.d:9"],"#
                    + #""tags":["여름","책"],"note":{"text":"좋다"}}"#
            ]
        )
    }

    @Test func `as many are saved at once as the wire takes, in as many requests as their bytes need`() throws {
        let hits = (1...1000).map { number in
            #"{"id":"a.b:\#(number)","source":"a.b","kind":"book","title":"\#(String(repeating: "하", count: 500))"}"#
        }
        let daemon = try ScriptedDaemon(
            at: directory.file("socket"),
            [
                .search: #"{"sources":[],"next":null,"complete":true,"hits":[\#(hits.joined(separator: ","))]}"#,
                .librarySave: #"{"items":[],"added":400,"revision":3}"#,
                .libraryTag: #"{"items":[\#(Self.item)],"revision":4}"#,
            ]
        )
        _ = run(daemon, "search", "고양이", "-n", "1000", "--plain")
        let saved = run(daemon, "save", "1-1000", "--plain")
        #expect(saved.status == .found && saved.output == "200 of 1,000 had been saved before\n")
        let requests = daemon.params(of: .librarySave)
        #expect(requests.count == 2 && requests.allSatisfy { $0.utf8.count <= ImportBatch.bytesMax + 4096 })
        #expect(run(daemon, "tag", "1-1000", "책").status == .found)
        #expect(run(daemon, "save", "1-1000", "1").errors.contains("more than 1,000 hits at once. Name fewer."))
        #expect(run(daemon, "show", "1-21").errors.contains("more than 20 hits at once. Name fewer."))
    }

    @Test func `for programs each item is one line`() throws {
        let daemon = try daemon([.librarySave: #"{"items":[\#(Self.item)],"added":1,"revision":3}"#])
        #expect(run(daemon, "save", "a.b:1").output == Self.item + "\n")
        #expect(run(daemon, "save", "a.b:1", "--field", "title").output == "It's 하나\n")
        let alfred = run(daemon, "save", "a.b:1", "--format", "alfred").output
        #expect(alfred.hasPrefix(#"{"items":[{"#) && alfred.hasSuffix("]}\n"))
    }

    @Test func `what is removed comes back by the command that is printed`() throws {
        let daemon = try daemon([
            .libraryGet: #"{"item":\#(Self.item),"revision":3}"#,
            .libraryRemove: #"{"removed":1,"items":[\#(Self.item)],"revision":4}"#,
        ])
        let removed = run(daemon, "unsave", "--plain", "a.b:1")
        #expect(removed.status == .found)
        let files = try #require(SystemCall.names(in: directory.file("searchctl"))).filter { $0.hasPrefix("unsaved-") }
        #expect(removed.output == "removed “It's 하나” (a.b:1)\nTo undo it: searchctl unsave --undo\n")
        #expect(directory.contents(of: "searchctl/\(files[0])") == Self.item + "\n")
        #expect(daemon.params(of: .libraryRemove) == [#"{"ids":["a.b:1"]}"#])
        #expect(run(daemon, "unsave", "a.b:1").output == Self.item + "\n")
    }

    @Test func `--undo saves again what was removed last, then what was removed before that`() throws {
        let daemon = try daemon([.librarySave: #"{"added":1,"items":[\#(Self.item)],"revision":5}"#])
        func removed(_ number: Int) throws -> JSONCursor {
            try JSONDocument(Array(#"{"id":"a.b:\#(number)","title":"x"}"#.utf8)).root
        }
        let removals = RemovedItems(directory: directory.file("searchctl"), now: 100)
        let (first, second) = ([try removed(1), try removed(2)], [try removed(3)])
        #expect(removals.keep(first) && removals.keep(second))
        #expect(run(daemon, "unsave", "--undo").status == .found)
        #expect(run(daemon, "unsave", "--undo").status == .found)
        let saved = daemon.params(of: .librarySave)
        #expect(saved.count == 2 && saved[0].contains("a.b:3") && saved[1].contains("a.b:2"))
        let nothing = run(daemon, "unsave", "--undo")
        #expect(nothing.status == .nothingFound && nothing.errors.contains("nothing has been removed lately"))
        #expect(run(daemon, "unsave", "--undo", "1").status == .usage)
        #expect(run(daemon, "unsave").status == .usage)
    }

    @Test func `what could not be brought back can be tried again`() throws {
        let daemon = try daemon([.librarySave: ScriptedDaemon.failure("overloaded", "Too many changes.", code: -32008)])
        let removals = RemovedItems(directory: directory.file("searchctl"), now: 100)
        let item = try JSONDocument(Array(Self.item.utf8)).root
        #expect(removals.keep([item]))
        #expect(run(daemon, "unsave", "--undo").status != .found)
        #expect(removals.latest != nil)
    }

    @Test func `what of a removal had not been saved is counted`() throws {
        let daemon = try daemon([
            .libraryGet: #"{"item":\#(Self.item),"revision":3}"#,
            .libraryRemove: #"{"removed":1,"items":[\#(Self.item)],"revision":4}"#,
        ])
        _ = run(daemon, "search", "고양이", "--plain")
        #expect(run(daemon, "unsave", "1-2", "--plain").output.contains("\n1 of 2 had not been saved\n"))
    }

    @Test func `where nothing can be kept, what undoes it holds the items`() throws {
        let item = try JSONDocument(Array(#"{"id":"a.b:1","title":"\#u{202E}x"}"#.utf8)).root
        let lines = UnsaveCommand.undoText([item, item]).split(separator: "\n")
        #expect(lines.prefix(2) == ["To undo it:", "searchctl library import - <<'END'"] && lines.last == "END")
        #expect(lines.count == 5 && lines[2].contains(#""title":"\u202ex""#))
    }

    @Test func `as many removals can be undone as are kept, and no more`() throws {
        let item = try JSONDocument(Array(Self.item.utf8)).root
        let all = (1...RemovedItems.filesMax + 1).map { number in
            RemovedItems(directory: directory.file("searchctl"), now: Int64(number / 2 + 100))
        }
        #expect(all.allSatisfy { $0.keep([item]) })
        let kept = try #require(SystemCall.names(in: directory.file("searchctl")))
        #expect(kept.count == RemovedItems.filesMax)
        #expect(!kept.contains { $0.hasPrefix("unsaved-100.") })
    }

    @Test func `to remove what is not saved is told as such`() throws {
        let daemon = try daemon([
            .libraryGet: ScriptedDaemon.failure("notFound", "No saved item has this id.", code: -32010),
            .libraryList: #"{"items":[],"total":0,"revision":0,"next":null}"#,
            .libraryRemove: #"{"removed":0,"items":[],"revision":4}"#,
        ])
        let one = run(daemon, "unsave", "a.b:1")
        #expect(one.status == .nothingFound && one.errors.contains("a.b:1 is not saved. “searchctl library” lists"))
        #expect(run(daemon, "unsave", "a.b:1", "a.b:2").errors.contains("none of them is saved"))
    }

    @Test func `tags are added and removed, on several items at once`() throws {
        let daemon = try daemon([
            .libraryTag: #"{"items":[\#(Self.item)],"revision":4}"#,
            .libraryGet: #"{"item":\#(Self.item),"revision":3}"#,
        ])
        _ = run(daemon, "search", "고양이", "--plain")
        let tagged = run(daemon, "tag", "1-2", "여름", "읽을 것", "--remove", "책", "--plain")
        #expect(tagged.output == "“It's 하나”: #여름  ★★★★☆  좋다\n")
        #expect(
            daemon.params(of: .libraryTag) == [#"{"ids":["a.b:1","a.b:2"],"add":["여름","읽을 것"],"remove":["책"]}"#]
        )
        let missing = run(daemon, "tag", "1", "--remove", "여름", "--remove", "없다", "--plain")
        #expect(missing.output.contains("there was no tag “없다”") && !missing.output.contains("no tag “여름”"))
        let nothing = run(daemon, "tag", "1")
        #expect(nothing.status == .usage && nothing.errors.contains("no tag is given"))
    }

    @Test func `a tag may be given as lists print it`() throws {
        let daemon = try daemon([
            .librarySave: #"{"items":[\#(Self.item)],"added":1,"revision":3}"#,
            .libraryTag: #"{"items":[\#(Self.item)],"revision":4}"#,
            .libraryGet: #"{"item":\#(Self.item),"revision":3}"#,
            .libraryList: #"{"items":[\#(Self.item)],"total":1,"revision":3,"next":null}"#,
        ])
        _ = run(daemon, "save", "a.b:1", "--tag", "#여름", "--tag", "##x")
        #expect(daemon.params(of: .librarySave) == [##"{"items":["a.b:1"],"tags":["여름","#x"]}"##])
        _ = run(daemon, "tag", "a.b:1", "#책", "#", "--remove", "#여름")
        #expect(daemon.params(of: .libraryTag) == [##"{"ids":["a.b:1"],"add":["책","#"],"remove":["여름"]}"##])
        _ = run(daemon, "library", "--tag", "#책")
        #expect(daemon.params(of: .libraryList) == [#"{"tags":["책"]}"#])
    }

    @Test(arguments: [
        ("params.tags[0]", "A tag is a text of 1 to 64 bytes.", "--tag: a tag is a text of 1 to 64 bytes."),
        ("params.items[0].title", "It must be a text of 9 bytes.", "title: it must be a text of 9 bytes."),
        ("params.items[0]", "An item has at most 9 KiB.", "An item has at most 9 KiB."),
    ])
    func `what the daemon refuses to save is named`(path: String, message: String, said: String) throws {
        let refusal = ScriptedDaemon.failure("invalidParams", message, code: -32602, path: path)
        let refused = run(try daemon([.librarySave: refusal]), "save", "a.b:1", "--tag", "x")
        #expect(refused.status == .usage && refused.errors == "searchctl: \(said)\n")
    }

    @Test func `a hint that names a method names the command instead`() throws {
        let error =
            #"!{"code":-32010,"message":"No saved item has the id a.b:1.","data":{"kind":"notFound","#
            + #""hint":"Save it first; library/list lists what is saved."}}"#
        let daemon = try daemon([.libraryTag: error])
        _ = run(daemon, "search", "고양이", "--plain")
        let refused = run(daemon, "tag", "1", "여름")
        #expect(refused.status == .nothingFound)
        #expect(
            refused.errors
                == "searchctl: No saved item has the id a.b:1. Save it first; “searchctl library” lists what is saved.\n"
        )
    }
}
