import EventLoop
import Glibc
import RPC
import TestSupport
import Testing

@testable import Client

struct TopCommandTests {
    private let directory = TemporaryDirectory()

    private func daemon() throws -> ScriptedDaemon {
        try ScriptedDaemon(
            at: directory.file("socket"),
            [
                .hello: Documents.hello(version: "1.2.3", user: 0), .stats: #"{"uptime":1}"#,
                .sourceList: Documents.list(Documents.source("itunes.app")),
            ]
        )
    }

    /// Runs it on a terminal until it ends; what it showed.
    private func run(
        _ terminal: PseudoTerminal,
        socket: String,
        typing keys: String
    ) throws -> (status: Client.ExitStatus, shown: String) {
        var console = Console()
        console.input = terminal.program
        console.output = terminal.program
        console.errors = terminal.program
        console.outputIsTerminal = true
        let context = Context(console: console, environment: Environment(["TERM": "xterm", "NO_COLOR": "1"]))
        let shown = Seen()
        _ = try WorkerThread {
            let first = try? terminal.shown(until: "q quits")
            terminal.type(keys)
            let rest = try? terminal.shown(until: "\u{1B}[?1049l")
            shown.add(contentsOf: [(first ?? "") + (rest ?? "")])
        }
        let status = Searchctl.run(["--socket", socket, "top"], context)
        return (status, shown.wait(for: 1).joined())
    }

    @Test(arguments: [("q", Client.ExitStatus.found), ("\u{3}", .interrupted)])
    func `it takes the screen, and gives it back as it was`(keys: String, status: Client.ExitStatus) throws {
        let daemon = try daemon()
        let terminal = try PseudoTerminal(columns: 60, rows: 12)
        let run = try run(terminal, socket: daemon.path, typing: keys)
        #expect(run.status == status)
        #expect(run.shown.hasPrefix("\u{1B}[?1049h"))
        #expect(run.shown.contains("healthy"))
        #expect(run.shown.contains(" · searchd 1.2.3, up 1.0 s"))
        #expect(run.shown.hasSuffix("\u{1B}[?1049l"))
        #expect(run.shown.contains("itunes.app"))
        #expect(terminal.echoes)
    }

    @Test func `without a terminal it says what works instead`() throws {
        let run = Run("top", in: directory, socket: "/nonexistent/socket")
        #expect(run.status == .usage)
        #expect(run.errors.contains("“top” needs a terminal"))
        let dumb = Run("top", in: directory, socket: "/x", isTerminal: true, environment: ["TERM": "dumb"])
        #expect(dumb.status == .usage)
    }

    @Test func `a daemon that is not there is an error on the screen as it was`() throws {
        let terminal = try PseudoTerminal()
        var console = Console()
        console.input = terminal.program
        console.output = terminal.program
        console.errors = terminal.program
        console.outputIsTerminal = true
        let context = Context(console: console, environment: Environment(["TERM": "xterm"]))
        let words = ["--socket", directory.file("nobody"), "--no-start", "top"]
        #expect(Searchctl.run(words, context) == .noDaemon)
        let shown = try terminal.shown(until: "\r\n")
        #expect(shown.hasPrefix("searchctl: no searchd answers"))
        #expect(terminal.echoes)
    }
}
