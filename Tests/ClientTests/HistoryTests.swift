import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

@Suite struct HistoryCommandTests {
    private let directory = TemporaryDirectory()

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
        (["clear", "--yes"], "{}", 3, "removed 3 history entries, and the hits from “seen”"),
        (["clear", "--yes"], "{}", 0, "removed 0 history entries, and the hits from “seen”"),
        (
            ["clear", "고양이", "사료"], #"{"query":"고양이 사료"}"#, 1,
            "removed 1 history entry for “고양이 사료”, and the hits from “seen”"
        ),
        (
            ["clear", "x"], #"{"query":"x"}"#, 0,
            "no history entry for “x”; a new backup of your library replaces the old ones, which may contain it"
        ),
    ])
    func `“history clear” prints how many entries were removed`(
        _ words: [String],
        _ params: String,
        _ removed: Int,
        _ text: String
    ) throws {
        let daemon = try FakeDaemon(at: directory.file("socket"), [.historyClear: "{\"removed\":\(removed)}"])
        let run = Run(["history"] + words, in: directory, socket: daemon.path)
        #expect(
            run.status
                == (text
                    == "no history entry for “x”; a new backup of your library replaces the old ones, which may contain it"
                    ? .nothingFound : .found)
        )
        #expect(run.output == text + "\n")
        #expect(
            Run(["history", "--json"] + words, in: directory, socket: daemon.path).output
                == "{\"removed\":\(removed)}\n"
        )
        #expect(daemon.params(of: .historyClear) == [params, params])
    }

    @Test func `“history remove” removes the search with the given number in the list`() throws {
        let daemon = try FakeDaemon(
            at: directory.file("socket"),
            [.historyList: "{\"entries\":[\(Self.entries.joined(separator: ","))]}", .historyClear: #"{"removed":1}"#]
        )
        let unsure = Run("history", "remove", "2", in: directory, socket: daemon.path)
        #expect(unsure.status == .usage && unsure.errors.contains("“searchctl history remove 2 --yes”"))
        #expect(Run("history", "remove", "2", "--yes", in: directory, socket: daemon.path).status == .found)
        #expect(daemon.params(of: .historyClear) == [#"{"query":"swift\u001b[2J"}"#])
        #expect(Run("history", "remove", "3", in: directory, socket: daemon.path).status == .nothingFound)
        #expect(Run("history", "remove", "x", in: directory, socket: daemon.path).status == .usage)
    }

    /// Runs `history clear` on a terminal and types an answer to its question.
    private func cleared(
        _ words: [String] = ["clear"],
        answer: String = "",
        entries: [String] = HistoryCommandTests.entries,
        damaged: String = ""
    ) throws -> (status: Client.ExitStatus, methods: [MethodName], errors: String?) {
        let directory = TemporaryDirectory()
        let daemon = try FakeDaemon(
            at: directory.file("socket"),
            [
                .historyList: "{\"entries\":[\(entries.joined(separator: ","))]}", .historyClear: #"{"removed":2}"#,
                .stats: #"{"personal":{"damaged":[\#(damaged)]}}"#,
            ]
        )
        let terminal = try PseudoTerminal()
        var console = Console()
        (console.input, console.output, console.errors) = (terminal.program, terminal.program, terminal.program)
        (console.outputIsTerminal, console.errorsIsTerminal) = (true, true)
        terminal.type(answer)
        let context = Context(console: console, environment: Environment(["TERM": "xterm"]), zone: .fixed(hours: 9))
        let status = Searchctl.run(["--socket", daemon.path, "history"] + words, context)
        let methods = daemon.methods.filter { $0 != .stats }
        // Long questions have several lines.
        let words = answer.isEmpty ? nil : try terminal.shown(until: "[y/N] ").split(whereSeparator: \.isWhitespace)
        return (status, methods, words?.joined(separator: " "))
    }

    @Test(arguments: ["y\n", " YES \n"])
    func `on a terminal, clearing the whole history needs a confirmation`(answer: String) throws {
        let (status, methods, shown) = try cleared(answer: answer)
        #expect(status == .found)
        #expect(methods == [.historyClear])
        #expect(shown?.contains("Remove all of your history, and all hits from “seen”? ") == true)
        #expect(shown?.contains(" A new backup of your library replaces the old ones. [y/N]") == true)
    }

    @Test func `before a damaged file of the library is removed, “history clear QUERY” asks`() throws {
        let damaged = #"{"file":"/s/damaged-6","at":"2026-11-20T10:00:00Z"},{"file":"/s/damaged-5"}"#
        let (status, methods, shown) = try cleared(["clear", "고양이"], answer: "n\n", damaged: damaged)
        #expect(status == .interrupted && methods.isEmpty)
        #expect(shown?.contains("Remove all searches for “고양이”, and their hits from “seen”? ") == true)
        #expect(shown?.contains(" Damaged files are removed, too: /s/damaged-6, /s/damaged-5. [y/N]") == true)
        let rows = #"{"at":"2026-11-20T10:00:00Z","restored":1,"lost":0}"#
        #expect(try cleared(["clear", "고양이"], damaged: rows).methods == [.historyClear])
    }

    @Test(arguments: ["n\n", "\n", "yesterday\n", "\u{4}"])
    func `if the answer to the confirmation is not “yes”, nothing is removed`(answer: String) throws {
        let (status, methods, _) = try cleared(answer: answer)
        #expect(status == .interrupted)
        #expect(methods.isEmpty)
    }

    @Test func `“history remove” asks before it removes all searches for the query`() throws {
        let (_, methods, shown) = try cleared(["remove", "1"], answer: "n\n", entries: [Self.entries[0]])
        #expect(methods == [.historyList])
        #expect(shown?.contains("Remove all searches for “고양이 사료”, and their hits from “seen”? ") == true)
        let (status, confirmed, _) = try cleared(["remove", "1"], answer: "y\n", entries: [Self.entries[0]])
        #expect(status == .found && confirmed == [.historyList, .historyClear])
    }

    @Test func `without a terminal, clearing the whole history needs --yes`() throws {
        let run = Run("history", "clear", "--json", in: directory, socket: directory.file("socket"))
        #expect(run.status == .usage)
        #expect(run.errors.contains("--yes"))
    }

    @Test func `“history clear” needs no confirmation with QUERY or --yes, and “history” refuses --yes`() throws {
        #expect(try cleared(["clear", "고양이"]).methods == [.historyClear])
        #expect(try cleared(["clear", "--yes"]).methods == [.historyClear])
        #expect(try cleared(["clear", "-y"]).status == .found)
        let daemon = try daemon(.historyList) { _ in #"{"entries":[]}"# }
        let list = Run(["history", "--yes"], in: directory, socket: daemon.path)
        #expect(list.status == .usage)
        #expect(list.errors.contains("“history” takes no --yes"))
    }
}
