import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

@testable import Client

struct CompleteCommandTests {
    private let directory = TemporaryDirectory()

    @Test func `sources are asked of the daemon that the words name`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                guard line.contains(#""method":"source/list""#) else { continue }
                try connection.send(
                    #"{"jsonrpc":"2.0","id":1,"result":{"sources":[{"source":"a.b","kind":"web","title":"T","#
                        + #""enabled":true}]}}"#
                )
            }
        }
        let run = Run("complete", "--", "--socket", daemon.path, "search", "-s", "", in: directory)
        #expect(run.status == .found)
        #expect(run.output == "a.b\tT\n")
        #expect(run.errors.isEmpty)
    }

    @Test func `a daemon that says nothing is not waited for`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in _ = try connection.rest() }
        let run = Run("complete", "--", "--socket", daemon.path, "search", "-s", "", in: directory)
        #expect(run.status == .found && run.output.isEmpty && run.errors.isEmpty)
    }

    @Test func `a daemon that takes nobody in is not waited for either`() throws {
        // It serves its first connection for as long as that is there; the others fill its queue.
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in _ = try connection.rest() }
        var held: [Int32] = []
        defer { for descriptor in held { close(descriptor) } }
        while held.count < 100 {
            do {
                held.append(try UnixSocket.connect(to: daemon.path, within: .milliseconds(50)).release())
            } catch {
                #expect(error.number == EAGAIN)
                break
            }
        }
        try #require(held.count < 100)
        let start = Instant.now
        let run = Run("complete", "--", "--socket", daemon.path, "search", "-s", "", in: directory)
        #expect(run.status == .found && run.output.isEmpty && run.errors.isEmpty)
        #expect(start.duration(to: .now) < UnixSocket.connectMax)
    }

    @Test(arguments: ["-s", "-k", "-o"]) func `no daemon is no word worth`(option: String) {
        let line = ["complete", "--", "--socket", directory.file("nobody"), "search", option, ""]
        let run = Run(line, in: directory)
        #expect(run.status == .found && run.output.isEmpty && run.errors.isEmpty)
    }

    @Test func `a query is completed with what the daemon suggests, letter by letter or by what is on the way`() throws
    {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                #expect(line.contains(#""method":"search/suggest""#))
                #expect(line.contains(#""limit":50"#))
                let texts = ["ㄱㅇ", "고양이 사료", "'고양이' 이야기", "고요 바다", "작은 고양이", "고양이 집", "고\\u001b"].map {
                    #"{"text":"\#($0)","kind":"title"}"#
                }
                try connection.send(
                    #"{"jsonrpc":"2.0","id":1,"result":{"suggestions":[\#(texts.joined(separator: ","))]}}"#
                )
            }
        }
        func offered(_ words: String...) -> [String] {
            Run(["complete", "--", "--socket", daemon.path, "search"] + words, in: directory).lines
        }
        #expect(offered("고") == ["고양이\t고양이 사료", "고요\t고요 바다"])
        for typed in ["고양", "고양ㅇ", "ㄱㅇㅇ", "rhdid", "곤양이"] { #expect(offered(typed) == ["고양이\t고양이 사료"], "\(typed)") }
        #expect(offered("고양이", "") == ["사료\t고양이 사료", "집\t고양이 집"])
        #expect(offered("고양이", "ㅅ") == ["사료\t고양이 사료"])
        #expect(offered("고양이") == ["고양이\t고양이 사료"])
        // Though it was searched once, it stands for what it is short for.
        #expect(offered("ㄱㅇ") == ["고양이\t고양이 사료", "고요\t고요 바다"])
        #expect(offered("집").isEmpty && offered("ㄱㅇㅇ", "").isEmpty)
    }

    @Test func `what needs no daemon is said without one`() {
        #expect(Run("complete", "--", "search", "--sort", "t", in: directory).output == "title\n")
    }

    @Test func `the hits are those of the terminal's last search`() throws {
        let environment = ["XDG_RUNTIME_DIR": directory.path]
        var console = Console()
        console.terminalName = "/dev/pts/7"
        let hit: JSONValue = ["title": "사료"]
        let search = LastSearch(words: ["x"], firstNumber: 1, hits: [try JSONDocument(hit.bytes).root])
        LastSearchStore(Context(console: console, environment: Environment(environment)))?.save(search)
        let run = Run(
            ["complete", "--", "open", ""],
            in: directory,
            environment: environment,
            terminal: "/dev/pts/7"
        )
        #expect(run.output == "1\t사료\n")
    }

    @Test func `what is saved is offered by its id, its tags with how often they are used`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                try connection.send(
                    line.contains(#""params":{"groupBy":"tag","limit":1}"#)
                        ? #"{"jsonrpc":"2.0","id":1,"result":{"groups":[{"name":"읽을 것","count":2,"items":[]},"#
                            + #"{"name":"여름","count":1,"items":[]},{"name":"","count":9,"items":[]}]}}"#
                        : #"{"jsonrpc":"2.0","id":1,"result":{"items":[{"id":"a.b:1","title":"하나"}]}}"#
                )
            }
        }
        func offered(_ words: String...) -> [String] {
            Run(["complete", "--", "--socket", daemon.path] + words, in: directory).lines
        }
        let tags = ["읽을 것\t2 items", "여름\t1 item"]
        #expect(offered("tag", "a.b:1", "") == tags && offered("library", "--tag", "") == tags)
        #expect(offered("save", "1", "--tag", "여") == ["여름\t1 item"])
        for command in ["unsave", "note", "show"] { #expect(offered(command, "a") == ["a.b:1\t하나"]) }
        #expect(offered("library", "refresh", "") == ["a.b:1\t하나"])
    }

    @Test(arguments: CompletionScript.shells) func `each shell gets a script that asks us`(shell: String) {
        let run = Run("completion", shell, in: directory)
        #expect(run.status == .found)
        #expect(run.output.hasPrefix("#") && run.output.hasSuffix("\n"))
        #expect(run.output.contains(" complete -- "))
    }

    @Test func `another shell gets the nearest one's name`() {
        let run = Run("completion", "fisch", in: directory)
        #expect(run.status == .usage)
        #expect(run.errors.contains("Did you mean “fish”?"))
        #expect(Run("completion", "powershell", in: directory).errors.contains("bash, zsh, fish"))
    }
}
