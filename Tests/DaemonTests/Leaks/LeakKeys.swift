import Glibc
import Sandbox
import TestSupport

/// Random keys, so a search for them in any output finds only leaks.
struct LeakKeys {
    let isHub: Bool
    let kakao = Self.random(32, of: "0123456789abcdef")
    let naverID = Self.random(20, of: Self.letters)
    let naverSecret = Self.random(16, of: Self.letters)
    let google = "AIza" + Self.random(35, of: Self.letters + "-_")
    /// Contains characters that every encoding changes.
    let own = Self.random(12, of: Self.letters) + "+/=%&?" + Self.random(12, of: Self.letters + "+/")

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    var secrets: [String: String] {
        ["kakao": kakao, "naver id": naverID, "naver secret": naverSecret, "google": google, "own": own]
    }

    func open(_ options: inout SandboxOptions) {
        options.keys.kakao = [kakao]
        options.keys.naver = [.init(id: naverID, secret: naverSecret)]
        options.keys.naverHub = [.init(id: naverID, secret: naverSecret)]
        options.keys.google = [google]
    }

    private static func random(_ count: Int, of alphabet: String) -> String {
        let characters = Array(alphabet)
        return String((0..<count).map { _ in characters[Int.random(in: 0..<characters.count)] })
    }
}

/// The files of a daemon that uses the keys.
struct LeakHome {
    let sources = ["kakao.blog", "naver.news", "google.books", "mine.notes", "itunes.app", "hackernews.stories"]
    private let directory = TemporaryDirectory()
    private let file: String

    var socket: String { directory.file("s") }

    init(_ keys: LeakKeys, _ base: String) {
        let naver =
            keys.isHub
            ? "hubId: { value: \"\(keys.naverID)\" }, hubSecret: { value: \"\(keys.naverSecret)\" }, baseURL: \"\(base)/naverhub\""
            : "id: { value: \"\(keys.naverID)\" }, secret: { value: \"\(keys.naverSecret)\" }, baseURL: \"\(base)/naver\""
        let accounts = """
            naver: { \(naver) }, google: { key: { value: "\(keys.google)" }, baseURL: "\(base)/google" },
            mine: { key: { value: "\(keys.own)" } },
            """
        directory.makeDirectory("sources.d")
        file = directory.write(Self.source(base), to: "sources.d/mine.notes.json5")
        let members = "sourceDirectories: [\"\(directory.file("sources.d"))\"], allowedHosts: [\"127.0.0.1\"],"
        directory.write(sandboxConfiguration(base, keys.kakao, accounts, members), to: "config.json5")
        directory.makeDirectory("state")
        directory.makeDirectory("cache")
    }

    private static func source(_ base: String) -> String {
        """
        {
            source: "mine.notes", kind: "note", title: "Notes",
            account: {
                secrets: { key: "a key" },
                access: {
                    secrets: "key", base: "\(base)",
                    headers: { Authorization: "KakaoAK {secret.key}" }, parameters: { token: "{secret.key}" },
                },
                errorText: "message",
            },
            request: { path: "/v2/search/cafe", parameters: { query: "{query}", page: "{page}" } },
            paging: { style: "page", first: 1, size: 10 },
            response: { hits: "documents" },
            hit: { title: "title", snippet: "contents", url: "url" },
        }
        """
    }

    private var words: [String] {
        [
            "--config", directory.file("config.json5"), "--state", directory.file("state"), "--cache",
            directory.file("cache"),
        ]
    }

    func start() throws -> Searchd {
        let words = words + ["--socket", socket, "--verbose", "--ready-fd", "3"]
        let searchd = try Searchd(words, in: directory)
        guard try searchd.readyText() == "R" else { throw TestFailure(searchd.errors) }
        return searchd
    }

    func runOthers(_ tell: (String, _ place: String) -> Void) throws {
        let runs: [(program: String, words: [String])] = [
            ("searchd", words + ["--check"]), ("searchd", words + ["--check-source", file, "--try", "고양이"]),
            ("searchctl", ["--socket", socket, "sources"]), ("searchctl", ["--socket", socket, "status"]),
            ("searchctl", ["--socket", socket, "search", "--json", "고양이"]),
        ]
        for run in runs {
            let program = try Searchd(run.words, program: run.program, in: directory)
            _ = try program.waitForExit()
            let said = program.output + program.errors
            guard !said.isEmpty else { throw TestFailure("\(run) printed nothing") }
            tell(said, "\(run.program) \(run.words.last ?? "")")
        }
    }

    func leftovers() -> [(path: String, bytes: [UInt8])] {
        ["state", "cache"].flatMap { TemporaryDirectory.files(below: directory.file($0)) }
    }
}
