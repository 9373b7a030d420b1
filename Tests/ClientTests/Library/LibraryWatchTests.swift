import Glibc
import JSON
import TestSupport
import Testing

@testable import Client

/// `library --watch`.
struct LibraryWatchTests {
    private let directory = TemporaryDirectory()

    private static func changed(_ revision: Int, _ more: String) -> String {
        #"{"jsonrpc":"2.0","method":"library/changed","params":{"subscription":1,"revision":\#(revision),\#(more)}}"#
    }

    private static let item = #"{"id":"a.b:1","title":"하나","tags":["여름"],"notes":[{"id":"1","text":"n","rating":2}]}"#

    private static let current = #"{"jsonrpc":"2.0","id":1,"result":{"items":[],"total":9,"revision":4,"next":null}}"#

    @Test func `changes are printed as they come, also those that came while the daemon was away`() throws {
        let interrupt = Pipe()
        let seen = Seen()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                seen.add(line)
                switch seen.lines.count {
                case 1: try connection.send(Self.current)
                case 2:
                    try connection.send(
                        #"{"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":4,"inserted":[],"updated":[],"deleted":[]}}"#,
                        Self.changed(5, #""inserted":[\#(Self.item)],"updated":[],"deleted":[]"#)
                    )
                    return
                default:
                    try connection.send(
                        #"{"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":6,"inserted":[],"updated":[\#(Self.item)],"deleted":["a.b:2"]}}"#
                    )
                    interrupt.signal()
                }
            }
        }
        let run = Run("library", "--watch", "--plain", in: directory, socket: daemon.path, interrupt: interrupt.reading)
        #expect(run.status == .interrupted)
        // What is shown last may be overtaken by Ctrl-C.
        let expected = ["+ “하나” (a.b:1) #여름  ★★☆☆☆  n", "~ “하나” (a.b:1) #여름  ★★☆☆☆  n", "- a.b:2"]
        #expect(run.lines.prefix(1) == expected.prefix(1))
        #expect(expected.starts(with: run.lines) || run.lines.starts(with: expected))
        #expect(seen.lines.map { $0.contains(#""since":"#) } == [false, true, true])
        #expect(seen.lines[1].contains(#""since":4"#) && seen.lines[2].contains(#""since":5"#))
    }

    @Test func `a daemon that is gone is waited for, and none is started in its place`() throws {
        let interrupt = Pipe()
        let path = directory.file("socket")
        let daemon = try FakeDaemon(at: path) { connection in
            _ = try connection.line()
            try connection.send(Self.current)
            _ = try connection.line()
            try connection.send(
                #"{"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":4,"inserted":[],"updated":[],"deleted":[]}}"#
            )
            // The path lives through the call.
            _ = unsafe unlink(path)
            interrupt.signal()
        }
        let run = Run("library", "--watch", "--plain", in: directory, socket: daemon.path, interrupt: interrupt.reading)
        #expect(run.status == .interrupted)
        #expect(run.output == "")
    }

    @Test func `a daemon that only closes connections is not asked for ever`() throws {
        let seen = Seen()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            seen.add(try connection.line())
            guard seen.lines.count == 1 else { return }
            try connection.send(Self.current)
            seen.add(try connection.line())
            try connection.send(#"{"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":4,"inserted":[]}}"#)
        }
        let run = Run("library", "--watch", in: directory, socket: daemon.path)
        #expect(run.status == .noDaemon && run.output == "")
    }

    @Test func `what is removed is called by its title, whenever it was saved`() throws {
        let interrupt = Pipe()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            let pages = [(#"{"id":"a.b:1","title":"하나"}"#, #""page 2""#), (#"{"id":"a.b:2","title":"둘"}"#, "null")]
            for (items, next) in pages {
                _ = try connection.line()
                try connection.send(
                    #"{"jsonrpc":"2.0","id":1,"result":{"items":[\#(items)],"total":2,"revision":4,"next":\#(next)}}"#
                )
            }
            guard try connection.line()?.contains(#""since":4"#) == true else { return }
            try connection.send(
                #"{"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":5,"inserted":[],"updated":[],"deleted":["a.b:2"]}}"#
            )
            interrupt.signal()
        }
        let run = Run("library", "--watch", "--plain", in: directory, socket: daemon.path, interrupt: interrupt.reading)
        // What is shown last may be overtaken by Ctrl-C.
        #expect(["- “둘” (a.b:2)\n", ""].contains(run.output))
    }

    private func lines(_ changes: String...) throws -> [String] {
        var printer = ChangePrinter(isJSON: false, console: Console())
        return try changes.flatMap { printer.lines(of: try JSONDocument(Array($0.utf8)).root) }
    }

    @Test func `a title is that of the latest change, and is forgotten with its item`() throws {
        let inserted = #"{"revision":5,"inserted":[{"id":"a.b:1","title":"하나"},{"id":"a.b:2","title":"둘\u001b[2J"}]}"#
        let updated = #"{"revision":6,"updated":[{"id":"a.b:1","title":"하나 더"}]}"#
        let deleted = #"{"revision":7,"deleted":["a.b:1","a.b:2","a.b:3"]}"#
        #expect(
            try lines(inserted, updated, deleted, deleted).suffix(6) == [
                "- “하나 더” (a.b:1)", #"- “둘\u{1b}[2J” (a.b:2)"#, "- a.b:3", "- a.b:1", "- a.b:2", "- a.b:3",
            ]
        )
    }

    @Test func `what looking up has changed is told, and only then`() throws {
        func updated(at: String) -> String {
            #"{"updated":[{"id":"a.b:1","title":"T","updatedAt":"\#(at)","changes":[{"at":"2020-01-01T00:00:00Z","field":"price","#
                + #""from":20000,"to":18000}]}]}"#
        }
        #expect(try lines(updated(at: "2020-01-01T00:00:00Z")) == ["~ “T” (a.b:1) price 20,000 → 18,000"])
        #expect(try lines(updated(at: "2020-01-02T00:00:00Z")) == ["~ “T” (a.b:1)"])
    }

    @Test func `when it is not known what has changed, that is told`() throws {
        for change in [#"{"reset":true,"revision":9}"#, #"{"revision":9,"items":[\#(Self.item)]}"#] {
            #expect(try lines(change) == ["! more has changed than can be told: see “searchctl library”"])
        }
    }
}
