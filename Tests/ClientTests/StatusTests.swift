import Glibc
import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct StatusCommandTests {
    private let directory = TemporaryDirectory()
    private static let quota =
        #"[{"name":"kakao-day","limit":50000,"used":1000,"left":49000}]"#
    private static let usedUp = #"[{"name":"kakao-day","limit":50000,"used":50000,"left":0}]"#
    private static let stats =
        #"{"uptime":61,"requests":{"search":12345,"refused":0,"server/ping":7},"connections":{"open":3,"inFlight":2},"#
        + #""cache":{"entries":1234,"bytes":5662310,"limit":67108864,"hits":93,"misses":6,"stale":1,"evictions":0},"#
        + #""flights":{"calls":1,"waiters":4},"memory":{"resident":9000000},"new":["a"]}"#

    private func daemon(_ sources: String...) throws -> FakeDaemon {
        try FakeDaemon(
            at: directory.file("socket"),
            [
                .hello: Documents.hello(user: geteuid()), .stats: Self.stats,
                .sourceList: #"{"sources":[\#(sources.joined(separator: ","))]}"#,
                .libraryList: #"{"items":[],"total":1400,"revision":1,"next":null}"#,
            ]
        )
    }

    @Test func `the health is printed first, then one line each for sources, library and cache`() throws {
        let daemon = try daemon(
            Documents.source("kakao.blog", quota: Self.quota),
            Documents.source("kakao.web", quota: Self.quota),
            Documents.source("google.books", enabled: false)
        )
        let run = Run("status", "--plain", in: directory, socket: daemon.path)
        #expect(run.status == .found)
        #expect(
            run.lines == [
                "healthy · your searchd 9.8.7, up 61 s",
                "Sources  2 of 3 enabled, 1 without a key: see “searchctl keys”",
                "Library  1,400 items saved", "Cache    1,234 pages, 5.4 MiB of 64 MiB, 93 % of lookups were hits",
            ]
        )
        let all = Run("status", "--plain", "--all", in: directory, socket: daemon.path)
        #expect(all.lines.starts(with: [run.lines[0], "Quotas", "  kakao-day  49,000 of 50,000 left"]))
    }

    @Test func `a status with many problems fits 24 lines`() throws {
        let sources = (0..<40).map { number in
            let health = number % 2 == 0 ? "failing" : "waiting"
            return Documents.source("a\(number).b", health: health, quota: number % 3 == 0 ? Self.usedUp : "[]")
        }
        let daemon = try FakeDaemon(
            at: directory.file("socket"),
            [
                .hello: Documents.hello(user: geteuid()),
                .stats: #"{"uptime":61,"reloadRefusedAt":"2024-03-09T00:00:00Z","cache":{"entries":1},"#
                    + #""ledger":{"message":"disk full"},"personal":{"error":{"message":"Full."}}}"#,
                .sourceList: #"{"sources":[\#(sources.joined(separator: ","))]}"#,
                .libraryList: #"{"items":[],"total":1,"revision":1,"next":null}"#,
            ]
        )
        let run = Run("status", "--plain", in: directory, socket: daemon.path)
        #expect(run.lines.count <= 24, "\(run.output)")
    }

    @Test(arguments: [
        ("failing", "[]", "kakao.blog  failing"), ("open", "[]", "kakao.blog  suspended after repeated failures"),
        ("waiting", usedUp, "kakao.blog  quota used up"),
    ])
    func `a source in trouble is named, and the exit status is 75`(
        health: String,
        quota: String,
        line: String
    ) throws {
        let daemon = try daemon(
            Documents.source("kakao.blog", health: health, quota: quota),
            Documents.source("itunes.app")
        )
        let run = Run("status", "--plain", in: directory, socket: daemon.path)
        #expect(run.status == .tryLater)
        #expect(run.lines.first?.hasPrefix("1 of 2 sources in trouble · ") == true)
        #expect(run.lines.dropFirst().prefix(2) == ["In trouble", "  \(line)"])
    }

    @Test(arguments: [
        (
            #"{"damaged":[{"file":"/s/1.damaged","at":"2024-03-09T00:00:00Z"}]}"#, "your library was damaged",
            0, "→ Recover it as searchd(8) explains,"
        ),
        (
            #"{"damaged":[],"error":{"code":-32005,"message":"Full.","data":{"hint":"Make room."}}}"#,
            "your library can't be used", 75, "→ Make room."
        ),
    ])
    func `the first line names a problem of the library, and an unusable library sets the exit status`(
        personal: String,
        headline: String,
        status: Int,
        remedy: String
    ) throws {
        let daemon = try FakeDaemon(
            at: directory.file("socket"),
            [
                .hello: Documents.hello(user: geteuid()), .stats: #"{"uptime":61,"personal":\#(personal)}"#,
                .sourceList: Documents.list(Documents.source("itunes.app")),
                .libraryList: FakeDaemon.failure("unavailable", "Full.", code: -32005),
            ]
        )
        let run = Run("status", "--plain", in: directory, socket: daemon.path)
        #expect(run.status.number == status && run.lines.first?.hasPrefix(headline + " · ") == true)
        #expect(run.output.contains(remedy), "\(run.output)")
    }

    @Test func `an invalid source file, or no source at all, is a configuration error`() throws {
        let wrong = try daemon(Documents.source("itunes.app"), SourceEntries.invalid)
        let run = Run("status", "--plain", in: directory, socket: wrong.path)
        #expect(run.status == .notConfigured)
        #expect(run.lines.first?.hasPrefix("1 source file with errors") == true)
        #expect(run.lines.contains("  demo.x  off: its file is wrong"))
        #expect(DaemonSnapshot().health == .misconfigured("no source can be asked"))
    }

    @Test func `a refused configuration sets the exit status, but a source in trouble takes precedence`() throws {
        func health(_ source: String) throws -> Health {
            let stats = #"{"reloadRefusedAt":"2024-03-09T00:00:00Z"}"#
            return DaemonSnapshot(
                stats: try SourceEntries.cursor(stats),
                list: try SourceEntries.cursor(Documents.list(source))
            ).health
        }
        let fine = try health(Documents.source("itunes.app"))
        #expect(fine.status == .notConfigured)
        #expect(fine.word == "misconfigured" && fine.sentence == "the configuration was refused")
        let open = try health(Documents.source("itunes.app", health: "open"))
        #expect(open.status == .tryLater && open.word == "troubled")
    }

    @Test(
        arguments: [(5, .troubled("this machine seems to be offline")), (600, .healthy("healthy"))] as [(Int64, Health)]
    )
    func `for a minute after an offline failure, the health is “troubled”`(seconds: Int64, health: Health) throws {
        let snapshot = DaemonSnapshot(
            stats: try SourceEntries.cursor(#"{"offline":"2024-03-09T00:00:00Z"}"#),
            list: try SourceEntries.cursor(Documents.list(Documents.source("a.b"))),
            clock: LocalClock(now: 1_709_942_400 + seconds)
        )
        #expect(snapshot.health == health)
    }

    @Test func `for a minute after a refused call, the health is “troubled”`() throws {
        func health(_ seconds: Int64) throws -> Health {
            let stats = #"{"errors":[{"source":"a.b","kind":"overloaded","count":8,"last":"2024-03-09T00:00:00Z"}]}"#
            return DaemonSnapshot(
                stats: try SourceEntries.cursor(stats),
                list: try SourceEntries.cursor(Documents.list(Documents.source("a.b"))),
                clock: LocalClock(now: 1_709_942_400 + seconds)
            ).health
        }
        #expect(try health(5) == .troubled("searchd refuses calls: too many calls ×8"))
        #expect(try health(600) == .healthy("healthy"))
    }

    @Test func `the JSON document has all metrics, the health, the daemon and the sources`() throws {
        let daemon = try daemon(Documents.source("kakao.blog", health: "open"))
        let run = Run("status", "--json", in: directory, socket: daemon.path)
        #expect(run.status == .tryLater)
        #expect(run.lines.count == 1)
        let document = try JSONDocument(Array(run.output.utf8)).root
        #expect(document[.uptime]?.int == 61)
        #expect(document[.connections]?[.open]?.int == 3)
        #expect(document[.health]?.string == "troubled")
        #expect(document[.server]?[.pid]?.int == 42)
        #expect(document[.sources]?[0]?[.source]?.string == "kakao.blog")
    }

}
