import EventLoop
import Glibc
import JSON
import RPC
import TestSupport
import Testing

@testable import Client

struct CompletionTests {
    private let directory = TemporaryDirectory()

    private func daemon() throws -> FakeDaemon {
        let filter: JSONValue = ["type": "choice", "values": ["all", "large"], "about": "the size"]
        let sources: [JSONValue] = [
            Self.source("itunes.app", "app"),
            Self.source("kakao.blog", "blog", keys: [["way": ""]]),
            Self.source("kakao.web", "web"),
            Self.source(
                "naver.image",
                "image",
                ["filter": filter, "adult": ["type": "boolean"]],
                keys: [["way": "hub"]]
            ),
            Self.source("naver.news", "news", isEnabled: false),
            Self.source("bad\u{1B}.name", "bad"),
        ]
        let profiles: JSONValue = [
            ["name": "@web", "sources": ["kakao.web"]], ["name": "@news", "about": "newspapers"],
        ]
        let list: JSONValue = ["sources": .array(sources), "profiles": profiles]
        let texts = ["ㄱㅇ", "고양이 사료", "'고양이' 이야기", "고요 바다", "작은 고양이", "고양이 집", "고\\u001b"]
            .map { #"{"text":"\#($0)","kind":"title"}"# }.joined(separator: ",")
        return try FakeDaemon(
            at: directory.file("socket"),
            [
                .sourceList: String(decoding: list.bytes, as: UTF8.self),
                .suggest: #"{"suggestions":[\#(texts)]}"#,
                .libraryList: #"{"items":[{"id":"a.b:1","title":"하나"}],"groups":[{"name":"여름","count":1,"items":[]}]}"#,
            ]
        )
    }

    private static func source(
        _ name: String,
        _ kind: String,
        _ options: JSONValue = [:],
        keys: [JSONValue] = [],
        isEnabled: Bool = true
    ) -> JSONValue {
        [
            "source": .string(name), "kind": .string(kind), "title": .string("T"),
            "account": .string(String(name.prefix { $0 != "." })), "enabled": .bool(isEnabled), "options": options,
            "keys": .array(keys),
        ]
    }

    private func lines(_ words: String..., daemon: FakeDaemon? = nil) -> [String] {
        let socket = daemon?.path ?? directory.file("nobody")
        let run = Run(["complete", "--", "--socket", socket] + words, in: directory)
        #expect(run.status == .found && run.errors.isEmpty)
        return run.lines
    }

    private func words(_ line: String..., daemon: FakeDaemon? = nil) -> [String] {
        let socket = daemon?.path ?? directory.file("nobody")
        return Run(["complete", "--", "--socket", socket] + line, in: directory).lines.map { line in
            String(line.prefix { $0 != "\t" })
        }
    }

    @Test func `the first word is completed to a command`() {
        let all = words("")
        #expect(all.starts(with: ["search", "again", "open"]))
        #expect(all.contains("help") && !all.contains("complete") && !all.contains("manual"))
        #expect(words("sea") == ["search"])
    }

    @Test func `after a dash, the options that are still allowed are offered`() {
        #expect(words("ping", "-") == ["--json", "--plain", "--no-start", "--color", "--help", "--version"])
        #expect(words("search", "x", "--so") == ["--source", "--sort"])
        #expect(words("search", "--fresh", "--fr") == [] && words("search", "--", "--so") == [])
        #expect(words("search", "-s", "kakao.web", "--sou") == ["--source"])
    }

    @Test(arguments: [["--sort", "re"], ["--sort=re"]])
    func `the choices of an option are offered as the next word or after the equals sign`(end: [String]) {
        let front = end.count == 1 ? "--sort=" : ""
        let run = Run(["complete", "--", "search"] + end, in: directory)
        #expect(run.lines == [front + "relevance", front + "recency"])
    }

    @Test func `sources, accounts, profiles and kinds come from the daemon`() throws {
        let daemon = try daemon()
        let sources = ["itunes.app", "kakao.blog", "kakao.web", "naver.image", "kakao", "@web", "@news"]
        #expect(words("search", "-s", "", daemon: daemon) == sources)
        #expect(lines("search", "-s", "@", daemon: daemon) == ["@web\tkakao.web", "@news\tnewspapers"])
        #expect(words("search", "-s", "itunes.app,@n", daemon: daemon) == ["itunes.app,@news"])
        #expect(lines("search", "-k", "bl", daemon: daemon) == ["blog\tkakao.blog"])
        #expect(words("sources", "naver.n", daemon: daemon) == ["naver.news"])
        #expect(words("cache", "clear", "-s", "kakao.*", daemon: daemon) == ["kakao.*"])
        #expect(words("keys", "set", "", daemon: daemon) == ["kakao", "naver"])
        #expect(words("search", "-o", "naver.image.filter=l", daemon: daemon) == ["naver.image.filter=large"])
        #expect(lines("search", "-o", "naver.image.f", daemon: daemon) == ["naver.image.filter=\tthe size"])
    }

    @Test func `queries, saved items and tags come from the daemon`() throws {
        let daemon = try daemon()
        #expect(lines("search", "고", daemon: daemon) == ["고양이\t고양이 사료", "고요\t고요 바다"])
        for typed in ["고양", "고양ㅇ", "ㄱㅇㅇ", "rhdid", "곤양이"] {
            #expect(lines("search", typed, daemon: daemon) == ["고양이\t고양이 사료"], "\(typed)")
        }
        #expect(lines("search", "고양이", "", daemon: daemon) == ["사료\t고양이 사료", "집\t고양이 집"])
        #expect(words("search", "집", daemon: daemon) == [])
        #expect(lines("unsave", "a", daemon: daemon) == ["a.b:1\t하나"])
        #expect(lines("tag", "a.b:1", "", daemon: daemon) == ["여름\t1 item"])
    }

    @Test func `files are offered if the argument is a path`() {
        #expect(lines("sources", "check", "") == ["\tfiles"] && lines("library", "import", "") == ["\tfiles"])
    }

    @Test func `hit numbers come from the terminal's last list, and control characters in titles are escaped`() throws {
        let environment = ["XDG_RUNTIME_DIR": directory.path]
        var console = Console()
        console.terminalName = "/dev/pts/7"
        let hit: JSONValue = ["title": "사료\u{1B}[2J"]
        let search = LastSearch(words: ["x"], firstNumber: 9, hits: [try JSONDocument(hit.bytes).root])
        LastSearchStore(Context(console: console, environment: Environment(environment)))?.save(search)
        let words = ["complete", "--", "open", ""]
        let run = Run(words, in: directory, environment: environment, terminal: "/dev/pts/7")
        #expect(run.output == "9\t사료\\u{1b}[2J\n")
    }

    @Test func `if the daemon accepts no connection, completion does not wait`() throws {
        let daemon = try FakeDaemon(at: directory.file("busy")) { connection in _ = try connection.rest() }
        var held: [Int32] = []
        defer { for descriptor in held { close(descriptor) } }
        while held.count < 100, let socket = try? UnixSocket.connect(to: daemon.path, within: .milliseconds(50)) {
            held.append(socket.release())
        }
        try #require(held.count < 100)
        let start = Instant.now
        let run = Run("complete", "--", "--socket", daemon.path, "search", "-s", "", in: directory)
        #expect(run.status == .found && run.output.isEmpty && run.errors.isEmpty)
        #expect(start.duration(to: .now) < UnixSocket.connectMax)
    }

    @Test(arguments: CompletionCommand.shells) func `each shell has a script that calls searchctl`(shell: String) {
        let run = Run("completion", shell, in: directory)
        #expect(run.status == .found && run.output.contains(" complete -- "))
    }
}
