import EventLoop
import Glibc
import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct OtherCommandsTests {
    private let directory = TemporaryDirectory()

    private func daemon(_ answers: [MethodName: String]) throws -> FakeDaemon {
        try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                let request = try JSONDocument(Array(line.utf8)).root
                let id = request[.id]?.int ?? 0
                let name = request[.method]?.string ?? ""
                let method = request[.method]?.word(MethodName.self)
                if method == .search {
                    try connection.send(#"{"method":"search/hits","params":{"request":1,"hits":[]}}"#)
                }
                if let answer = method.flatMap({ answers[$0] }) {
                    try connection.send(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(answer)}"#)
                } else {
                    try connection.send(
                        #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32601,"message":"there is no method “\#(name)”","#
                            + #""data":{"kind":"methodNotFound"}}}"#
                    )
                }
            }
        }
    }

    @Test func `“searchctl reload” reports a refused configuration, and never starts a daemon`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            try connection.send(
                #"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"/c:1:3: wrong","data":{"kind":"invalidParams"}}}"#
            )
        }
        let run = Run("reload", in: directory, socket: daemon.path)
        #expect(run.status == .notConfigured)
        #expect(run.errors.contains("/c:1:3: wrong"))
        #expect(Run("reload", in: directory, socket: directory.file("none")).status == .noDaemon)
    }

    @Test func `“searchctl web” ends with 77 if it may not use the port, and with 75 if the port is in use`() {
        let statuses = [EACCES, EADDRINUSE].map {
            ExitStatus(of: WebCommand.refusal(SystemError(call: "bind", number: $0)))
        }
        #expect(statuses == [.notAllowed, .tryLater])
    }

    @Test func `“searchctl call” prints whole notifications, but only the result of a response`() throws {
        let daemon = try daemon([.search: #"{"order":[]}"#])
        let run = Run("call", "search", "{\n \"query\": \"x\"\r\n}", in: directory, socket: daemon.path)
        #expect(run.status == .found)
        #expect(run.lines == [#"{"method":"search/hits","params":{"request":1,"hits":[]}}"#, #"{"order":[]}"#])
    }

    @Test func `“searchctl call” records a search only if PARAMS requests this`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket"), [.search: "{}"])
        for params in [#"{"query":"x"}"#, #"{"query":"x","history":true}"#] {
            _ = Run("call", "search", params, in: directory, socket: daemon.path)
        }
        let recorded = try daemon.params(of: .search).map { try JSONDocument(Array($0.utf8)).root[.history]?.bool }
        #expect(recorded == [false, true])
    }

    @Test(arguments: ["{", "3", "\"a\"", "{} {}", "{\"a\":1,}"]) func `“searchctl call” refuses invalid parameters`(
        params: String
    ) {
        let run = Run("call", "x", params, in: directory, socket: "/nonexistent/socket")
        #expect(run.status == .usage)
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","id":1,"method":"server/ping"}"#, Client.ExitStatus.found),
        (#"{"jsonrpc":"2.0","id":1,"method":"x"}"#, .usage),
        (#"{"jsonrpc":"2.0","id":1,"method":"search"}"#, .tryLater),
    ])
    func `“searchctl call -” exits with the status of the first error`(line: String, status: Client.ExitStatus) throws {
        let limited = FakeDaemon.failure("rateLimited", "rate limit reached", code: -32003)
        let daemon = try FakeDaemon(at: directory.file("socket"), [.ping: "{}", .search: limited])
        let input = line + "\n" + #"{"jsonrpc":"2.0","id":2,"method":"server/ping"}"# + "\n"
        let run = Run("call", "-", in: directory, socket: daemon.path, input: input)
        #expect(run.status == status)
        #expect(run.lines.count == 2)
    }

    @Test(arguments: ["", "\n"]) func `“searchctl call -” sends every line, even a last line without a line feed`(
        end: String
    ) throws {
        let daemon = try daemon([.ping: "{}"])
        let input =
            #"{"jsonrpc":"2.0","id":1,"method":"server/ping"}"# + "\n" + #"{"jsonrpc":"2.0","id":2,"method":"x"}"# + end
        let run = Run("call", "-", in: directory, socket: daemon.path, input: input)
        #expect(run.status == .usage)
        #expect(run.lines.count == 2)
        #expect(run.lines.first == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    }

    @Test func `“searchctl call -” fails if the daemon closes the connection first`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { _ in }
        let pipe = Pipe()
        var console = Console()
        console.input = pipe.reading
        console.output = pipe.writing
        let context = Context(console: console, environment: Environment([:]))
        #expect(Searchctl.run(["--socket", daemon.path, "--color", "never", "call", "-"], context) == .noDaemon)
    }

    @Test func `the help is on standard output with --help, and on standard error without arguments`() {
        let help = Run("--help", in: directory)
        #expect(help.status == .found)
        #expect(help.output.hasPrefix("Usage:"))
        #expect(Run("--version", in: directory).output == "searchctl \(Version.program) (protocol 1)\n")
        let search = Run("search", "--help", "all", in: directory).output
        #expect(search.contains("stop waiting after TIME (without a unit: seconds)"))
        let nothing = Run(in: directory)
        #expect(nothing.status == .usage)
        #expect(nothing.output.isEmpty && nothing.errors.hasPrefix("Usage:"))
    }
}

struct CacheCommandTests {
    private let directory = TemporaryDirectory()

    private func daemon(_ method: MethodName, _ result: @escaping @Sendable (JSONCursor?) -> String) throws
        -> FakeDaemon
    {
        try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                let request = try JSONDocument(Array(line.utf8)).root
                #expect(request[.method]?.word() == method)
                try connection.send(#"{"jsonrpc":"2.0","id":1,"result":\#(result(request[.params]))}"#)
            }
        }
    }

    @Test(arguments: [
        ([], "{}"), (["--source", "kakao.*"], #"{"source":"kakao.*"}"#), (["--query", "고양이"], #"{"query":"고양이"}"#),
        (["-s", "a.b", "--query", "x"], #"{"source":"a.b","query":"x"}"#),
    ])
    func `“cache clear” sends the given filter and prints the number of removed pages`(
        options: [String],
        params: String
    ) throws {
        let daemon = try daemon(.cacheClear) { params in
            #"{"removed":1200,"params":\#(params.map { String(decoding: $0.text, as: UTF8.self) } ?? "null")}"#
        }
        let text = Run(["cache", "clear"] + options, in: directory, socket: daemon.path)
        #expect(text.status == .found)
        #expect(text.output == "1,200 pages removed\n")
        let json = Run(["cache", "clear", "--json"] + options, in: directory, socket: daemon.path)
        #expect(json.output == "{\"removed\":1200,\"params\":\(params)}\n")
    }
}

@Suite struct SuggestCommandTests {
    private let directory = TemporaryDirectory()

    private static let suggestions = [
        #"{"text":"고양이 사료","kind":"history","count":1200,"at":"2024-03-09T02:51:51.120Z"}"#,
        #"{"text":"고래\u001b[2J","kind":"title","count":1,"at":"2024-03-09T02:51:51Z"}"#,
        #"{"text":"고요","kind":"saved","count":1,"at":"2024-03-09T02:51:51Z"}"#,
    ]

    private func daemon(_ suggestions: [String] = suggestions) throws -> FakeDaemon {
        try FakeDaemon(
            at: directory.file("socket"),
            [.suggest: #"{"suggestions":[\#(suggestions.joined(separator: ","))]}"#]
        )
    }

    @Test func `in a pipe, “suggest” prints only texts, and on a terminal also their kind and age`() throws {
        let daemon = try daemon()
        let piped = Run("suggest", "고", in: directory, socket: daemon.path)
        #expect(piped.status == .found && piped.errors.isEmpty)
        #expect(piped.lines[0] == "고양이 사료" && piped.lines[2] == "고요")
        #expect(!piped.output.contains("\u{1B}"))
        let read = Run(
            "suggest",
            "고",
            in: directory,
            socket: daemon.path,
            isTerminal: true,
            environment: ["NO_COLOR": "1"]
        )
        #expect(read.lines[0].hasPrefix("고양이 사료  (searched 1,200 times, "))
        #expect(read.lines[1].contains("(seen, ") && read.lines[2].contains("(saved, "))
        #expect(!read.output.contains("\u{1B}"))
        #expect(Run("suggest", "--json", "고", in: directory, socket: daemon.path).lines == Self.suggestions)
    }

}
