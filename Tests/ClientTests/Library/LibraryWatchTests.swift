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

    private func lines(_ change: String) throws -> [String] {
        ChangePrinter.lines(of: try JSONDocument(Array(change.utf8)).root)
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
