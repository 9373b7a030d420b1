import Dispatch
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel
import Synchronization
import TestSupport
import Testing

@testable import Client

struct SearchCommandTests {
    private let directory = TemporaryDirectory()

    private static let hits = [
        #"{"id":"a.b:1","source":"a.b","title":"하나","rank":1}"#, #"{"id":"c.d:1","source":"c.d","title":"둘","rank":1}"#,
        #"{"id":"a.b:2","source":"a.b","title":"셋\u001b[31m","rank":2}"#,
    ]

    private func daemon(
        complete: Bool = true,
        order: String = #""c.d:1","a.b:2","a.b:1""#,
        more: String = "",
        seen: Seen = Seen()
    ) throws -> FakeDaemon {
        try FakeDaemon(at: directory.file("socket")) { connection in
            seen.add(try connection.line())
            for hit in Self.hits {
                try connection.send(
                    #"{"jsonrpc":"2.0","method":"search/hits","params":{"request":1,"hits":[\#(hit)]}}"#
                )
            }
            let failed = #","error":{"code":-32005,"message":"no connection","data":{"kind":"unavailable"}}"#
            try connection.send(
                #"{"jsonrpc":"2.0","method":"search/source","params":{"request":1,"source":"a.b","status":"ok"}}"#,
                #"{"jsonrpc":"2.0","method":"something/new","params":{}}"#,
                #"{"jsonrpc":"2.0","id":1,"result":{"query":"x","sort":"relevance","order":[\#(order)]\#(more),"sources":["#
                    + #"{"source":"a.b","status":"ok","cache":"hit","count":2},{"source":"c.d","status":"#
                    + (complete ? #""ok""# : #""failed"\#(failed)"#)
                    + #"}],"next":null,"complete":\#(complete),"elapsed":0.5}}"#
            )
            seen.add(contentsOf: try connection.rest())
        }
    }

    private static let merged = [hits[1], hits[2], hits[0]]

    @Test func `a hit is printed with the other sources that found it`() throws {
        let daemon = try daemon(more: #","alsoFrom":{"c.d:1":["a.b"]}"#)
        let run = Run("search", "x", in: directory, socket: daemon.path)
        #expect(run.lines[1...] == Self.merged[1...])
        #expect(run.lines[0] == Self.merged[0].dropLast() + #","alsoFrom":["a.b"]}"#)
        #expect(Run("search", "x", "--plain", in: directory, socket: daemon.path).output.contains("c.d +1\n"))
    }

    @Test func `plain text lists the hits in merged order, and page 2 continues the numbers`() throws {
        let daemon = try daemon()
        let run = Run("search", "x", "--plain", "-n", "20", "--page", "2", in: directory, socket: daemon.path)
        #expect(run.status == .found)
        #expect(run.lines.filter { $0.contains(". ") } == ["21. 둘", "22. 셋\\u{1b}[31m", "23. 하나"])
        #expect(run.errors == "3 hits · cached · 0.5 ms\n")
    }

    @Test(arguments: [["x", "-site:a.example"], ["x -until:2024"]])
    func `a negated filter such as -site: is refused`(words: [String]) throws {
        let run = Run(["search"] + words, in: directory, socket: try daemon().path)
        #expect(run.status == .usage)
        #expect(run.errors.contains(": is not supported; "))
    }

    @Test func `a streamed hit that is missing from the daemon's final order is not printed`() throws {
        let daemon = try daemon(order: #""a.b:1","c.d:1""#)
        let run = Run("search", "x", "--plain", in: directory, socket: daemon.path)
        #expect(run.lines.filter { $0.contains(". ") } == [" 1. 하나", " 2. 둘"])
        #expect(run.errors.hasPrefix("2 hits"))
    }

    @Test func `on a terminal, JSON is unchanged and has no styles, but titles in text are bold`() throws {
        let daemon = try daemon()
        let run = Run("search", "x", "--json", in: directory, socket: daemon.path, isTerminal: true)
        #expect(run.lines == Self.merged)
        let text = Run("search", "x", in: directory, socket: daemon.path, isTerminal: true)
        #expect(text.output.contains("\u{1B}[1m하나\u{1B}[0m"))
    }

    @Test func `a failed source causes a warning, or an error with --strict`() throws {
        let daemon = try daemon(complete: false)
        let lenient = Run("search", "x", in: directory, socket: daemon.path)
        #expect(lenient.status == .found)
        #expect(lenient.errors.contains("c.d"))
        #expect(Run("search", "x", "--strict", in: directory, socket: daemon.path).status == .sourceFailed)
    }

    @Test func `if all sources fail, each is named with its reason`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            let skip = #""c.d","status":"skipped","reason":"rateLimit","retryAfter":1200"#
            for source in [#""a.b","status":"late""#, skip] {
                let params = #"{"request":1,"source":\#(source)}"#
                try connection.send(#"{"jsonrpc":"2.0","method":"search/source","params":\#(params)}"#)
            }
            let data = #"{"kind":"unauthorized","source":"e.f"}"#
            let error = #"{"code":-32002,"message":"e.f answered 401","data":\#(data)}"#
            try connection.send(#"{"jsonrpc":"2.0","id":1,"error":\#(error)}"#)
            _ = try connection.rest()
        }
        let run = Run("search", "x", in: directory, socket: daemon.path)
        #expect(run.status == .notAllowed)
        let lines = ["a.b: no answer before the timeout.", "e.f: answered 401."].map { "searchctl: \($0)\n" }
        let notices = ["not asked: c.d (rate limit, 1.2 s)", "Set a key with: searchctl keys set e"].map { "\($0)\n" }
        #expect(run.errors == (lines + notices).joined())
    }

    @Test func `--quiet omits warnings and the summary, but not errors`() throws {
        let daemon = try daemon(complete: false)
        let run = Run("search", "x", "-q", "--plain", in: directory, socket: daemon.path)
        #expect(run.status == .found)
        #expect(run.errors.isEmpty)
        let wrong = Run("search", "x", "-q", "--since", "6m", in: directory, socket: daemon.path)
        #expect(wrong.errors.contains("6mo"))
    }

    @Test func `on a terminal a search waits only for enough hits, except with --json, --all or named sources`()
        throws
    {
        let seen = Seen()
        let daemon = try daemon(seen: seen)
        for words in [[], ["--json"], ["--all"], ["-s", "a.b,c"], ["-s", "a.b,@books"]] {
            _ = Run(["search", "x"] + words, in: directory, socket: daemon.path, isTerminal: true)
        }
        _ = Run("search", "x", "--plain", in: directory, socket: daemon.path)
        // “again” waits for slow sources. A new search and “again --page” do not.
        let environment = ["TERM": "xterm", "XDG_RUNTIME_DIR": directory.path]
        for words in [["search", "x"], ["again"], ["again", "--page", "2"]] {
            _ = Run(words, in: directory, socket: daemon.path, isTerminal: true, environment: environment)
        }
        let waits = try seen.lines.filter { $0.contains("query") }.map {
            try JSONDocument(Array($0.utf8)).root[.params]?[.wait]?.string
        }
        #expect(waits == ["enough", nil, nil, nil, "enough", nil, "enough", nil, "enough"])
    }

    @Test func `if --page is beyond the maximum of a merged list, the error names the last page`() throws {
        let refused = FakeDaemon.failure("invalidParams", "params.offset: no", code: -32602, path: "params.offset")
        let daemon = try FakeDaemon(at: directory.file("socket"), [.search: refused])
        let run = Run("search", "x", "-n", "9", "--page", "9999", in: directory, socket: daemon.path)
        #expect(run.status == .usage && run.errors.contains("--page 9999 is past the first 5,000 hits. "))
        #expect(run.errors.contains("The last page of a merged or sorted list is --page 556. "))
    }

    @Test func `on a terminal, sources that were too slow are named once`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            try connection.send(
                #"{"id":1,"result":{"hits":[\#(Self.hits[0])],"sources":[{"source":"a.b","status":"ok"},"#
                    + #"{"source":"c.d","status":"late","error":{"code":-32007,"message":"c.d is late","data":{"kind":"timeout"}}},"#
                    + #"{"source":"e.f","status":"skipped","reason":"tooShort"}],"complete":false,"elapsed":3}}"#
            )
        }
        let terminal = Run("search", "x", in: directory, socket: daemon.path, isTerminal: true)
        #expect(terminal.status == .found)
        #expect(
            terminal.errors
                == "1 hit · 3.0 ms\nslow, not waited for (3.0 ms): c.d; “searchctl again” waits for them\n"
        )
        let strict = Run("search", "x", "--strict", in: directory, socket: daemon.path, isTerminal: true)
        #expect(strict.status == .sourceFailed)
        let program = Run("search", "x", "--strict", in: directory, socket: daemon.path)
        #expect(program.status == .sourceFailed)
        #expect(program.errors.contains("c.d"))
    }

    @Test func `a search requests a stream with the given options`() throws {
        let seen = Seen()
        let daemon = try daemon(seen: seen)
        _ = Run("search", "고양이", "-n", "5", in: directory, socket: daemon.path)
        let request = try JSONDocument(Array(try #require(seen.lines.first).utf8)).root
        #expect(request[.method]?.word() == MethodName.search)
        #expect(
            request[.params]?.value == ["query": "고양이", "limit": 5, "stream": true, "history": false]
        )
    }

    @Test func `words such as site:example.org in the query are sent as filters`() throws {
        let seen = Seen()
        let daemon = try daemon(seen: seen)
        _ = Run("search", "고양이", "site:example.org", "until:2024", "at:5", in: directory, socket: daemon.path)
        let params = try JSONDocument(Array(try #require(seen.lines.first).utf8)).root[.params]
        #expect(params?[.query]?.string == "고양이 at:5")
        #expect(params?[.filter]?[.site]?.string == "example.org")
        #expect(params?[.filter]?[.until]?.string?.hasPrefix("2024-12-31") == true)
    }

    @Test(arguments: ["quotaExhausted", "rateLimit"])
    func `a used-up quota or rate is reported even with enough hits, and is a failure with --strict`(
        reason: String
    ) throws {
        let daemon = try FakeDaemon(
            at: directory.file("socket"),
            [
                .search: #"{"hits":[\#(Self.hits[0])],"next":"more","complete":true,"sources":["#
                    + #"{"source":"a.b","status":"ok"},{"source":"c.d","status":"skipped","reason":"\#(reason)"}]}"#
            ]
        )
        let text = reason == "rateLimit" ? "c.d (rate limit); “searchctl again” asks again" : "c.d (quota used up)"
        for words in [["--plain"], ["--json"]] {
            let run = Run(["search", "x", "-n", "1"] + words, in: directory, socket: daemon.path)
            #expect(run.status == .found)
            #expect(run.errors.hasSuffix("not asked: \(text)\n"))
        }
        #expect(Run("search", "x", "-n", "1", "--strict", in: directory, socket: daemon.path).status == .sourceFailed)
    }

    @Test func `an empty result has its own exit status`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            try connection.send(#"{"id":1,"result":{"sources":[],"order":[],"complete":true,"elapsed":0.1}}"#)
        }
        let run = Run("search", "x", "--plain", in: directory, socket: daemon.path)
        #expect(run.status == .nothingFound)
        #expect(run.errors == "nothing found · 0.1 ms\n")
        #expect(run.output.isEmpty)
    }

    @Test func `hits received before the daemon disconnects are printed`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            try connection.send(#"{"method":"search/hits","params":{"request":1,"hits":[\#(Self.hits[0])]}}"#)
        }
        let run = Run("search", "x", "-s", "a.b", in: directory, socket: daemon.path)
        #expect(run.status == .noDaemon)
        #expect(run.lines == [Self.hits[0]])
        #expect(run.errors.contains("closed the connection"))
    }

    @Test(arguments: [([], false), (["--plain"], true)])
    func `Ctrl-C cancels the search, prints the received hits and exits with 130`(words: [String], isText: Bool) throws
    {
        let seen = Seen()
        let interrupt = Pipe()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            for hit in Self.hits {
                try connection.send(#"{"method":"search/hits","params":{"request":1,"hits":[\#(hit)]}}"#)
            }
            interrupt.signal()
            seen.add(contentsOf: try connection.rest())
        }
        let run = Run(["search", "x"] + words, in: directory, socket: daemon.path, interrupt: interrupt.reading)
        #expect(run.status == .interrupted)
        // `seen` gets this line after searchctl has closed the connection.
        #expect(seen.wait(for: 1) == [#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#])
        if isText {
            #expect(run.lines.filter { $0.contains(". ") } == [" 1. 하나", " 2. 둘", " 3. 셋\\u{1b}[31m"])
            #expect(run.errors == "interrupted · 3 hits\n")
        } else {
            #expect(run.lines == [Self.hits[0], Self.hits[1], Self.hits[2]])
            #expect(run.errors.isEmpty)
        }
    }

    @Test func `if the reader closes the pipe, the command ends without a message and closes its connection`() throws {
        // searchctl ignores SIGPIPE when it starts. In this test, the test process must ignore SIGPIPE.
        signal(SIGPIPE, SIG_IGN)
        let seen = Seen()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            try connection.send(#"{"method":"search/hits","params":{"request":1,"hits":[\#(Self.hits[0])]}}"#)
            seen.add(contentsOf: try connection.rest())
        }
        var ends: [Int32] = [-1, -1]
        // The array has room for both descriptors.
        _ = unsafe pipe(&ends)
        close(ends[0])
        var console = Console()
        console.output = ends[1]
        let context = Context(console: console, environment: Environment([:]))
        let status = Searchctl.run(["--socket", daemon.path, "search", "x"], context)
        close(ends[1])
        #expect(status == .found)
        #expect(seen.wait(for: 1).count <= 1)
    }

}
