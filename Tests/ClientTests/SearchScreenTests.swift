import EventLoop
import Glibc
import Terminal
import TestSupport
import Testing

@testable import Client

struct SearchScreenTests {
    private let directory = TemporaryDirectory()

    private func daemon(hits: Int) throws -> FakeDaemon {
        try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            let all = (1...hits).map { #"{"id":"a.b:\#($0)","source":"a.b","title":"title \#($0)"}"# }
            let failed = #"{"code":-32005,"message":"no connection","data":{"kind":"unavailable"}}"#
            try connection.send(
                #"{"id":1,"result":{"hits":[\#(all.joined(separator: ","))],"sources":[{"source":"c.d","#
                    + #""status":"failed","error":\#(failed)}],"complete":false,"elapsed":1}}"#
            )
            _ = try connection.rest()
        }
    }

    /// Returns the output on a terminal of 24 lines, and the input of the pager.
    private func search(hits: Int, _ words: String...) throws -> (shown: String, paged: String?) {
        let terminal = try PseudoTerminal()
        directory.write("#!/bin/sh\ncat >\(directory.file("paged"))\n", to: "pager", mode: 0o700)
        let daemon = try daemon(hits: hits)
        var console = terminal.console
        console.errorsIsTerminal = true
        let environment = ["TERM": "xterm", "NO_COLOR": "1", "PAGER": directory.file("pager")]
        let shown = Seen()
        _ = try WorkerThread { shown.add(contentsOf: [(try? terminal.shown(until: "1.0 ms")) ?? ""]) }
        let arguments = ["--socket", daemon.path, "search", "x", "-n", "100"] + words
        #expect(Searchctl.run(arguments, Context(console: console, environment: Environment(environment))) == .found)
        return (shown.wait(for: 1).joined(), directory.contents(of: "paged"))
    }

    @Test func `a list longer than the screen is shown in the pager, and the summary on the terminal`() throws {
        let (shown, paged) = try search(hits: 11)
        #expect(!shown.contains("title"))
        #expect(shown.contains("searchctl: c.d: no connection.\r\n11 hits"))
        let lines = try #require(paged).split(separator: "\n")
        #expect(lines.count == 22)
        #expect(lines.last == "     a.b")
    }

    @Test func `ten hits fit the screen without a pager`() throws {
        let (shown, paged) = try search(hits: 10)
        #expect(paged == nil)
        #expect(shown.contains(" 10. title 10\r\n     a.b\r\nsearchctl"))
    }

    @Test(arguments: ["--no-pager", "--stream"]) func `--no-pager and --stream disable the pager`(word: String) throws {
        let (shown, paged) = try search(hits: 30, word)
        #expect(paged == nil)
        #expect(shown.contains("30. title 30"))
    }

    @Test func `PAGER names the pager, but “cat” or a missing program disables the pager`() {
        #expect(PagerChoice.words(Environment(["PAGER": "sh -x"]))?.last?.hasSuffix("; sh -x") == true)
        #expect(PagerChoice.words(Environment(["PAGER": "cat"])) == nil)
        #expect(PagerChoice.words(Environment(["PAGER": "/nonexistent/pager"])) == nil)
        #expect(PagerChoice.words(Environment(["PATH": directory.path])) == nil)
    }

    @Test(arguments: [(true, false), (false, true)])
    func `no message is written to a terminal while another program draws on it`(draws: Bool, told: Bool) throws {
        let terminal = try PseudoTerminal()
        if draws { try #require(TerminalMode(terminal.program)).readKeys() }
        let output = Pipe()
        let daemon = try daemon(hits: 1)
        var console = Console()
        console.output = output.writing
        console.errors = terminal.program
        console.errorsIsTerminal = true
        let context = Context(console: console, environment: Environment(["TERM": "xterm"]))
        #expect(Searchctl.run(["--socket", daemon.path, "search", "x"], context) == .found)
        console.write("end", to: terminal.program)
        #expect(try terminal.shown(until: "end").contains("no connection") == told)
    }

    @Test func `with --format fzf, messages are omitted on a terminal but written to a file`() throws {
        let terminal = try PseudoTerminal()
        let daemon = try daemon(hits: 1)
        var console = Console()
        console.output = terminal.program
        console.errors = terminal.program
        console.errorsIsTerminal = true
        let context = Context(console: console, environment: Environment(["TERM": "xterm"]))
        let words = ["--socket", daemon.path, "search", "x", "--format", "fzf"]
        #expect(Searchctl.run(words, context) == .found)
        console.write("end", to: terminal.program)
        #expect(try !terminal.shown(until: "end").contains("no connection"))
        let run = Run("search", "x", "--format", "fzf", in: directory, socket: daemon.path)
        #expect(run.errors.contains("c.d"))
    }

    @Test(arguments: [
        ("/dev/full", O_WRONLY, "No space left on device. Free some"), ("/dev/null", O_RDONLY, "Bad file"),
    ])
    func `an output that can't be written is an error`(path: String, mode: Int32, reason: String) throws {
        let daemon = try daemon(hits: 1)
        var console = Console()
        console.output = unsafe open(path, mode | O_CLOEXEC)
        defer { close(console.output) }
        console.errors = unsafe open(directory.file("errors"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(console.errors) }
        let context = Context(console: console, environment: Environment([:]))
        #expect(Searchctl.run(["--socket", daemon.path, "search", "x"], context) == .tryLater)
        let errors = try #require(directory.contents(of: "errors"))
        #expect(errors.hasPrefix("searchctl: the output can't be written: \(reason)"))
        #expect(Searchctl.run(["--version"], context) == .tryLater)
    }
}

struct SearchProgressTests {
    private let directory = TemporaryDirectory()

    private static func note(_ method: String, _ params: String) -> String {
        #"{"jsonrpc":"2.0","method":"search/\#(method)","params":{"request":1,\#(params)}}"#
    }

    private static let hit = note("hits", #""source":"a.b","hits":[{"id":"a.b:1","source":"a.b","title":"하나"}]"#)
    private static let answer =
        #"{"jsonrpc":"2.0","id":1,"result":{"query":"x","sort":"relevance","order":["a.b:1"],"#
        + #""sources":[{"source":"a.b","status":"ok"}],"next":null,"complete":true,"elapsed":200}}"#

    private func run(_ notes: [String], until seen: String) throws -> (asked: String, shown: String) {
        let terminal = try PseudoTerminal(columns: 100)
        let (asked, hasSeen) = (Seen(), Pipe())
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            asked.add(try connection.line())
            for note in notes { try connection.send(note) }
            _ = try DescriptorIO.read(hasSeen.reading, bytesMax: 1)
            try connection.send(Self.hit, Self.answer)
            _ = try connection.rest()
        }
        var console = terminal.console
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

    @Test func `the progress line shows how many sources have answered, and disappears at the end`() throws {
        let run = try run(
            [
                Self.note("progress", #""answered":0,"asked":5"#),
                Self.note("progress", #""answered":3,"asked":5"#),
            ],
            until: "3 of 5 sources"
        )
        #expect(run.asked.contains(#""progress":true"#))
        let after = try #require(run.shown.split(separator: "3 of 5 sources").last)
        #expect(after.hasPrefix("\r\u{1B}[K"))
        #expect(after.contains("하나"))
    }

    @Test func `the progress line appears after a moment even without further events`() throws {
        let run = try run([Self.note("progress", #""answered":0,"asked":2"#)], until: "0 of 2 sources")
        #expect(run.shown.hasPrefix("\r\u{1B}[K0 of 2 sources\r\u{1B}[K"))
    }

}
