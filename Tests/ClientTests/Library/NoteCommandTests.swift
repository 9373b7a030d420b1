import Glibc
import RPC
import TestSupport
import Testing

@testable import Client

/// `note`, with and without an editor.
struct NoteCommandTests {
    private let directory = TemporaryDirectory(under: "/tmp")

    private static let item =
        #"{"id":"a.b:1","source":"a.b","kind":"book","title":"하나","savedAt":"2026-11-01T10:00:00Z","#
        + #""updatedAt":"2026-11-01T10:00:00Z","notes":[{"id":"1","title":"첫","text":"좋다","rating":4,"#
        + #""at":"2026-11-01T10:00:00Z"}]}"#

    private static let bare: [MethodName: String] = [
        .libraryGet: #"{"item":{"id":"a.b:1","title":"하나"},"revision":3}"#
    ]

    private func daemon(_ more: [MethodName: String] = [:]) throws -> ScriptedDaemon {
        let answers: [MethodName: String] = [
            .libraryGet: #"{"item":\#(Self.item),"revision":3}"#,
            .libraryNote: #"{"items":[\#(Self.item)],"revision":4}"#,
        ]
        return try ScriptedDaemon(at: directory.file("socket"), answers.merging(more) { $1 })
    }

    /// Runs a command line; `editor` is what the editor does with the file "$1".
    private func run(
        _ daemon: ScriptedDaemon,
        _ words: String...,
        editor: String = "exit 9",
        command: String? = nil
    ) -> Run {
        directory.write("#!/bin/sh\n\(editor)\n", to: "editor", mode: 0o700)
        let environment = [
            "TERM": "xterm", "XDG_RUNTIME_DIR": directory.path, "EDITOR": command ?? directory.file("editor"),
        ]
        return Run(words, in: directory, socket: daemon.path, environment: environment)
    }

    /// What the daemon was asked to note.
    private func noted(_ daemon: ScriptedDaemon) -> [String] { daemon.params(of: .libraryNote) }

    /// The drafts that are left.
    private var drafts: [String] { directory.names.filter { $0.hasPrefix("searchctl-note") } }

    @Test func `a text, a title and a rating are one note`() throws {
        let daemon = try daemon()
        let run = run(daemon, "note", "a.b:1", "나중에", "다시", "--title", "메모", "--rating", "5", "--plain")
        #expect(run.status == .found && run.output == "“하나”: ★★★★☆  첫: 좋다\n")
        #expect(noted(daemon) == [#"{"id":"a.b:1","note":{"title":"메모","text":"나중에 다시","rating":5}}"#])
    }

    @Test func `no stars take away those that are there`() throws {
        let daemon = try daemon()
        #expect(run(daemon, "note", "a.b:1", "--rating", "0").status == .found)
        #expect(noted(daemon) == [#"{"id":"a.b:1","note":{"id":"1","title":"첫","text":"좋다"}}"#])
    }

    @Test func `without stars nothing is left of a note that has nothing else`() throws {
        let item = #"{"item":{"id":"a.b:1","title":"하나","notes":[{"id":"7","rating":4}]},"revision":3}"#
        let daemon = try daemon([.libraryGet: item])
        #expect(run(daemon, "note", "a.b:1", "--rating", "0").status == .found)
        #expect(noted(daemon) == [#"{"id":"a.b:1","remove":"7"}"#])
    }

    @Test func `a new note without stars is written, whether or not there were any`() throws {
        let daemon = try daemon(Self.bare)
        #expect(run(daemon, "note", "a.b:1", "나중에", "--rating", "0").status == .found)
        #expect(run(daemon, "note", "a.b:1", "--title", "메모", "--rating", "0").status == .found)
        #expect(
            noted(daemon) == [
                #"{"id":"a.b:1","note":{"text":"나중에"}}"#, #"{"id":"a.b:1","note":{"title":"메모"}}"#,
            ]
        )
    }

    @Test func `stars that are not there can't be taken away`() throws {
        let daemon = try daemon([.libraryGet: #"{"item":{"id":"a.b:1","title":"하나"},"revision":3}"#])
        let nothing = run(daemon, "note", "a.b:1", "--rating", "0")
        #expect(nothing.status == .nothingFound && nothing.errors.contains("the item has no stars"))
        #expect(noted(daemon).isEmpty)
    }

    @Test func `stars alone take the place of those that are there, and open no editor`() throws {
        let daemon = try daemon()
        #expect(run(daemon, "note", "a.b:1", "--rating", "5").status == .found)
        #expect(noted(daemon) == [#"{"id":"a.b:1","note":{"id":"1","title":"첫","text":"좋다","rating":5}}"#])
        #expect(run(daemon, "note", "a.b:1", "--rating", "6").status == .usage)
    }

    @Test func `without a text the editor writes one, and nothing of it stays behind`() throws {
        let daemon = try daemon(Self.bare)
        let run = run(daemon, "note", "a.b:1", editor: #"printf '\n둘째 \n\t줄\n\n' >"$1""#)
        #expect(run.status == .found)
        #expect(noted(daemon) == [#"{"id":"a.b:1","note":{"text":"둘째 \n\t줄"}}"#])
        #expect(drafts == [])
    }

    @Test func `an editor may put another file in the place of its own`() throws {
        let daemon = try daemon(Self.bare)
        _ = run(daemon, "note", "a.b:1", editor: #"printf 새것 >"$1.new" && mv "$1.new" "$1""#)
        #expect(noted(daemon) == [#"{"id":"a.b:1","note":{"text":"새것"}}"#])
    }

    @Test func `an editor is a command of the shell, and one that is not there is told`() throws {
        let daemon = try daemon(Self.bare)
        _ = run(daemon, "note", "a.b:1", command: "sh -c 'echo \"a  b\" >\"$0\"'")
        #expect(noted(daemon) == [#"{"id":"a.b:1","note":{"text":"a  b"}}"#])
        let missing = run(daemon, "note", "a.b:1", command: "/nonexistent/editor --wait")
        #expect(
            missing.status == .tryLater
                && missing.errors.contains("no editor “/nonexistent/editor --wait”. Set EDITOR")
        )
        #expect(drafts == [])
    }

    @Test func `an editor that leaves nothing, or fails, changes nothing`() throws {
        let daemon = try daemon(Self.bare)
        let empty = run(daemon, "note", "a.b:1", editor: #"printf ' \n' >"$1""#)
        #expect(empty.status == .nothingFound && empty.errors.contains("Nothing was written"))
        let failed = run(daemon, "note", "a.b:1", editor: #"echo x >"$1"; exit 3"#)
        #expect(failed.status == .tryLater && failed.errors.contains("the editor failed. Nothing has been changed."))
        #expect(noted(daemon) == [] && drafts == [])
    }

    @Test func `what was written and can't be kept stays in its file`() throws {
        let daemon = try daemon([
            .libraryNote: ScriptedDaemon.failure("unavailable", "The disk is full.", code: -32005)
        ])
        let run = run(daemon, "note", "a.b:1", editor: #"echo 긴 글 >"$1""#)
        #expect(run.status == .tryLater)
        let draft = try #require(drafts.first)
        #expect(run.errors.contains("What you wrote is in \(directory.file(draft))\n"))
        #expect(directory.contents(of: draft) == "긴 글\n")
    }

    @Test(arguments: [
        (
            "params.note.text", "It must be a text of at most 16384 bytes.",
            "note text: it must be a text of at most 16384 bytes."
        ),
        ("params.note", "An item has at most 100 notes.", "note: an item has at most 100 notes."),
        ("params", "An item has at most 1024 KiB with its notes.", "An item has at most 1024 KiB with its notes."),
    ])
    func `what the daemon refuses is named as the user knows it`(path: String, message: String, said: String) throws {
        let refusal = ScriptedDaemon.failure("invalidParams", message, code: -32602, path: path)
        let run = run(try daemon([.libraryNote: refusal]), "note", "a.b:1", "글")
        #expect(run.status == .usage && run.errors == "searchctl: \(said)\n")
    }

    @Test func `of an item that is not saved no editor is opened`() throws {
        let daemon = try daemon([
            .libraryGet: ScriptedDaemon.failure("notFound", "No saved item has this id.", code: -32010),
            .libraryList: #"{"items":[],"total":0,"revision":0,"next":null}"#,
        ])
        let run = run(daemon, "note", "a.b:1", editor: "touch \(directory.file("opened"))")
        #expect(run.status == .nothingFound && run.errors.contains("No saved item has this id."))
        #expect(directory.contents(of: "opened") == nil)
    }

    @Test func `what is not given of a replaced note stays, and the editor begins with its text`() throws {
        let daemon = try daemon()
        _ = run(daemon, "note", "a.b:1", "--replace", "1", "--rating", "2")
        _ = run(daemon, "note", "a.b:1", "새 글", "--replace", "1")
        _ = run(daemon, "note", "a.b:1", "--replace", "1", editor: #"echo 더 >>"$1""#)
        #expect(
            noted(daemon) == [
                #"{"id":"a.b:1","note":{"id":"1","title":"첫","text":"좋다","rating":2}}"#,
                #"{"id":"a.b:1","note":{"id":"1","title":"첫","text":"새 글","rating":4}}"#,
                #"{"id":"a.b:1","note":{"id":"1","title":"첫","text":"좋다\n더","rating":4}}"#,
            ]
        )
        let unknown = run(daemon, "note", "a.b:1", "x", "--replace", "7")
        #expect(
            unknown.status == .nothingFound && unknown.errors.contains("no note 7. “searchctl show” lists its notes.")
        )
    }

    @Test func `without a text the latest note is opened, and emptied it stays as it was`() throws {
        let two = Self.item.replacing("\"notes\":[", with: #""notes":[{"id":"0","text":"옛것"},"#)
        let daemon = try daemon([.libraryGet: #"{"item":\#(two),"revision":3}"#])
        #expect(run(daemon, "note", "a.b:1", editor: #"echo 더 >>"$1""#).status == .found)
        #expect(noted(daemon) == [#"{"id":"a.b:1","note":{"id":"1","title":"첫","text":"좋다\n더","rating":4}}"#])
        let emptied = run(daemon, "note", "a.b:1", editor: #": >"$1""#)
        #expect(emptied.status == .nothingFound && emptied.errors.contains("the note stays; “--remove 1” removes it."))
        #expect(noted(daemon).count == 1 && drafts == [])
    }

    @Test func `a note is removed by its number, and takes no text then`() throws {
        let daemon = try daemon()
        let removed = run(daemon, "note", "a.b:1", "--remove", "1", "--plain")
        #expect(removed.status == .found)
        #expect(noted(daemon) == [#"{"id":"a.b:1","remove":"1"}"#])
        let undo = "To undo it: searchctl note 'a.b:1' 좋다 --title 첫 --rating 4\n"
        #expect((removed.output + removed.errors).hasSuffix(undo), "\(removed.output)\(removed.errors)")
        #expect(run(daemon, "note", "a.b:1", "글", "--remove", "1").status == .usage)
    }
}
