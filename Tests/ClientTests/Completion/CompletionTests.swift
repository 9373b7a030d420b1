import Hangul
import JSON
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
        #expect(all.starts(with: ["search", "live", "again"]))
        #expect(all.contains("help") && all.contains("completion"))
        #expect(!all.contains("complete") && !all.contains("manual"))
        #expect(words("se") == ["search"])
        #expect(words() == all)
        #expect(words("nothing") == [])
    }

    @Test func `a command says what it does`() throws {
        let ping = try #require(CommandTable.commands.first { $0.name == "ping" })
        #expect(completion(["pin"]).lines == ["ping\t\(ping.summary)"])
    }

    @Test func `help is followed by a command, once`() {
        #expect(words("help", "pi") == ["ping"])
        #expect(words("help", "ping", "") == [])
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
    }

    @Test func `a letter that is an option is one already`() {
        #expect(words("search", "-s") == ["-s"])
        #expect(words("search", "-Z") == [])
    }

    @Test(arguments: [["--sort", "re"], ["--sort=re"]])
    func `an option's choices follow it, as the next word or attached`(end: [String]) {
        let front = end.count == 1 ? "--sort=" : ""
        #expect(completion(["search"] + end).candidates.map(\.word) == [front + "relevance", front + "recency"])
    }

    @Test func `numbers and times are nobody's to guess`() {
        #expect(words("search", "-n", "") == [])
        #expect(words("search", "--timeout=") == [])
        #expect(words("search", "--since", "") == [])
    }

    @Test func `a source is one that can be asked, an account of several, or a profile`() {
        #expect(
            words("search", "-s", "") == [
                "itunes.app", "kakao.blog", "kakao.web", "naver.image", "kakao", "@web", "@news",
            ]
        )
        #expect(completion(["search", "-s", "@"]).lines == ["@web\tkakao.web", "@news\tnewspapers"])
        #expect(words("search", "-s", "itunes.app,@n") == ["itunes.app,@news"])
        #expect(words("search", "-skakao.b") == ["-skakao.blog"])
        #expect(words("search", "--source=na") == ["--source=naver.image"])
        #expect(words("cache", "clear", "-s", "kakao.*") == ["kakao.*"])
        #expect(completion(["cache", "clear", "-s", "kakao.*"]).candidates.map(\.about) == ["all 2 of them"])
    }

    @Test func `behind a comma comes a further source`() {
        #expect(words("search", "-s", "itunes.app,kakao.w") == ["itunes.app,kakao.web"])
        #expect(words("search", "--kind=app,bl") == ["--kind=app,blog"])
    }

    @Test func `a kind says which sources are of it`() {
        #expect(words("search", "-k", "") == ["app", "bad", "blog", "image", "web"])
        #expect(completion(["search", "-k", "bl"]).lines == ["blog\tkakao.blog"])
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

    @Test func `the first words of other commands are known too`() {
        #expect(words("cache", "") == ["stats", "clear"])
        #expect(words("completion", "") == ["bash", "zsh", "fish"])
        #expect(words("call", "se") == ["search", "server/ping"])
        #expect(words("search", "") == [])
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

    @Test func `a command that is complete offers its options`() {
        #expect(words("ping", "").contains("--json"))
        #expect(words("ping", "x") == [])
    }

    @Test func `behind two dashes nothing is an option`() {
        #expect(words("search", "--", "--so") == [])
        #expect(words("ping", "--", "") == [])
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

    @Test func `a name that would not be what it looks like is left out`() {
        #expect(!words("sources", "").contains { $0.contains("bad") })
    }

    @Test func `without a daemon what is known is offered all the same`() {
        let nothing = CompletionFacts()
        #expect(words("search", "-s", "", facts: nothing) == [])
        #expect(words("search", "--format", "f", facts: nothing) == ["fzf"])
        #expect(words("open", "", facts: nothing) == [])
    }

    @Test func `a long title is cut where a menu has room for it`() {
        let long = Candidate("1", String(repeating: "고", count: 100)).line
        #expect(DisplayWidth.columns(of: String(long.dropFirst(2))) <= Candidate.aboutColumnsMax)
        let fits = String(repeating: "고", count: Candidate.aboutColumnsMax / 2)
        #expect(Candidate("1", fits).line == "1\t\(fits)")
    }
}
