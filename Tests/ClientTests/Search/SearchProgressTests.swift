import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Client

/// The line on a terminal while sources are still out.
struct SearchProgressTests {
    private let directory = TemporaryDirectory()

    private static func note(_ method: String, _ params: String) -> String {
        #"{"jsonrpc":"2.0","method":"search/\#(method)","params":{"request":1,\#(params)}}"#
    }

    private static let hit = note("hits", #""source":"a.b","hits":[{"id":"a.b:1","source":"a.b","title":"하나"}]"#)
    private static let answer =
        #"{"jsonrpc":"2.0","id":1,"result":{"query":"x","sort":"relevance","order":["a.b:1"],"#
        + #""sources":[{"source":"a.b","status":"ok"}],"next":null,"complete":true,"elapsed":200}}"#

    /// Runs a search on a terminal whose daemon holds its answer back until the line has been seen.
    private func run(_ notes: [String], until seen: String) throws -> (asked: String, shown: String) {
        let terminal = try PseudoTerminal(columns: 100)
        let (asked, hasSeen) = (Seen(), Pipe())
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            asked.add(try connection.line())
            for note in notes { try connection.send(note) }
            _ = try Transfers.read(hasSeen.reading, bytesMax: 1)
            try connection.send(Self.hit, Self.answer)
            _ = try connection.rest()
        }
        var console = Console()
        console.output = terminal.program
        console.errors = terminal.program
        console.outputIsTerminal = true
        console.errorsIsTerminal = true
        console.columns = 100
        let context = Context(console: console, environment: Environment(["TERM": "xterm", "NO_COLOR": "1"]))
        let shown = Seen()
        _ = try WorkerThread {
            let first = try? terminal.shown(until: seen)
            hasSeen.signal()
            let rest = try? terminal.shown(until: "1 hit ")
            shown.add(contentsOf: [(first ?? "") + (rest ?? "")])
        }
        #expect(Searchctl.run(["--socket", daemon.path, "search", "x"], context) == .found)
        return (asked.lines.joined(), shown.wait(for: 1).joined())
    }

    @Test func `it says how many have answered and what another waits for, and goes when done`() throws {
        let wait = #""source":"kakao.blog","status":"queued","reason":"rateLimit","wait":800"#
        let run = try run(
            [
                Self.note("progress", #""answered":0,"asked":5"#),
                Self.note("progress", #""answered":3,"asked":5"#), Self.note("source", wait),
            ],
            until: "3 of 5 sources · kakao.blog: rate limit, waiting 800 ms"
        )
        #expect(run.asked.contains(#""progress":true"#))
        let after = try #require(run.shown.split(separator: "waiting 800 ms").last)
        #expect(after.hasPrefix("\r\u{1B}[K"))
        #expect(after.contains("하나"))
    }

    @Test func `it comes after a moment also when nothing further happens`() throws {
        let run = try run([Self.note("progress", #""answered":0,"asked":2"#)], until: "0 of 2 sources")
        #expect(run.shown.hasPrefix("\r\u{1B}[K0 of 2 sources\r\u{1B}[K"))
    }

    @Test func `hits that have come are shown until the answer puts them in order`() throws {
        let run = try run([Self.hit, Self.note("progress", #""answered":1,"asked":2"#)], until: "a.b · 하나")
        // This daemon tells the hit again before its answer.
        let parts = run.shown.split(separator: "\u{1B}[2A\r\u{1B}[J")
        try #require(parts.count == 2)
        #expect(parts[0].contains("a.b · 하나\r\n"))
        #expect(!parts[0].contains("1. "))
        #expect(parts[1].contains("1. 하나"))
    }

    @Test func `text without a terminal does not ask for it`() throws {
        let asked = Seen()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            asked.add(try connection.line())
            try connection.send(Self.note("hits", #""source":"a.b","hits":[]"#), Self.answer)
            _ = try connection.rest()
        }
        _ = Run("search", "x", "--plain", in: directory, socket: daemon.path)
        #expect(!asked.lines.joined().contains("progress"))
    }
}
