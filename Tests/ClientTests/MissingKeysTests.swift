import JSON
import RPC
import TestSupport
import Testing

@testable import Client

struct MissingKeysTests {
    private let directory = TemporaryDirectory()
    private static let way = #"[{"way":"","secrets":[{"name":"key","present":false}]}]"#

    private func daemon(hasKey: Bool = false) throws -> FakeDaemon {
        let present = Self.way.replacing("false", with: "true")
        let sources = [
            Documents.source("kakao.web", enabled: hasKey, keys: hasKey ? present : Self.way),
            Documents.source("naver.web", enabled: false, keys: Self.way), Documents.source("wikipedia.ko"),
        ]
        let profiles =
            #"[{"name":"@web","sources":["wikipedia.ko"],"off":["kakao.web","naver.web"]},"#
            + #"{"name":"@default","sources":["wikipedia.ko"],"off":["kakao.web"]}]"#
        return try FakeDaemon(
            at: directory.file("socket"),
            [
                .search: Documents.found,
                .sourceList: #"{"sources":[\#(sources.joined(separator: ","))],"profiles":\#(profiles)}"#,
            ]
        )
    }

    @Test func `if sources of the named profile have no key, a message names them and a command`() throws {
        let daemon = try daemon()
        let run = Run("search", "-s", "@web", "김치", in: directory, socket: daemon.path)
        #expect(
            run.errors.contains(
                "@web: kakao.web, naver.web are off (no key). Set one with: searchctl keys set kakao"
            ),
            "\(run.errors)"
        )
        let formatted = Run("search", "--json", "-s", "@web", "김치", in: directory, socket: daemon.path)
        #expect(formatted.errors.isEmpty)
        let quiet = Run("search", "-q", "-s", "@web", "김치", in: directory, socket: daemon.path)
        #expect(quiet.errors.isEmpty)
    }

    @Test func `if the names of the sources do not fit the line, the message has only their number`() throws {
        let missing = MissingKeys(
            list: try SourceEntries.cursor(#"{"profiles":[{"name":"@web","off":["kakao.web","naver.web"]}]}"#),
            keys: KeyCommandLine(isSystem: true)
        )
        let short = "@web: 2 sources have no key: sudo searchctl keys set --system kakao"
        #expect(missing.line(of: "@web", columns: 80) == short)
    }

    @Test func `a search without --source shows the message only on a terminal, and at most once a day`() throws {
        let daemon = try daemon()
        func asks(isTerminal: Bool, now: Int64 = 1_700_000_000) throws -> Bool {
            let terminal = try PseudoTerminal()
            var console = terminal.console
            console.errorsIsTerminal = isTerminal
            let context = Context(
                console: console,
                environment: Environment(["TERM": "xterm", "PAGER": "cat", "XDG_STATE_HOME": directory.path]),
                now: { now }
            )
            let before = daemon.methods.count { $0 == .sourceList }
            _ = Searchctl.run(["--socket", daemon.path, "search", "--plain", "김치"], context)
            return daemon.methods.count { $0 == .sourceList } > before
        }
        #expect(try !asks(isTerminal: false))
        #expect(try asks(isTerminal: true))
        #expect(try !asks(isTerminal: true))
        #expect(try asks(isTerminal: true, now: 1_700_090_000))
        let list = #"{"sources":[\#(Documents.source("a.b", keys: Self.way.replacing("false", with: "true")))]}"#
        #expect(MissingKeys(list: try SourceEntries.cursor(list), keys: KeyCommandLine()).line(of: "@default") == nil)
    }
}
