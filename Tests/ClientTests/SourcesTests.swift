import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct SourcesCommandTests {
    private let directory = TemporaryDirectory()

    private func daemon(_ result: String = SourceEntries.list) throws -> FakeDaemon {
        try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                let request = try JSONDocument(Array(line.utf8)).root
                guard request[.method]?.word() == MethodName.sourceList else { return }
                try connection.send(#"{"jsonrpc":"2.0","id":\#(request[.id]?.int ?? 0),"result":\#(result)}"#)
            }
        }
    }

    @Test func `--json prints one line per source, exactly as sent by the daemon`() throws {
        let daemon = try daemon()
        let run = Run("sources", "--json", in: directory, socket: daemon.path)
        #expect(run.status == .found)
        #expect(
            run.lines == [SourceEntries.book, SourceEntries.off, SourceEntries.failing, SourceEntries.invalid]
        )
        #expect(
            Run("sources", "--json", "google.books", in: directory, socket: daemon.path).lines == [SourceEntries.off]
        )
    }

    @Test func `“searchctl sources” prints a table of accounts, or the details of a named source`() throws {
        let daemon = try daemon()
        let table = Run("sources", in: directory, socket: daemon.path)
        #expect(table.status == .found)
        #expect(
            table.lines.map { $0.prefix { $0 != " " } }.prefix(5) == [
                "ACCOUNT", "kakao", "google", "wikipedia", "demo",
            ]
        )
        #expect(table.lines[5] == "Profiles: @books, @web")
        #expect(table.lines[6].hasPrefix("A profile is a group of sources"))
        #expect(table.output.contains("4 sources, 2 enabled."))
        let details = Run("sources", "--plain", "kakao.book", in: directory, socket: daemon.path)
        #expect(details.lines.first == "kakao.book  Daum books")
        let terminal = Run("sources", in: directory, socket: daemon.path, isTerminal: true)
        #expect(terminal.output.contains("\u{1B}["))
        #expect(terminal.output.contains("ACCOUNT"))
    }

    @Test func `“searchctl sources NAME” lists the sources of an account or a profile`() throws {
        let daemon = try daemon()
        func names(_ words: String...) -> [Substring] {
            Run(["sources"] + words, in: directory, socket: daemon.path).lines.dropFirst().map {
                $0.prefix { $0 != " " }
            }
        }
        #expect(names("kakao") == ["kakao.book"])
        #expect(names("@books") == ["kakao.book", "google.books"])
        let profile = Run("sources", "@boks", in: directory, socket: daemon.path)
        #expect(profile.errors.contains("Did you mean “@books”?"))
    }

    @Test(arguments: [
        ["a.b", "c.d"], ["guide", "x"], ["check"], ["check", ""], ["a.b", "--try", "x"], ["--config", "/x"],
        ["guide", "--json"], ["check", "f", "--json"], ["check", "f", "--plain"], ["check", "f", "g"],
    ])
    func `an invalid combination of words and options is a usage error`(words: [String]) {
        let run = Self.run(["sources"] + words, in: directory)
        #expect(run.status == .usage)
        #expect(run.output.isEmpty && !run.errors.isEmpty)
    }

    private static func run(_ words: [String], in directory: TemporaryDirectory) -> Run {
        let rest = words + Array(repeating: "", count: max(0, 4 - words.count))
        return switch words.count {
        case 2: Run(rest[0], rest[1], in: directory, socket: "/nonexistent/socket")
        case 3: Run(rest[0], rest[1], rest[2], in: directory, socket: "/nonexistent/socket")
        default: Run(rest[0], rest[1], rest[2], rest[3], in: directory, socket: "/nonexistent/socket")
        }
    }

    @Test func `the guide needs no daemon, and contains its example unchanged`() {
        let run = Run("sources", "guide", in: directory, socket: "/nonexistent/socket")
        #expect(run.status == .found)
        #expect(run.output == SourceGuide.text)
        #expect(run.output.contains(SourceGuide.example))
    }

    @Test func `“searchctl sources check” runs the daemon's program`() throws {
        func words(_ line: [String]) throws -> [String] {
            guard case .run(_, let arguments) = try CommandLineParser.parse(line, commands: CommandTable.commands)
            else {
                return []
            }
            return try SourcesCommand.checkWords(arguments)
        }
        #expect(try words(["sources", "check", "a.json5"]) == ["--check-source", "a.json5"])
        #expect(
            try words(["sources", "check", "--try", "soup", "--config", "/c", "--", "-a.json5"]) == [
                "--check-source", "-a.json5", "--try", "soup", "--config", "/c",
            ]
        )
        let run = Run("sources", "check", "a.json5", in: directory, daemonProgram: "/nonexistent/searchd")
        #expect(run.status == .noDaemon)
        #expect(run.errors.contains("/nonexistent/searchd"))
    }
}

struct QuotaCommandTests {
    private let directory = TemporaryDirectory()

    @Test func `“quota” lists a shared quota once, and a name selects one quota`() throws {
        let quota = #"[{"name":"a-day","limit":100,"used":40,"left":60,"resetsAt":"2026-11-22T00:00:00Z"}]"#
        let list = Documents.list(Documents.source("a.b", quota: quota), Documents.source("a.c", quota: quota))
        let daemon = try FakeDaemon(at: directory.file("socket"), [.sourceList: list])
        let all = Run("quota", in: directory, socket: daemon.path)
        #expect(all.lines.count == 1 && all.output.hasPrefix("a-day  60 of 100 left"))
        #expect(Run("quota", "a-day", in: directory, socket: daemon.path).output == all.output)
        let unknown = Run("quota", "a-dya", in: directory, socket: daemon.path)
        #expect(unknown.status == .usage && unknown.errors.contains("“a-day”"))
        #expect(Run("quota", "a-day", "x", in: directory, socket: daemon.path).status == .usage)
    }

    @Test func `without a terminal, --yes is needed to lower the number of used calls, but not to raise it`() throws {
        let quota = #"[{"name":"a-day","limit":100,"used":40,"left":60}]"#
        let daemon = try FakeDaemon(
            at: directory.file("socket"),
            [.sourceList: Documents.list(Documents.source("a.b", quota: quota)), .quotaSet: #"{"quota":\#(quota)}"#]
        )
        let lower = Run("quota", "a-day", "39", in: directory, socket: daemon.path)
        #expect(lower.status == .usage && lower.errors.contains("Run “searchctl quota a-day 39 --yes”."))
        #expect(!daemon.methods.contains(.quotaSet))
        #expect(Run("quota", "a-day", "39", "--yes", in: directory, socket: daemon.path).status == .found)
        #expect(Run("quota", "a-day", "41", in: directory, socket: daemon.path).status == .found)
    }
}

/// Sources in JSON, as the daemon lists them.
enum SourceEntries {
    static let book =
        #"{"source":"kakao.book","kind":"book","account":"kakao","title":"Daum books","enabled":true,"keyNeeded":true,"#
        + #""limits":{"perSecond":10,"concurrency":8},"quota":[{"name":"kakao-day","limit":50000,"#
        + #""resetsAt":"2026-11-22T00:00:00+09:00"},{"name":"book-day","limit":30000,"#
        + #""resetsAt":"2026-11-22T00:00:00+09:00"}],"health":"ok","attribution":"Daum search by Kakao","#
        + #""options":{"target":{"type":"choice","values":["title","isbn"],"default":"title","about":"where to look"},"#
        + #""size":{"type":"integer","min":1,"max":9},"safe":{"type":"boolean"},"#
        + #""lang":{"type":"string","maxBytes":3}}}"#
    static let off =
        #"{"source":"google.books","kind":"book","account":"google","title":"Google Books","enabled":false,"#
        + #""reason":"notConfigured","keyNeeded":true,"limits":{"perSecond":1.5},"quota":[],"health":"ok","options":{}}"#
    static let failing =
        #"{"source":"wikipedia.ko","kind":"encyclopedia","account":"wikipedia","title":"위키백과","enabled":true,"#
        + #""keyNeeded":false,"limits":{"perDay":1200},"quota":[],"health":"failing","since":"2026-11-21T03:04:59Z","#
        + #""attribution":"CC BY-SA","options":{}}"#
    static let invalid =
        #"{"source":"demo.x","account":"demo","enabled":false,"reason":"invalid","limits":{},"quota":[],"options":{}}"#

    static func cursor(_ text: String) throws -> JSONCursor {
        try JSONDocument(Array(text.utf8)).root
    }

    static var list: String {
        #"{"sources":[\#(book),\#(off),\#(failing),\#(invalid)],"#
            + #""profiles":[{"name":"@books","sources":["kakao.book"],"off":["google.books"]},{"name":"@web","sources":[]}]}"#
    }
}

struct SourceTextTests {
    private static let plain = Style(isOn: false)
    /// 2026-11-21T12:30:00+09:00.
    private static let clock = LocalClock(now: 1_795_231_800, zone: .fixed(hours: 9))

    private func entries(_ list: String = SourceEntries.list) throws -> [SourceEntry] {
        (try SourceEntries.cursor(list)[.sources]?.elements ?? []).map { SourceEntry($0, clock: Self.clock) }
    }

    private func table(_ columns: Int) -> SourceText {
        SourceText(layout: Layout(columns: columns), style: Self.plain)
    }

    private func details(_ entry: String, columns: Int = 120) throws -> [String] {
        table(columns).details(SourceEntry(try SourceEntries.cursor(entry), clock: Self.clock), KeyCommandLine())
    }

    @Test func `the sources of an account with the same state share one line`() throws {
        let list = Documents.list(
            Documents.source("kakao.blog"),
            Documents.source("kakao.web"),
            Documents.source("kakao.cafe", enabled: false),
            SourceEntries.failing
        )
        #expect(
            table(80).accounts(try entries(list)) == [
                "ACCOUNT    SOURCES    STATE", "kakao      blog, web  ok", "           cafe       off: no key",
                "wikipedia  ko         failing since 12:04",
            ]
        )
    }

    @Test func `the details of a source include its state, limits, quotas and options`() throws {
        #expect(
            try details(SourceEntries.book) == [
                "kakao.book  Daum books",
                "  kind         book",
                "  account      kakao, needs a key",
                "  state        ok",
                "  limits       10/s, 8 at once",
                "  quota        kakao-day: 50,000; resets in 12 h",
                "  quota        book-day: 30,000; resets in 12 h",
                "  attribution  Daum search by Kakao",
                "  options      target: title, isbn (default title) — where to look",
                "               size: 1 to 9",
                "               safe: true or false",
                "               lang: text of up to 3 bytes",
                "               Example: searchctl search -s kakao.book -o kakao.book.target=title QUERY",
            ]
        )
    }

    @Test(arguments: [
        "{}", "[]", "5", #"{"source":5,"limits":[],"quota":{},"options":7,"failure":5}"#,
        #"{"source":"a.b","enabled":false,"reason":"new","quota":[5,{}],"limits":{"perSecond":"x"}}"#,
        #"{"source":"a.b","enabled":true,"health":"new","quota":[{"resetsAt":"soon","left":0}],"failure":{}}"#,
    ])
    func `a source with unknown or invalid members is still listed`(entry: String) throws {
        let entries = [SourceEntry(try SourceEntries.cursor(entry))]
        #expect(table(80).accounts(entries).count >= 2 && table(80).sources(entries).count >= 2)
        #expect(try !details(entry).isEmpty)
    }

    @Test func `data of a source cannot control the terminal`() throws {
        let evil = "\\u001b[31m\\u202e\\n"
        let text =
            "{\"source\":\"\(evil)\",\"kind\":\"\(evil)\",\"title\":\"\(evil)\",\"account\":\"\(evil)\",\"enabled\":false,"
            + "\"reason\":\"\(evil)\",\"since\":\"\(evil)\",\"attribution\":\"\(evil)\","
            + "\"failure\":{\"kind\":\"\(evil)\",\"message\":\"\(evil)\"},"
            + "\"quota\":[{\"name\":\"\(evil)\",\"resetsAt\":\"\(evil)\"}],"
            + "\"options\":{\"\(evil)\":{\"type\":\"\(evil)\",\"about\":\"\(evil)\"}}}"
        for text in [text, text.replacing("false", with: "true,\"health\":\"failing\"")] {
            let entries = [SourceEntry(try SourceEntries.cursor(text))]
            let lines = table(40).accounts(entries) + table(40).sources(entries) + (try details(text, columns: 40))
            for line in lines { #expect(line.unicodeScalars.allSatisfy(VisibleText.isSafe), "\(line)") }
        }
    }
}

struct SourceTroubleTests {
    private static let clock = LocalClock(now: 1_795_231_800, zone: .fixed(hours: 9))

    private func source(_ name: String, _ failure: String) -> String {
        let account = name.prefix { $0 != "." }
        return #"{"source":"\#(name)","account":"\#(account)","enabled":true,"health":"open","failure":\#(failure)}"#
    }

    private func failure(_ count: Int, _ status: Int, retryAfter: Int) -> String {
        #"{"failures":\#(count),"kind":"unavailable","message":"m","status":\#(status),"retryAfter":\#(retryAfter)}"#
    }

    @Test func `sources that can't be reached share one line with a short label`() throws {
        let sources = (1...20).map { number in
            let failure = #"{"failures":3,"kind":"unavailable","message":"m","retryAfter":40000}"#
            return source("account\(number).a", failure)
        }
        let list = try SourceEntries.cursor(#"{"sources":[\#(sources.joined(separator: ","))]}"#)
        let troubles = DaemonSnapshot(list: list, clock: Self.clock).troubles
        #expect(troubles.map(\.check) == ["20 sources"])
        #expect(troubles[0].message.hasPrefix("account1.a, account2.a, "))
        #expect(troubles[0].message.hasSuffix(" and 15 more: suspended after 3 × no connection; next try in 40 s"))
        #expect(troubles[0].sources.count == 20)
    }

    @Test func `sources of one account with the same failure share one line`() throws {
        let sources = [
            source("naver.a", failure(5, 503, retryAfter: 40_000)),
            source("naver.b", failure(7, 503, retryAfter: 30_000)),
            source("naver.c", failure(5, 500, retryAfter: 40_000)),
            source("kakao.a", failure(5, 503, retryAfter: 40_000)),
        ]
        let list = try SourceEntries.cursor(#"{"sources":[\#(sources.joined(separator: ","))]}"#)
        #expect(
            DaemonSnapshot(list: list, clock: Self.clock).troubles.map { "\($0.check): \($0.message)" } == [
                "naver (2 sources): suspended after 7 × HTTP 503; next try in 30 s",
                "naver.c: suspended after 5 × HTTP 500; next try in 40 s",
                "kakao.a: suspended after 5 × HTTP 503; next try in 40 s",
            ]
        )
    }
}
