import EventLoop
import Glibc
import JSON
import RPC
import TestSupport
import Testing

@testable import Client

struct KeysCommandTests {
    private let directory = TemporaryDirectory()
    private static let key = "0123456789abcdef"
    private static let way =
        #"[{"way":"","secrets":[{"name":"key","about":"the REST API key","present":false}]}]"#
    private static let ways =
        #"[{"way":"hub","secrets":[{"name":"hubId","about":"the id of an application at the HUB","present":false},"#
        + #"{"name":"hubSecret","present":false}]},"#
        + #"{"way":"legacy","secrets":[{"name":"id","present":false},{"name":"secret","present":false}]}]"#

    private static func list(enabled: Bool) -> String {
        let present = way.replacing("false", with: "\(enabled)")
        return Documents.list(
            Documents.source("kakao.blog", enabled: enabled, keys: present),
            Documents.source("kakao.web", enabled: enabled, keys: present),
            Documents.source("naver.blog", enabled: false, keys: ways),
            Documents.source("itunes.app")
        )
    }

    private func daemon(
        search: String = Documents.found,
        user: UInt32 = geteuid(),
        enabled: Bool = false,
        changed: String = #""accounts.kakao","accounts.naver""#
    ) throws -> FakeDaemon {
        let answers: [MethodName: String] = [
            .hello: Documents.hello(user: user), .sourceList: Self.list(enabled: enabled), .search: search,
            .reload: #"{"changed":[\#(changed)],"sources":{},"needsRestart":[]}"#,
        ]
        return try FakeDaemon(at: directory.file("socket"), answers) { method, answers in
            if method == .reload { answers[.sourceList] = Self.list(enabled: true) }
        }
    }

    private func run(_ words: String..., input: String = "", daemon: FakeDaemon) -> Run {
        run(words, input: input, daemon: daemon)
    }

    private func run(_ words: [String], input: String = "", daemon: FakeDaemon) -> Run {
        Run(
            words,
            in: directory,
            socket: daemon.path,
            input: input,
            environment: ["TERM": "xterm", "XDG_CONFIG_HOME": directory.file("config")]
        )
    }

    private func mode(_ name: String) -> UInt32? { PathFacts(of: directory.file(name))?.mode }

    @Test func `a key from standard input is stored and tested, and the enabled sources are printed`()
        throws
    {
        let daemon = try daemon()
        let run = run("keys", "set", "kakao", "--plain", input: " \(Self.key)\n", daemon: daemon)
        #expect(run.status == .found)
        #expect(run.output.contains(directory.file("config/searchd/keys")))
        #expect(run.lines.last?.hasSuffix("kakao.blog, kakao.web") == true)
        #expect(directory.contents(of: "config/searchd/keys/kakao.key") == Self.key + "\n")
        #expect(mode("config/searchd/keys/kakao.key") == 0o600)
        #expect(mode("config/searchd/keys") == 0o700)
        let search = try #require(daemon.params(of: .search).first)
        #expect(search.contains(#""sources":["kakao.blog"],"limit":1,"maxAge":0"#))
        #expect(!daemon.params(of: .search).joined().contains(Self.key))
    }

    @Test func `“keys set” and “keys list” refuse a source name, and an account that needs no key`() throws {
        let daemon = try daemon()
        for verb in ["set", "list"] {
            #expect(run("keys", verb, "itunes", daemon: daemon).errors.contains("itunes needs no key"))
            #expect(run("keys", verb, "kakao.blog", daemon: daemon).errors.contains("Did you mean “kakao”?"))
        }
    }

    @Test func `in a pipe, “setup” lists each missing key with the sources that it adds`() throws {
        let report = run("setup", daemon: try daemon())
        #expect(report.status == .found && report.errors.isEmpty)
        let keys = report.output.split(separator: "\n").filter { $0.hasPrefix("A key of ") }
        #expect(keys.count == 2 && keys[0].contains("kakao") && keys[1].contains("naver"), "\(report.output)")
    }

    @Test func `--json prints whether the key is stored and works, but not the key`() throws {
        let run = run("keys", "set", "kakao", "--json", input: Self.key, daemon: try daemon())
        let document = try JSONDocument(Array(run.output.utf8)).root
        #expect(document["stored"]?[0]?.string == "key")
        #expect(document["inEffect"]?.bool == true && document["works"]?.bool == true)
        #expect(document["unlocked"]?.count == 2)
        #expect(!run.output.contains(Self.key))
    }

    @Test func `the error for a refused key does not contain the key`() throws {
        let refused = FakeDaemon.failure("unauthorized", "wrong appKey format")
        let run = run("keys", "set", "kakao", input: Self.key, daemon: try daemon(search: refused))
        #expect(run.status == .notAllowed)
        #expect(run.errors.contains("“searchctl keys set kakao”"))
        #expect(run.errors.contains("kakao.blog refuses the key: wrong appKey format"))
        #expect(!(run.output + run.errors).contains(Self.key))
        #expect(run.output == "not stored\n" || run.output.contains(#""kept":["key"]"#))
        #expect(directory.contents(of: "config/searchd/keys/kakao.key") == nil)
    }

    @Test func `a refused key does not replace the stored key`() throws {
        let store = KeyStore(directory: directory.file("config/searchd/keys"))
        try store.save(try KeyText(Array(Self.key.utf8)), "kakao", "key")
        let daemon = try daemon(search: FakeDaemon.failure("unauthorized", "wrong appKey format"), enabled: true)
        let other = "another-key-0123"
        let text = run("keys", "set", "kakao", "--plain", input: other, daemon: daemon)
        #expect(text.status == .notAllowed)
        #expect(text.lines == ["not stored; the previous key is kept"])
        #expect(text.errors.contains("refuses the key"))
        #expect(directory.contents(of: "config/searchd/keys/kakao.key") == Self.key + "\n")
        #expect(daemon.methods.count { $0 == .reload } == 2)
        let json = run("keys", "set", "kakao", "--json", input: other, daemon: daemon)
        let document = try JSONDocument(Array(json.output.utf8)).root
        #expect(document["stored"]?.value == [])
        #expect(document["kept"]?[0]?.string == "key")
        let same = run("keys", "set", "kakao", "--plain", input: Self.key, daemon: daemon)
        #expect(same.lines.first?.hasPrefix("stored kakao.key") == true)
    }

    @Test func `a key is neither tested nor stored if the configuration file already has a key`() throws {
        let daemon = try daemon(enabled: true, changed: "")
        let run = run("keys", "set", "kakao", input: Self.key, daemon: daemon)
        #expect(run.status == .notConfigured)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("accounts.kakao"))
        #expect(!daemon.methods.contains(.search))
        #expect(directory.contents(of: "config/searchd/keys/kakao.key") == nil)
    }

    @Test func `with --no-try a key is stored without a search`() throws {
        let daemon = try daemon()
        let run = run("keys", "set", "kakao", "--plain", "--no-try", input: Self.key, daemon: daemon)
        #expect(run.status == .found)
        #expect(run.lines.last == "unlocked kakao.blog, kakao.web")
        #expect(!daemon.methods.contains(.search))
    }

    @Test func `each secret of an account is read from its own line, and either all or none are stored`() throws {
        let daemon = try daemon()
        let half = run("keys", "set", "naver", "legacy", input: "an-own-id\n", daemon: daemon)
        #expect(half.status == .usage)
        #expect(half.errors.contains("naver secret is missing"))
        #expect(directory.contents(of: "config/searchd/keys/naver.id") == nil)
        let both = run("keys", "set", "naver", "legacy", input: "an-own-id\r\na-secret\n", daemon: daemon)
        #expect(both.errors.contains("no source of naver is enabled"))
        #expect(directory.contents(of: "config/searchd/keys/naver.id") == "an-own-id\n")
        #expect(directory.contents(of: "config/searchd/keys/naver.secret") == "a-secret\n")
    }

    @Test(arguments: [
        (["set", "naver"], "naver legacy"), (["set", "naver", "x"], "naver hub"), (["set", "kakoa"], "“kakao”"),
        (["set"], "kakao, naver"), (["remove"], "kakao, naver"), (["remove", "kakao", "x"], "keys remove kakao"),
        (["get"], "“get”"),
    ])
    func `the error for an invalid command contains a hint`(words: [String], right: String) throws {
        let daemon = try daemon()
        let run = Run(["keys"] + words, in: directory, socket: daemon.path, input: Self.key)
        #expect(run.status == .usage)
        #expect(run.errors.contains(right))
    }

    @Test(arguments: [
        ["kakao", key], ["naver", key], ["naver", "legacy", key], ["naver", "legacy", "x", key, key], [key],
        ["kakao", "--key=\(key)"],
    ])
    func `a key on the command line is refused, and the error does not contain the key`(words: [String]) throws {
        let run = run(["keys", "set"] + words, input: Self.key, daemon: try daemon())
        #expect(run.status == .usage)
        #expect(!(run.output + run.errors).contains(Self.key))
        #expect(directory.contents(of: "config/searchd/keys/kakao.key") == nil)
    }

    @Test(arguments: ["", "two words", "l\u{FC}ge", String(repeating: "k", count: KeyText.bytesMax + 1)])
    func `an invalid key is refused, and the error does not contain the key`(text: String) throws {
        let run = run("keys", "set", "kakao", input: text + "\n", daemon: try daemon())
        #expect(run.status == .usage)
        #expect(text.isEmpty || !run.errors.contains(text))
        #expect(directory.contents(of: "config/searchd/keys/kakao.key") == nil)
    }

    @Test func `if the daemon runs as another user, the command fails before it reads a key`() throws {
        let daemon = try daemon(user: geteuid() + 1)
        let run = run("keys", "set", "kakao", input: Self.key, daemon: daemon)
        #expect(run.status == .notAllowed)
        #expect(run.errors.contains("runs as user \(UserName.text(geteuid() + 1)) and does not read your keys"))
        #expect(run.errors.contains("“sudo searchctl keys set --system kakao”"))
        #expect(directory.contents(of: "config/searchd/keys/kakao.key") == nil)
        let pair = self.run("keys", "set", "naver", "hub", daemon: daemon)
        #expect(pair.errors.contains("“sudo searchctl keys set --system naver hub”"))
        let ways = self.run("keys", "set", "naver", daemon: daemon)
        #expect(ways.errors.contains("“sudo searchctl keys set --system naver legacy”"))
        let list = self.run("keys", "--no-try", "--plain", daemon: daemon)
        #expect(list.lines.first == "kakao  no key, set it with “sudo searchctl keys set --system kakao”")
    }

    @Test func `system keys need root, and user keys are refused if another user runs the daemon`() {
        let system = KeyCommandLine(isSystem: true)
        let own = KeyCommandLine(isSystem: false)
        #expect(throws: Never.self) { try system.requireAccess(daemonUser: 997, userID: 0, orRun: "x") }
        #expect(throws: Never.self) { try own.requireAccess(daemonUser: 1000, userID: 1000, orRun: "x") }
        #expect(throws: Never.self) { try own.requireAccess(daemonUser: nil, userID: 1000, orRun: "x") }
        let refused = #expect(throws: ClientError.self) {
            try system.requireAccess(daemonUser: 997, userID: 1000, orRun: system.text("set", "kakao", ""))
        }
        #expect(refused?.hint == "Run “sudo searchctl keys set --system kakao”.")
        #expect(throws: ClientError.self) { try own.requireAccess(daemonUser: 997, userID: 1000, orRun: "x") }
    }

    @Test func `no key is stored in a directory that other users can read`() throws {
        let daemon = try daemon()
        for name in ["config", "config/searchd", "config/searchd/keys"] {
            // The path is valid during the call.
            _ = unsafe mkdir(directory.file(name), 0o755)
        }
        let run = run("keys", "set", "kakao", input: Self.key, daemon: daemon)
        #expect(run.status == .notAllowed)
        #expect(run.errors.contains("chmod 700 \(directory.file("config/searchd/keys"))"))
    }

    @Test func `“keys remove” deletes the key, in a pipe without a question; a second removal is an error`() throws {
        let daemon = try daemon()
        #expect(run("keys", "set", "kakao", input: Self.key, daemon: daemon).status == .found)
        #expect(run("keys", "set", "kakao", "--yes", daemon: daemon).errors.contains("“keys set” takes no --yes"))
        let removed = run("keys", "remove", "kakao", "--plain", daemon: daemon)
        #expect(removed.status == .found)
        #expect(removed.lines.first == "removed kakao.key in \(directory.file("config/searchd/keys"))")
        #expect(directory.contents(of: "config/searchd/keys/kakao.key") == nil)
        #expect(run("keys", "remove", "kakao", daemon: daemon).status == .nothingFound)
    }

    @Test func `the list shows which keys are present and work`() throws {
        let daemon = try daemon(enabled: true)
        let text = run("keys", "--plain", daemon: daemon)
        #expect(text.status == .found)
        #expect(text.lines.first == "kakao  works")
        #expect(text.lines.last?.contains("naver legacy") == true)
        #expect(daemon.methods.count { $0 == .search } == 1)
        let untried = run("keys", "list", "kakao", "--no-try", "--plain", daemon: daemon)
        #expect(untried.lines == ["kakao  not tried"])
    }

    @Test func `the terminal does not show the typed key, and echo is restored afterwards`() throws {
        let terminal = try PseudoTerminal()
        var console = Console()
        console.input = terminal.program
        console.errors = terminal.program
        var input = KeyInput(console)
        _ = try WorkerThread {
            _ = try? terminal.shown(until: "kakao key: ")
            terminal.type("\(Self.key)\n")
        }
        #expect(try input.key("kakao key")?.bytes == Array(Self.key.utf8))
        #expect(terminal.echoes)
        #expect(try !terminal.shown(until: "\r\n").contains(Self.key))
    }

    @Test func `Ctrl-C during key input restores the terminal`() throws {
        let terminal = try PseudoTerminal()
        let interrupt = Pipe()
        interrupt.signal()
        var console = Console()
        console.input = terminal.program
        console.errors = terminal.program
        console.interrupt = interrupt.reading
        var input = KeyInput(console)
        do throws(ClientError) {
            _ = try input.key("kakao key")
            Issue.record("expected an interruption")
        } catch {
            #expect(error.code == .interrupted)
        }
        #expect(terminal.echoes)
    }
}

struct KeyStoreTests {
    private let directory = TemporaryDirectory()

    @Test(arguments: [("../x", "key"), ("kakao", "a/b"), ("", "key"), ("kakao", ""), (".kakao", "key")])
    func `an account or secret name that leads to another directory is refused`(account: String, secret: String) throws
    {
        let store = KeyStore(directory: directory.file("keys"))
        let key = try KeyText(Array("k3y5ecret".utf8))
        #expect(throws: ClientError.self) { try store.save(key, account, secret) }
        #expect(throws: ClientError.self) { try store.remove(account, secret) }
    }

    @Test func `a key is replaced completely, and no temporary file remains`() throws {
        let store = KeyStore(directory: directory.file("keys"))
        try store.save(try KeyText(Array("first-key".utf8)), "kakao", "key")
        try store.save(try KeyText(Array("second-key".utf8)), "kakao", "key")
        #expect(directory.contents(of: "keys/kakao.key") == "second-key\n")
        #expect(store.has("kakao", "key"))
        #expect(try store.remove("kakao", "key"))
        #expect(try !store.remove("kakao", "key"))
    }

    @Test func `keys are stored in the configuration directory of the user or the system`() throws {
        let home = Environment(["HOME": "/h"])
        #expect(try KeyStore(environment: home, isSystem: false).directory == "/h/.config/searchd/keys")
        let both = Environment(["HOME": "/h", "XDG_CONFIG_HOME": "/x"])
        #expect(try KeyStore(environment: both, isSystem: false).directory == "/x/searchd/keys")
        #expect(try KeyStore(environment: both, isSystem: true).directory == "/etc/searchd/keys")
        #expect(throws: ClientError.self) { try KeyStore(environment: Environment([:]), isSystem: false) }
    }
}
