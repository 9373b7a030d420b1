import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

@Suite struct HistoryCommandTests {
    private let directory = TemporaryDirectory()

    /// A daemon that takes one method and answers by its parameters.
    private func daemon(_ method: MethodName, _ result: @escaping @Sendable (String) -> String) throws -> FakeDaemon {
        try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                let request = try JSONDocument(Array(line.utf8)).root
                #expect(request[.method]?.word() == method)
                let params = request[.params].map { String(decoding: $0.text, as: UTF8.self) } ?? ""
                try connection.send(#"{"jsonrpc":"2.0","id":1,"result":\#(result(params))}"#)
            }
        }
    }

    private static let entries = [
        #"{"query":"고양이 사료","at":"2024-03-09T02:51:51.120Z","count":1200,"sources":["kakao.blog"]}"#,
        #"{"query":"swift\u001b[2J","at":"2024-03-09T02:51:51Z","count":1,"sources":[]}"#,
    ]

    @Test(arguments: [
        (["history"], "{}"), (["history", "고양이", "사"], #"{"prefix":"고양이 사"}"#),
        (["history", "-n", "5"], #"{"limit":5}"#),
    ])
    func `a prefix and a number are passed on`(_ words: [String], _ params: String) throws {
        let daemon = try daemon(.historyList) { got in
            #expect(got == params)
            return #"{"entries":[]}"#
        }
        #expect(Run(words, in: directory, socket: daemon.path).status == .nothingFound)
    }

    @Test(arguments: [
        (["clear"], "{}", 3, "removed 3 queries, and what they brought to “seen”"),
        (["clear", "고양이", "사료"], #"{"query":"고양이 사료"}"#, 1, "removed 1 query, and what it brought to “seen”"),
        (["clear", "x"], #"{"query":"x"}"#, 0, "nothing to remove"),
    ])
    func `clearing says what was removed`(_ words: [String], _ params: String, _ removed: Int, _ text: String) throws {
        let daemon = try daemon(.historyClear) { got in
            #expect(got == params)
            return "{\"removed\":\(removed)}"
        }
        let run = Run(["history"] + words, in: directory, socket: daemon.path)
        #expect(run.status == .found)
        #expect(run.output == text + "\n")
        #expect(
            Run(["history", "--json"] + words, in: directory, socket: daemon.path).output
                == "{\"removed\":\(removed)}\n"
        )
    }

    /// What becomes of `history clear` on a terminal with an answer typed to its question.
    private func cleared(
        _ words: [String] = [],
        answer: String = "",
        entries: [String] = HistoryCommandTests.entries
    ) throws -> (status: Client.ExitStatus, methods: [MethodName], errors: String?) {
        let directory = TemporaryDirectory()
        let daemon = try ScriptedDaemon(
            at: directory.file("socket"),
            [.historyList: "{\"entries\":[\(entries.joined(separator: ","))]}", .historyClear: #"{"removed":2}"#]
        )
        let terminal = try PseudoTerminal()
        var console = Console()
        (console.input, console.output, console.errors) = (terminal.program, terminal.program, terminal.program)
        (console.outputIsTerminal, console.errorsIsTerminal) = (true, true)
        terminal.type(answer)
        let context = Context(console: console, environment: Environment(["TERM": "xterm"]), zone: .fixed(hours: 9))
        let status = Searchctl.run(["--socket", daemon.path, "history", "clear"] + words, context)
        return (status, daemon.methods, answer.isEmpty ? nil : try terminal.shown(until: "[y/N] "))
    }

    @Test(arguments: ["y\n", " YES \n"])
    func `on a terminal, all is removed once that is confirmed`(answer: String) throws {
        let (status, methods, shown) = try cleared(answer: answer)
        #expect(status == .found)
        #expect(methods == [.historyList, .historyClear])
        let question = "Remove all of your history (2 queries) and what it brought to “seen”? [y/N] "
        #expect(shown?.contains(question) == true)
    }

    @Test(arguments: ["n\n", "\n", "yesterday\n", "\u{4}"])
    func `anything else but a yes removes nothing`(answer: String) throws {
        let (status, methods, _) = try cleared(answer: answer)
        #expect(status == .interrupted)
        #expect(methods == [.historyList])
    }

    @Test func `nothing is asked of one query, of an empty history, of a program, or with --yes`() throws {
        #expect(try cleared(["고양이"]).methods == [.historyClear])
        #expect(try cleared(["--json"]).methods == [.historyClear])
        #expect(try cleared(["--yes"]).methods == [.historyClear])
        #expect(try cleared(["-y"]).status == .found)
        #expect(try cleared(entries: []).methods == [.historyList, .historyClear])
        let daemon = try daemon(.historyList) { _ in #"{"entries":[]}"# }
        let list = Run(["history", "--yes"], in: directory, socket: daemon.path)
        #expect(list.status == .usage)
        #expect(list.errors.contains("“history clear”"))
    }
}

/// Searches without a network: what is here is marked with its age, and the rest is asked later.
struct MissedSearchesTests {
    private let directory = TemporaryDirectory()

    private var environment: [String: String] {
        ["TERM": "xterm", "XDG_RUNTIME_DIR": directory.path, "XDG_STATE_HOME": directory.path]
    }

    private static let hits =
        #"[{"id":"a.b:1","source":"a.b","title":"하나"},"#
        + #"{"id":"c.d:2","source":"c.d","title":"둘","alsoFrom":["seen"],"#
        + #""extra":{"fetchedAt":"1970-01-01T00:00:00Z"}}]"#

    private static func answer(_ status: String) -> String {
        #"{"sources":[{"source":"a.b","status":"ok","cache":"offline","age":7200.5},"#
            + #"{"source":"e.f",\#(status)}],"next":null,"complete":false,"hits":\#(hits)}"#
    }

    private static let ok = answer(#""status":"ok","cache":"miss""#)
    private static let skipped = answer(#""status":"skipped""#)

    private func run(_ daemon: ScriptedDaemon, _ words: String..., environment: [String: String]? = nil) -> Run {
        Run(words, in: directory, socket: daemon.path, environment: environment ?? self.environment)
    }

    private func daemon(_ answer: String, _ next: String? = nil) throws -> ScriptedDaemon {
        try ScriptedDaemon(at: directory.file("socket"), [.search: answer]) { method, answers in
            if method == .search, let next { answers[.search] = next }
        }
    }

    private func missed() -> [String] {
        (directory.contents(of: "searchctl/missed") ?? "").split(separator: "\n").map(String.init)
    }

    @Test func `what could not be asked is remembered once, and asked again in the background`() throws {
        let offline = try daemon(Self.skipped)
        let text = run(offline, "search", "--offline", "--plain", "-s", "a.b,e.f", "고양이")
        #expect(text.errors.contains("again --missed"))
        _ = run(offline, "search", "--offline", "-s", "a.b,e.f", "고양이")
        _ = run(offline, "search", "--offline", "강아지")
        _ = run(offline, "search", "--offline", "--private", "비밀")
        #expect(missed() == [#"["--source=a.b,e.f","--","고양이"]"#, #"["--","강아지"]"#], "\(missed())")
        let online = try ScriptedDaemon(at: directory.file("online"), [.search: Self.ok])
        let again = run(online, "again", "--missed", "--plain")
        #expect(again.status == .found)
        #expect(again.output.contains("고양이\n") && again.output.contains("강아지\n"))
        #expect(online.params(of: .search).count == 2)
        #expect(online.params(of: .search).allSatisfy { $0.contains(#""priority":"background""#) })
        #expect(online.params(of: .search).allSatisfy { !$0.contains("offline") })
        #expect(missed() == [])
        #expect(run(online, "again", "--missed").status == .nothingFound)
    }

    @Test func `a search that meets no network is missed, and stays so until there is one`() throws {
        let failure = #"!{"code":-32005,"message":"no network","data":{"kind":"unavailable","offline":true}}"#
        let daemon = try daemon(failure, Self.skipped)
        let text = run(daemon, "search", "--plain", "고양이")
        #expect(text.status == .found)
        #expect(missed().count == 1)
        let again = try ScriptedDaemon(at: directory.file("again"), [.search: failure])
        #expect(run(again, "again", "--missed").status != .found)
        #expect(missed().count == 1)
    }

    @Test(arguments: [
        #""status":"failed","error":{"code":-32005,"message":"answered 503","data":{"kind":"unavailable"}}"#,
        #""status":"skipped","reason":"suspended""#, #""status":"skipped""#,
        #""status":"late","error":{"code":-32007,"message":"late","data":{"kind":"timeout"}}"#,
    ])
    func `what is asked again and not answered by all stays missed, whatever was found`(_ status: String) throws {
        _ = run(try daemon(Self.skipped), "search", "--offline", "고양이")
        let daemon = try ScriptedDaemon(at: directory.file("again"), [.search: Self.answer(status)])
        let again = run(daemon, "again", "--missed", "--plain")
        #expect(again.status == .tryLater && again.output.contains("하나"))
        #expect(again.errors.contains("1 search is still incomplete"), "\(again.errors)")
        #expect(missed().count == 1)
        #expect(run(daemon, "again", "--missed", "--offline").status == .usage)
    }

    @Test(arguments: [
        #""status":"failed","error":{"code":-32002,"message":"refused","data":{"kind":"unauthorized"}}"#,
        #""status":"skipped","reason":"tooShort""#,
    ])
    func `what no second try would change is asked once`(_ status: String) throws {
        _ = run(try daemon(Self.skipped), "search", "--offline", "고양이")
        let daemon = try ScriptedDaemon(at: directory.file("again"), [.search: Self.answer(status)])
        #expect(run(daemon, "again", "--missed").status == .found)
        #expect(missed() == [])
    }

    @Test func `a search for which no source could be connected to is missed, one that was refused is not`() throws {
        let refused = try daemon(ScriptedDaemon.failure("unauthorized", "refused"))
        _ = run(refused, "search", "강아지")
        #expect(missed() == [])
        let unreachable = try ScriptedDaemon(
            at: directory.file("none"),
            [.search: ScriptedDaemon.failure("unavailable", "no connection", code: -32005)]
        )
        let text = run(unreachable, "search", "--plain", "고양이")
        #expect(text.status == .tryLater && text.errors.contains("again --missed"))
        #expect(missed().count == 1)
        _ = run(unreachable, "search", "--private", "비밀")
        #expect(run(unreachable, "again", "--missed").status == .tryLater)
        #expect(missed().count == 1)
    }

    @Test func `clearing the history forgets what this program keeps of it`() throws {
        let daemon = try ScriptedDaemon(
            at: directory.file("socket"),
            [.search: Self.skipped, .historyClear: #"{"removed":1}"#]
        )
        _ = run(daemon, "search", "--offline", "고양이  사료")
        _ = run(daemon, "search", "--offline", "강아지")
        #expect(missed().count == 2)
        _ = run(daemon, "history", "clear", "고양이 사료")
        #expect(missed().count == 1)
        #expect(directory.contents(of: "searchctl/last") != nil)
        _ = run(daemon, "history", "clear")
        #expect(missed().isEmpty)
        #expect(directory.contents(of: "searchctl/last") == nil)
    }
}
