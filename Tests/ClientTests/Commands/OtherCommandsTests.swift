import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct OtherCommandsTests {
    private let directory = TemporaryDirectory()

    /// A daemon that answers each request by its method.
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

    @Test func `ping prints the answer, or a sentence`() throws {
        let daemon = try daemon([.ping: #"{"uptime":3661.5}"#])
        let json = Run("ping", "--json", in: directory, socket: daemon.path)
        #expect(json.status == .found)
        #expect(json.output == "{\"uptime\":3661.5}\n")
        let text = Run("ping", in: directory, socket: daemon.path)
        #expect(text.output.hasPrefix("searchd answers in "))
        #expect(text.output.hasSuffix(", up 1 h 1 min\n"))
    }

    @Test func `reload tells what has changed`() throws {
        let answer =
            #"{"changed":["accounts.kakao"],"sources":{"added":["a.b"],"removed":[],"changed":[]},"needsRestart":["socket"]}"#
        let daemon = try daemon([.reload: answer])
        let text = Run("reload", in: directory, socket: daemon.path)
        #expect(text.status == .found)
        #expect(
            text.lines == [
                "Reloaded.", "changed: accounts.kakao", "new sources: a.b", "takes effect after a restart: socket",
            ]
        )
        #expect(Run("reload", "--json", in: directory, socket: daemon.path).output == answer + "\n")
    }

    @Test func `a reload that is refused is a matter of the configuration, and starts no daemon`() throws {
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

    @Test func `call prints notifications as they are and the result alone`() throws {
        let daemon = try daemon([.search: #"{"order":[]}"#])
        let run = Run("call", "search", "{\n \"query\": \"x\"\r\n}", in: directory, socket: daemon.path)
        #expect(run.status == .found)
        #expect(run.lines == [#"{"method":"search/hits","params":{"request":1,"hits":[]}}"#, #"{"order":[]}"#])
    }

    @Test func `call tells the daemon's error and its status`() throws {
        let daemon = try daemon([:])
        let run = Run("call", "serach", in: directory, socket: daemon.path)
        #expect(run.status == .usage)
        #expect(run.errors == "searchctl: there is no method “serach”.\n")
    }

    @Test(arguments: ["{", "3", "\"a\"", "{} {}", "{\"a\":1,}"]) func `call refuses what is no parameters`(
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
    func `call with a dash ends with the status of the first error`(line: String, status: Client.ExitStatus) throws {
        let limited = ScriptedDaemon.failure("rateLimited", "rate limit reached", code: -32003)
        let daemon = try ScriptedDaemon(at: directory.file("socket"), [.ping: "{}", .search: limited])
        let input = line + "\n" + #"{"jsonrpc":"2.0","id":2,"method":"server/ping"}"# + "\n"
        let run = Run("call", "-", in: directory, socket: daemon.path, input: input)
        #expect(run.status == status)
        #expect(run.lines.count == 2)
    }

    @Test(arguments: ["", "\n"]) func `call with a dash passes lines both ways, also an unfinished last one`(
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

    @Test func `call with a dash passes more than any buffer holds`() throws {
        let daemon = try daemon([.ping: #"{"text":"\#(String(repeating: "y", count: 500))"}"#])
        let line =
            #"{"jsonrpc":"2.0","id":1,"method":"server/ping","params":{"x":"\#(String(repeating: "x", count: 500))"}}"#
        let input = String(repeating: line + "\n", count: 3000)
        let run = Run("call", "-", in: directory, socket: daemon.path, input: input)
        #expect(run.status == .found)
        #expect(run.lines.count == 3000)
    }

    @Test func `a daemon that ends before the input is a lost connection`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { _ in }
        let pipe = Pipe()
        var console = Console()
        console.input = pipe.reading
        console.output = pipe.writing
        let context = Context(console: console, environment: Environment([:]))
        #expect(Searchctl.run(["--socket", daemon.path, "--color", "never", "call", "-"], context) == .noDaemon)
    }

    @Test func `help and version go to standard output, their lack to standard error`() {
        let help = Run("--help", in: directory)
        #expect(help.status == .found)
        #expect(help.output.hasPrefix("Usage:"))
        #expect(Run("--version", in: directory).output == "searchctl \(Version.program) (protocol 1)\n")
        let nothing = Run(in: directory)
        #expect(nothing.status == .usage)
        #expect(nothing.output.isEmpty && nothing.errors.hasPrefix("Usage:"))
    }
}
