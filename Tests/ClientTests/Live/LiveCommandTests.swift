import EventLoop
import Glibc
import RPC
import Terminal
import TestSupport
import Testing

@testable import Client

struct LiveCommandTests {
    private let directory = TemporaryDirectory()

    private func daemon(hit: String = LiveScript.hit("1")) throws -> ScriptedDaemon {
        let end = LiveScript.end().replacing(#""order":[]"#, with: #""hits":[\#(hit)]"#)
        return try ScriptedDaemon(
            at: directory.file("socket"),
            [
                .hello: Documents.hello(user: 0), .historyList: #"{"entries":[]}"#, .suggest: #"{"suggestions":[]}"#,
                .libraryList: #"{"items":[],"total":0,"revision":3,"next":null}"#,
                .libraryWatch: #"{"subscription":1,"revision":3,"inserted":[],"updated":[],"deleted":[]}"#,
                .search: end, .image: #"{"type":"image/png","data":"\#(PictureDrawerTests.png)","bytes":464}"#,
            ]
        )
    }

    private func context(_ terminal: PseudoTerminal, _ variables: [String: String] = [:]) -> Context {
        var console = Console()
        console.input = terminal.program
        console.output = terminal.program
        console.errors = terminal.program
        console.outputIsTerminal = true
        let usual = ["TERM": "xterm", "LANG": "C.UTF-8"]
        return Context(console: console, environment: Environment(usual.merging(variables) { $1 }))
    }

    @Test func `it takes the screen, searches, and gives the terminal back as it was`() throws {
        let daemon = try daemon()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        _ = try WorkerThread {
            _ = try? terminal.shown(until: "Hits come")
            terminal.type("고")
            _ = try? terminal.shown(until: "제목 1")
            terminal.type("\rq")
            _ = try? terminal.shown(until: "\u{1B}[?1049l")
        }
        let status = Searchctl.run(["--socket", daemon.path, "live"], context(terminal))
        #expect(status == .found)
        #expect(terminal.echoes)
        #expect(daemon.methods.contains(.libraryWatch))
        #expect(daemon.params(of: .search).contains { $0.contains("고") })
    }

    @Test func `a picture comes from the daemon through chafa onto the screen`() throws {
        let daemon = try daemon(hit: LiveScript.pictured("1"))
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        _ = try WorkerThread {
            _ = try? terminal.shown(until: "Hits come")
            terminal.type("고")
            // A colour of the background, which nothing but a picture has.
            _ = try? terminal.shown(until: ";48;2;")
            terminal.type("\rq")
            _ = try? terminal.shown(until: "\u{1B}[?1049l")
        }
        // It can't be asked, so that no time counts.
        let variables = ["TERM": "linux", "COLORTERM": "truecolor", "PATH": "/usr/bin:/usr/local/bin"]
        #expect(Searchctl.run(["--socket", daemon.path, "live"], context(terminal, variables)) == .found)
        #expect(daemon.params(of: .image) == [#"{"url":"https://pictures.example/1.jpg"}"#])
    }

    @Test func `a terminal that can't be drawn on is refused, with what works there`() {
        let dumb = Run("live", in: directory, socket: "/x", isTerminal: true, environment: ["TERM": "dumb"])
        #expect(dumb.status == .usage)
        #expect(dumb.errors.contains("--plain"))
        let piped = Run("live", in: directory, socket: "/x")
        #expect(piped.status == .usage)
    }

    @Test func `line by line, a line is searched for and a number means a hit`() throws {
        let daemon = try daemon()
        let input = "고양이\n:open 1 --print\n:live\n:quit\n고래\n"
        let environment = ["TERM": "xterm", "XDG_STATE_HOME": directory.file("state")]
        let run = Run(
            ["live", "--plain"],
            in: directory,
            socket: daemon.path,
            input: input,
            environment: environment,
            terminal: "/dev/pts/1"
        )
        #expect(run.status == .found)
        #expect(run.output.contains("1. 제목 1"))
        #expect(run.output.contains("https://a.example/1"))
        #expect(run.errors.contains("“live” takes the whole terminal."))
        #expect(daemon.params(of: .search).count == 1)
    }

    @Test func `the lines of the plain mode are command lines`() {
        var page = 1
        let options = ["--source=@books"]
        #expect(
            PlainSession.words(" 고양이  사료 ", page: &page, options)
                == ["search", "--plain", "--no-pager", "--source=@books", "--", "고양이 사료"]
        )
        #expect(PlainSession.words("", page: &page, options).suffix(2) == ["--page", "2"])
        #expect(PlainSession.words("  ", page: &page, options).suffix(2) == ["--page", "3"])
        #expect(PlainSession.words(":tag 1 여름", page: &page, options) == ["tag", "1", "여름"])
        _ = PlainSession.words("-x", page: &page, [])
        #expect(page == 1)
    }

    @Test(arguments: [("", ""), ("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj"), ("고", "6rOg")])
    func `the clipboard gets a link in base64`(text: String, base64: String) {
        #expect(Clipboard.sequence(text) == Array("\u{1B}]52;c;\(base64)\u{7}".utf8))
    }
}
