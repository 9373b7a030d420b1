import EventLoop
import Glibc
import Hangul
import JSON
import TestSupport
import Testing

@testable import Client

struct CompletionTests {
    private static let facts: CompletionFacts = {
        var facts = CompletionFacts()
        let filter: JSONValue = ["type": "choice", "values": ["all", "large"], "about": "the size"]
        let sources: [JSONValue] = [
            source("itunes.app", "app", "Apps"),
            source("kakao.blog", "blog", "Blogs", ways: [""]),
            source("kakao.web", "web", "The web"),
            source(
                "naver.image",
                "image",
                "Images",
                options: ["filter": filter, "adult": ["type": "boolean"]],
                ways: ["hub", "legacy"]
            ),
            source("naver.news", "news", "News", isEnabled: false),
            source("bad\u{1B}.name", "bad", "A file that drives terminals"),
        ]
        let methods: [JSONValue] = [["name": "search", "summary": "Finds."], ["name": "server/ping"]]
        let profiles: [JSONValue] = [
            ["name": "@web", "sources": ["kakao.web"]], ["name": "@news", "about": "newspapers"],
        ]
        let answer: JSONValue = [
            "sources": .array(sources), "methods": .array(methods), "profiles": .array(profiles),
        ]
        if let root = try? JSONDocument(answer.bytes).root { facts.take(root) }
        facts.take(
            LastSearch(
                words: ["x"],
                firstNumber: 9,
                hits: ["고양이\u{1B}[2J", "사료"].compactMap { title in
                    let hit: JSONValue = ["title": .string(title)]
                    return try? JSONDocument(hit.bytes).root
                }
            )
        )
        return facts
    }()

    private static func source(
        _ name: String,
        _ kind: String,
        _ title: String,
        isEnabled: Bool = true,
        options: JSONValue = [:],
        ways: [String] = []
    ) -> JSONValue {
        [
            "source": .string(name), "kind": .string(kind), "title": .string(title),
            "account": .string(String(name.prefix { $0 != "." })), "enabled": .bool(isEnabled), "options": options,
            "keys": .array(ways.map { ["way": .string($0)] }),
        ]
    }

    private func completion(_ line: [String], facts: CompletionFacts = facts) -> Completion {
        let commands = CommandTable.commands
        return Completion(CompletionPosition(line, commands: commands), commands: commands, facts: facts)
    }

    private func words(_ line: String..., facts: CompletionFacts = facts) -> [String] {
        completion(line, facts: facts).candidates.map(\.word)
    }

    @Test func `the first word is a command, of those that people use`() {
        let all = words("")
        #expect(all.starts(with: ["search", "again", "open"]))
        #expect(all.contains("help") && all.contains("completion"))
        #expect(!all.contains("complete") && !all.contains("manual"))
        #expect(words("sea") == ["search"])
        #expect(words() == all)
        #expect(words("nothing") == [])
    }

    @Test func `a dash asks for options, the command's own before those of all`() {
        let all = words("ping", "-")
        #expect(all == ["--json", "--plain", "--socket", "--no-start", "--color", "--help", "--version"])
        #expect(words("ping", "--js") == ["--json"])
        #expect(words("--so") == ["--socket"])
        #expect(words("search", "x", "--so") == ["--source", "--sort", "--socket"])
    }

    @Test func `an option that was given is not offered again, unless it may be`() {
        #expect(words("search", "--fresh", "--fr") == [])
        #expect(words("search", "-s", "kakao.web", "--sou") == ["--source"])
        #expect(words("search", "-n", "3", "--lim") == [])
        #expect(words("search", "-s") == ["-s"] && words("search", "-Z") == [])
        #expect(words("search", "--", "--so") == [] && words("ping", "--", "") == [])
        #expect(words("ping", "").contains("--json") && words("ping", "x") == [])
    }

    @Test(arguments: [["--sort", "re"], ["--sort=re"]])
    func `an option's choices follow it, as the next word or attached`(end: [String]) {
        let front = end.count == 1 ? "--sort=" : ""
        #expect(completion(["search"] + end).candidates.map(\.word) == [front + "relevance", front + "recency"])
        for free in [["-n", ""], ["--timeout="], ["--since", ""]] {
            #expect(completion(["search"] + free).candidates.isEmpty)
        }
    }

    @Test func `a source is one that can be asked, an account of several, or a profile`() {
        #expect(
            words("search", "-s", "") == [
                "itunes.app", "kakao.blog", "kakao.web", "naver.image", "kakao", "@web", "@news",
            ]
        )
        #expect(completion(["search", "-s", "@"]).lines == ["@web\tkakao.web", "@news\tnewspapers"])
        #expect(words("search", "-s", "itunes.app,@n") == ["itunes.app,@news"])
        #expect(words("search", "--kind=app,bl") == ["--kind=app,blog"])
        #expect(completion(["search", "-k", "bl"]).lines == ["blog\tkakao.blog"])
        // A source file may have any name; one that drives a terminal is left out.
        #expect(!words("sources", "").contains { $0.contains("bad") })
        #expect(words("search", "-skakao.b") == ["-skakao.blog"])
        #expect(words("search", "--source=na") == ["--source=naver.image"])
        #expect(words("cache", "clear", "-s", "kakao.*") == ["kakao.*"])
        #expect(completion(["cache", "clear", "-s", "kakao.*"]).candidates.map(\.about) == ["all 2 of them"])
    }

    @Test func `an option of a source comes first as its name, then with its values`() {
        #expect(words("search", "-o", "") == ["naver.image.filter=", "naver.image.adult="])
        #expect(completion(["search", "-o", "naver.image.f"]).lines == ["naver.image.filter=\tthe size"])
        #expect(words("search", "-o", "naver.image.filter=l") == ["naver.image.filter=large"])
        #expect(
            words("search", "--option=naver.image.adult=") == [
                "--option=naver.image.adult=true", "--option=naver.image.adult=false",
            ]
        )
    }

    @Test func `hits are numbers with titles that drive no terminal`() {
        #expect(completion(["open", ""]).lines == ["9\t고양이\\u{1b}[2J", "10\t사료"])
        #expect(words("show", "9", "1") == ["10"])
    }

    @Test func `sources takes a word of its own, a name also of one that is off, or a file`() {
        #expect(words("sources", "").starts(with: ["guide", "check", "itunes.app"]))
        #expect(words("sources", "naver.n") == ["naver.news"])
        #expect(completion(["sources", "check", ""]).takesFiles)
        #expect(completion(["sources", "check", ""]).lines == [Completion.filesLine])
        #expect(words("sources", "guide", "x") == [])
    }

    @Test func `library takes what is to be done, a file to import, and words that are known`() {
        #expect(words("library", "") == ["export", "import", "refresh"])
        #expect(completion(["library", "import", ""]).takesFiles)
        #expect(words("library", "--group-by", "") == ["genre", "kind", "source", "tag", "month"])
        #expect(words("library", "--sort=r") == ["--sort=relevance", "--sort=rating"])
        #expect(words("library", "export", "--format", "") == ExportFormat.names)
        #expect(words("library", "--format", "").contains("fzf") && words("library", "--format", "bib") == [])
        #expect(words("library", "export", "--s") == ["--source", "--socket"])
        #expect(words("library", "export", "") == [])
    }

    @Test func `keys takes what is to be done, then an account that has keys, then a way to use it`() {
        #expect(words("keys", "") == ["list", "set", "remove"])
        #expect(words("keys", "set", "") == ["kakao", "naver"])
        #expect(words("keys", "list", "k") == ["kakao"])
        #expect(words("keys", "set", "naver", "") == ["hub", "legacy"])
        #expect(words("keys", "set", "kakao", "") == [])
    }

    @Test func `a file belongs behind the options that take one`() {
        #expect(completion(["ping", "--socket", ""]).takesFiles)
        #expect(completion(["sources", "check", "x", "--config="]).takesFiles)
    }

    @Test func `the socket that the line names is known`() {
        let commands = CommandTable.commands
        let lines = [["--socket", "/a", "search", "-s", ""], ["search", "--socket=/a", "-s", ""]]
        for line in lines { #expect(CompletionPosition(line, commands: commands).socket == "/a") }
        #expect(CompletionPosition(["search", "-s", ""], commands: commands).socket == nil)
    }

    @Test func `without a daemon what is known is offered all the same`() {
        let nothing = CompletionFacts()
        #expect(words("search", "-s", "", facts: nothing) == [])
        #expect(words("search", "--format", "f", facts: nothing) == ["fzf"])
        #expect(words("open", "", facts: nothing) == [])
    }
}

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
}
