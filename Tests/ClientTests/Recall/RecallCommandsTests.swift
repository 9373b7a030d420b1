import Glibc
import TestSupport
import Testing

@testable import Client

/// `again`, `show` and `open` after a search, in a terminal of their own.
struct RecallCommandsTests {
    private let directory = TemporaryDirectory()

    private var environment: [String: String] {
        ["TERM": "xterm", "XDG_RUNTIME_DIR": directory.path]
    }

    /// A daemon that answers every search with the same two hits.
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

    @Test func `again repeats the search with what is said anew`() throws {
        let seen = Seen()
        let daemon = try daemon(seen: seen)
        _ = run("search", "고양이", "-s", "a.b", "--page", "3", "--json", "--explain", socket: daemon.path)
        let again = run("again", "--offset", "5", "--sort", "title", socket: daemon.path)
        #expect(again.status == .found)
        // A pipe gets lines of JSON all the same.
        #expect(again.output.hasPrefix("{"))
        let lines = seen.lines
        #expect(lines.count == 2)
        #expect(lines.last?.contains(#""query":"고양이","sources":["a.b"],"sort":"title","offset":5"#) == true)
    }

    @Test func `show tells what the last search found when there is no daemon`() throws {
        let daemon = try daemon()
        _ = run("search", "고양이", "--plain", socket: daemon.path)
        let shown = run("show", "1", "--plain")
        #expect(shown.status == .found)
        #expect(
            shown.output == """
                하나

                price   5
                link    https://a.example/1
                id      a.b:1
                source  a.b, as the search found it

                """
        )
        #expect(shown.errors.hasPrefix("searchctl: searchd could not be started"), "\(shown.errors)")
        #expect(run("show", "1", "--plain", "--quiet").errors == "")
        #expect(run("show", "a.b:2", "--field", "title").output == "둘\n")
        #expect(run("show", "3").status == .nothingFound)
        #expect(run("show", "1-2", "--field", "title").output == "하나\n둘\n")
        #expect(run("show", "2,1", "--field", "title").output == "둘\n하나\n")
        let missing = run("show", "1", "2", "--field", "extra.prise")
        #expect(missing.status == .usage)
        #expect(missing.errors.hasSuffix("searchctl: no hit has “extra.prise”. Did you mean “extra.price”?\n"))
    }

    @Test func `the hits of the pages before keep their numbers, until another search`() throws {
        let daemon = try daemon()
        _ = run("search", "고양이", "-n", "2", "--plain", socket: daemon.path)
        _ = run("again", "--page", "2", "--plain", socket: daemon.path)
        #expect(run("show", "1", "4", "--field", "title").output == "하나\n둘\n")
        #expect(run("show", "5").errors.contains("has the numbers 1 to 4"))
        // How they are printed makes no difference.
        _ = run("search", "고양이", "-n", "2", "--explain", "--plain", socket: daemon.path)
        _ = run("again", "--page", "2", socket: daemon.path)
        #expect(run("show", "1", "4", "--field", "title").output == "하나\n둘\n")
        _ = run("search", "강아지", "-n", "2", "--page", "3", "--plain", socket: daemon.path)
        #expect(run("show", "1").errors.contains("has the numbers 5 to 6"))
    }

    @Test func `open gives the address of a hit to the browser`() throws {
        let daemon = try daemon()
        _ = run("search", "고양이", "--plain", socket: daemon.path)
        var environment = environment
        directory.write("#!/bin/sh\necho \"$1\" >\(directory.file("opened"))\n", to: "browser")
        #expect(unsafe chmod(directory.file("browser"), 0o700) == 0)
        environment["BROWSER"] = "/nonexistent/browser:\(directory.file("browser"))"
        #expect(run("open", "1", environment: environment).status == .found)
        #expect(directory.contents(of: "opened") == "https://a.example/1\n")
        let without = run("open", "2", environment: environment)
        #expect(without.status == .nothingFound)
        #expect(without.errors.contains("no web address"))
        environment["BROWSER"] = "/nonexistent/browser"
        let nobody = run("open", "1", environment: environment)
        #expect(nobody.errors.contains("https://a.example/1"))
    }

    @Test(arguments: ["false", "w3m"]) func `a browser that fails is a failure`(name: String) throws {
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

    @Test func `open can print the addresses, for programs and where there is no browser`() throws {
        let daemon = try daemon()
        _ = run("search", "고양이", "--plain", socket: daemon.path)
        let printed = run("open", "--print", "1", "a.b:1")
        #expect(printed.status == .found)
        #expect(printed.output == "https://a.example/1\nhttps://a.example/1\n")
    }

    @Test func `a private search is not remembered, one for another program is`() throws {
        let daemon = try daemon()
        _ = run("search", "고양이", "--plain", "--private", socket: daemon.path)
        let again = run("again", socket: daemon.path)
        #expect(again.status == .nothingFound)
        #expect(again.errors.contains("searchctl search QUERY"))
        _ = run("search", "고양이", "--json", socket: daemon.path)
        #expect(run("show", "2", "--field", "title").output == "둘\n")
    }

    @Test func `without a terminal, numbers are those of the user's last search`() throws {
        let daemon = try daemon()
        func run(_ words: String..., terminal: String?) -> Run {
            Run(words, in: directory, socket: daemon.path, environment: environment, terminal: terminal)
        }
        #expect(run("show", "1", terminal: nil).status == .nothingFound)
        _ = run("search", "개", "-n", "1", "--field", "id", terminal: nil)
        #expect(run("show", "1", "--field", "id", terminal: nil).output == "a.b:1\n")
        // On a terminal they would be taken for those of its screen.
        let elsewhere = run("show", "1", terminal: "/dev/pts/9")
        #expect(elsewhere.status == .nothingFound)
        #expect(elsewhere.errors.contains("nothing was searched here yet"))
        #expect(run("again", terminal: "/dev/pts/9").errors.contains("nothing was searched in this terminal yet"))
        #expect(run("show", "a.b:1", "--field", "id", terminal: "/dev/pts/9").output == "a.b:1\n")
    }

    @Test func `what is shown on the terminal is remembered in whatever format, and counted in its order`() throws {
        let daemon = try daemon()
        for format in [["--json"], ["--format", "tsv"], ["--field", "title"]] {
            let terminal = TemporaryDirectory()
            func run(_ words: [String]) -> Run {
                Run(
                    words,
                    in: directory,
                    socket: daemon.path,
                    isTerminal: true,
                    environment: ["TERM": "xterm", "XDG_RUNTIME_DIR": terminal.path],
                    terminal: "/dev/pts/7"
                )
            }
            #expect(run(["search", "고양이"] + format).status == .found)
            #expect(run(["show", "2", "--field", "title"]).output == "둘\n")
        }
    }

    @Test func `a terminal keeps its own numbers, and one that got its name does not inherit them`() throws {
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
            ["search", "개", "--plain", "--offset", "20"],
            in: directory,
            socket: daemon.path,
            environment: environment
        )
        #expect(elsewhere.status == .found)
        #expect(run("show", "1", "--field", "title", session: "100-5").output == "하나\n")
        for other in ["100-6", "101-5", "100", ""] {
            #expect(run("show", "1", session: other).status == .nothingFound)
            #expect(run("show", "21", session: other).status == .nothingFound)
            #expect(run("show", "a.b:1", "--field", "title", session: other).output == "하나\n")
        }
    }

    @Test func `nobody else can read what was found`() throws {
        let daemon = try daemon()
        _ = run("search", "고양이", "--plain", socket: daemon.path)
        var status = stat()
        // The path lives through the call, which fills the local.
        let path = directory.file("searchctl/-dev-pts-7")
        #expect(unsafe stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }
}
