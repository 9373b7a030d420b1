import Glibc
import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct RecallCommandsTests {
    private let directory = TemporaryDirectory()

    private var environment: [String: String] {
        ["TERM": "xterm", "XDG_RUNTIME_DIR": directory.path]
    }

    private func daemon(seen: Seen = Seen()) throws -> FakeDaemon {
        try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                seen.add(line)
                try connection.send(
                    #"{"jsonrpc":"2.0","id":1,"result":{"sources":[],"next":null,"complete":true,"hits":["#
                        + #"{"id":"a.b:1","source":"a.b","title":"하나","url":"https://a.example/1","extra":{"price":5}},"#
                        + #"{"id":"a.b:2","source":"a.b","title":"둘"}]}}"#
                )
            }
        }
    }

    private func run(_ words: String..., socket: String? = nil, environment: [String: String]? = nil) -> Run {
        Run(words, in: directory, socket: socket, environment: environment ?? self.environment, terminal: "/dev/pts/7")
    }

    @Test func `“searchctl again” repeats the last search with changed options`() throws {
        let seen = Seen()
        let daemon = try daemon(seen: seen)
        _ = run("search", "고양이", "-s", "a.b", "--page", "3", "--plain", "--explain", socket: daemon.path)
        let again = run("again", "-n", "5", "--page", "2", "--sort", "title", socket: daemon.path)
        #expect(again.status == .found)
        let lines = seen.lines
        #expect(lines.count == 2)
        #expect(lines.last?.contains(#""query":"고양이","sources":["a.b"],"sort":"title","offset":5,"limit":5"#) == true)
    }

    @Test func `“searchctl again N” repeats search N of the history in the same sources`() throws {
        let entries = #"{"entries":[{"query":"하나","sources":[]},{"query":"둘 셋","sources":["a.b"]}]}"#
        let daemon = try FakeDaemon(
            at: directory.file("socket"),
            [
                .historyList: entries, .search: #"{"sources":[],"next":null,"complete":true,"hits":[]}"#,
            ]
        )
        _ = run("search", "고양이", "-s", "a.b", socket: daemon.path)
        _ = run("again", "2", "-n", "5", socket: daemon.path)
        let repeated = #"{"query":"둘 셋","sources":["a.b"],"limit":5,"stream":true,"history":false}"#
        #expect(daemon.params(of: .search).last == repeated)
        let history = run("history", "--plain", socket: daemon.path).output
        #expect(history.contains("둘 셋 in a.b\n") && !history.contains("하나 in"))
        let missing = run("again", "3", socket: daemon.path)
        #expect(missing.status == .nothingFound && missing.errors.contains("your history has only 2 searches"))
    }

    @Test func `after a failed search, “again” repeats this search, but numbers refer to the earlier list`() throws {
        let seen = Seen()
        let daemon = try daemon(seen: seen)
        _ = run("search", "고양이", "--plain", socket: daemon.path)
        #expect(run("search", "개", "-s", "a.b", "--plain").status == .noDaemon)
        #expect(run("show", "1", "--field", "title", socket: daemon.path).output == "하나\n")
        _ = run("again", socket: daemon.path)
        #expect(seen.lines.last?.contains(#""query":"개","sources":["a.b"]"#) == true)
    }

    @Test func `“searchctl again” does not repeat a search that the daemon refused`() throws {
        let seen = Seen()
        let daemon = try daemon(seen: seen)
        _ = run("search", "고양이", "--plain", socket: daemon.path)
        let refusal = FakeDaemon.failure("invalidParams", "wrong", code: -32602, path: "params.filter.site")
        let refusing = try FakeDaemon(at: directory.file("refusing"), [.search: refusal])
        #expect(run("search", "개", "--site", "a/b", "--plain", socket: refusing.path).status == .usage)
        _ = run("again", socket: daemon.path)
        #expect(seen.lines.last?.contains(#""query":"고양이""#) == true)
    }

    @Test func `“searchctl again” with another number of hits begins at the first page`() throws {
        let seen = Seen()
        let daemon = try daemon(seen: seen)
        _ = run("search", "고양이", "--page", "3", "--plain", socket: daemon.path)
        _ = run("again", "-n", "3", socket: daemon.path)
        #expect(seen.lines.last?.contains("offset") == false)
        #expect(seen.lines.last?.contains(#""limit":3"#) == true)
    }

    @Test func `without a daemon, “searchctl show” prints a hit of the last search`() throws {
        let daemon = try daemon()
        _ = run("search", "고양이", "--plain", socket: daemon.path)
        let shown = run("show", "1", "--plain")
        #expect(shown.status == .found)
        #expect(shown.output.hasPrefix("하나\n"))
        for fact in ["price   5\n", "https://a.example/1\n", "a.b:1\n"] { #expect(shown.output.contains(fact)) }
        #expect(shown.errors.hasPrefix("searchctl: searchd could not be started"), "\(shown.errors)")
        #expect(run("show", "1", "--plain", "--quiet").errors == "")
        #expect(run("show", "a.b:2", "--field", "title").output == "둘\n")
        #expect(run("show", "3").status == .nothingFound)
        #expect(run("show", "1-2", "--field", "title").output == "하나\n둘\n")
        #expect(run("show", "2,1", "--field", "title").output == "둘\n하나\n")
    }

    @Test func `“searchctl open” passes the address of a hit to the browser`() throws {
        let daemon = try daemon()
        _ = run("search", "고양이", "--plain", socket: daemon.path)
        var environment = environment
        directory.write("#!/bin/sh\necho \"$1\" >\(directory.file("opened"))\n", to: "browser")
        #expect(unsafe chmod(directory.file("browser"), 0o700) == 0)
        environment["BROWSER"] = directory.file("browser")
        #expect(run("open", "1", environment: environment).status == .found)
        #expect(directory.contents(of: "opened") == "https://a.example/1\n")
        let without = run("open", "2", environment: environment)
        #expect(without.status == .nothingFound)
        #expect(without.errors.contains("no web address"))
        environment["BROWSER"] = "/nonexistent/browser"
        let nobody = run("open", "1", environment: environment)
        #expect(nobody.errors.contains("https://a.example/1"))
    }

    @Test(arguments: ["open", "save", "read"])
    func `a word that is not a complete web address is refused with a hint`(command: String) throws {
        let daemon = try daemon()
        for isSearched in [false, true] {
            if isSearched { _ = run("search", "고양이", "--plain", socket: daemon.path) }
            let bare = run(command, "example.org/a", socket: daemon.path)
            #expect(bare.status == .nothingFound && bare.errors.contains("Did you mean “https://example.org/a”?"))
            for word in ["ftp://a/b", "file:///etc/passwd"] {
                let other = run(command, word, socket: daemon.path)
                #expect(other.status == .usage && other.errors.contains("Begin it with http:// or https://."))
            }
        }
    }

    @Test(arguments: ["false", "w3m"]) func `a failing browser is an error`(name: String) throws {
        let daemon = try daemon()
        _ = run("search", "고양이", "--plain", socket: daemon.path)
        var environment = environment
        let browser = directory.file(name)
        directory.write("#!/bin/sh\nexit 4\n", to: name)
        #expect(unsafe chmod(browser, 0o700) == 0)
        environment["BROWSER"] = browser
        let failed = run("open", "1", environment: environment)
        #expect(failed.status == .tryLater)
        #expect(failed.errors.contains("could not open the page (exit status 4)"))
        #expect(failed.errors.contains("https://a.example/1"))
    }

    @Test func `“searchctl open --print” prints the addresses, and needs no browser`() throws {
        let daemon = try daemon()
        _ = run("search", "고양이", "--plain", socket: daemon.path)
        let printed = run("open", "--print", "1", "a.b:1")
        #expect(printed.status == .found)
        #expect(printed.output == "https://a.example/1\nhttps://a.example/1\n")
    }

    @Test func `without a terminal, numbers refer to the user's last search`() throws {
        let daemon = try daemon()
        func run(_ words: String..., terminal: String?) -> Run {
            Run(words, in: directory, socket: daemon.path, environment: environment, terminal: terminal)
        }
        #expect(run("show", "1", terminal: nil).status == .nothingFound)
        _ = run("search", "개", "-n", "1", "--field", "id", terminal: nil)
        #expect(run("show", "1", "--field", "id", terminal: nil).output == "a.b:1\n")
        let elsewhere = run("show", "1", terminal: "/dev/pts/9")
        #expect(elsewhere.status == .nothingFound)
        #expect(elsewhere.errors.contains("searched here yet, or the search was removed from the history. Run"))
        #expect(run("again", terminal: "/dev/pts/9").errors.contains("nothing was searched here yet"))
    }

    @Test(arguments: [(["--json"], "a.b:1\n"), (["--json", "--typing"], "")])
    func `a search with its output in a pipe is the terminal's last search, except with --typing`(
        options: [String],
        id: String
    ) throws {
        let daemon = try daemon()
        func run(_ words: [String]) -> Run {
            Run(words, in: directory, socket: daemon.path, environment: environment, terminal: "/dev/pts/8")
        }
        _ = run(["search", "개"] + options)
        #expect(run(["show", "1", "--field", "id"]).output == id)
    }

    @Test func `each terminal has its own last list, and a new terminal with the same name has no list`() throws {
        let daemon = try daemon()
        func run(_ words: String..., session: String) -> Run {
            Run(
                words,
                in: directory,
                socket: daemon.path,
                environment: environment,
                terminal: "/dev/pts/7",
                session: session
            )
        }
        #expect(run("search", "고양이", "--plain", session: "100-5").status == .found)
        let elsewhere = Run(
            ["search", "개", "--plain", "-n", "20", "--page", "2"],
            in: directory,
            socket: daemon.path,
            environment: environment
        )
        #expect(elsewhere.status == .found)
        #expect(run("show", "1", "--field", "title", session: "100-5").output == "하나\n")
        for other in ["100-6", "101-5", "100", ""] {
            #expect(run("show", "1", session: other).status == .nothingFound)
            #expect(run("show", "21", session: other).status == .nothingFound)
        }
    }

}

struct LastSearchTests {
    private func hits(_ count: Int, title: String = "t") throws -> [JSONCursor] {
        try (0..<count).map { number in
            let hit: JSONValue = ["id": .string("a.b:\(number)"), "title": .string(title)]
            return try JSONDocument(hit.bytes).root
        }
    }

    @Test func `a stored search can be read again`() throws {
        let search = LastSearch(
            session: "12-345",
            words: ["-s", "a.b", "--", "고양이"],
            firstNumber: 11,
            hits: try hits(3)
        )
        let read = try #require(LastSearch(search.text))
        #expect(read.session == "12-345")
        #expect(read.words == search.words)
        #expect(read.firstNumber == 11)
        #expect(read.hits.map { $0[.id]?.string } == ["a.b:0", "a.b:1", "a.b:2"])
    }

    private func ids(_ words: String...) throws -> [String?] {
        let search = LastSearch(words: [], firstNumber: 11, hits: try hits(13))
        return try HitSelection(search).items(words).map(\.id)
    }

    @Test func `a hit is found by number, range or id, even if the id is a prefix of another id`() throws {
        #expect(try ids("11") == ["a.b:0"])
        #expect(try ids("23") == ["a.b:12"])
        #expect(try ids("13-15", "11") == ["a.b:2", "a.b:3", "a.b:4", "a.b:0"])
        #expect(try ids("12-12") == ["a.b:1"])
        #expect(try ids("a.b:1") == ["a.b:1"])
        #expect(try ids("a.b:12") == ["a.b:12"])
    }

    @Test(arguments: ["10", "24", "0", "-1", "1-", "15-13", "11-24", "a.b", "a:", "99999999999999999999", ""])
    func `a word that matches no hit or several hits is refused`(word: String) {
        #expect(throws: ClientError.self) { try ids(word) }
    }

    @Test func `the number of selected hits is limited`() throws {
        let many = LastSearch(words: [], firstNumber: 1, hits: try hits(30))
        #expect(try HitSelection(many).items(["1-20"]).count == HitSelection.shownMax)
        #expect(try HitSelection(many, hitsMax: 30).items(["1-30"]).count == 30)
        #expect(throws: ClientError.self) { try HitSelection(many).items(["1-21"]) }
        for word in ["9223372036854775807", "0-9223372036854775807"] {
            #expect(throws: ClientError.self) { try HitSelection(many).items([word]) }
        }
        #expect(throws: ClientError.self) { try HitSelection(many).items(["1-20", "1"]) }
    }

    @Test func `the number of hits and bytes in a saved search is limited`() throws {
        #expect(LastSearch(words: [], firstNumber: 1, hits: try hits(LastSearch.hitsMax)).hits.count == 1000)
        #expect(LastSearch(words: [], firstNumber: 1, hits: try hits(LastSearch.hitsMax + 1)).hits.count == 1000)
        let large = try hits(20, title: String(repeating: "x", count: 1 << 19))
        let text = LastSearch(words: [], firstNumber: 1, hits: large).text
        #expect(text.count <= LastSearch.bytesMax)
        #expect(LastSearch(text)?.hits.count == 15)
    }
}

struct TerminalSessionTests {
    private static let numbers = (4...60).map(String.init).joined(separator: " ")

    @Test(arguments: ["bash", "a b", "x) S 1 2 3", ")", ""])
    func `the start time of a process is found for every process name`(name: String) {
        #expect(TerminalSession.start(inStatus: "4711 (\(name)) S \(Self.numbers)\n") == 22)
    }

    @Test func `a terminal session is identified by its leader process and does not change`() {
        let session = TerminalSession.current()
        #expect(session == TerminalSession.current())
        #expect(session.split(separator: "-").first.map(String.init) == String(getsid(0)))
        #expect(Console(environment: Environment([:]), interrupt: nil).session == session)
    }
}
