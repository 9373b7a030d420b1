import Glibc
import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct DoctorCommandTests {
    private let directory = TemporaryDirectory(under: "/tmp")

    private func run(_ words: String..., socket: String, program: String? = nil) -> Run {
        Run(
            words,
            in: directory,
            socket: socket,
            environment: ["TERM": "xterm", "HOME": directory.path, "XDG_RUNTIME_DIR": directory.path],
            daemonProgram: program ?? directory.file("nothing")
        )
    }

    private func daemon(search: String = Documents.found) throws -> FakeDaemon {
        try FakeDaemon(
            at: directory.file("socket"),
            [
                .hello: Documents.hello(version: Version.program, user: geteuid()),
                .stats: #"{"uptime":1}"#,
                .sourceList: Documents.list(
                    Documents.source("itunes.app"),
                    Documents.source("kakao.blog"),
                    Documents.source("google.books", enabled: false)
                ),
                .search: Documents.found,
                .libraryList: #"{"items":[],"total":14,"revision":1,"next":null}"#,
            ],
            searches: ["kakao.blog": search]
        )
    }

    @Test func `“doctor” requests one uncached hit from one enabled source of each account`() throws {
        let daemon = try daemon()
        directory.write("#!/bin/sh\necho configuration: none\n", to: "searchd", mode: 0o700)
        let run = run("doctor", "--plain", socket: daemon.path, program: directory.file("searchd"))
        #expect(run.status == .found, "\(run.output)")
        #expect(run.output.contains("2 of 2 accounts answer"))
        #expect(run.output.contains("configuration: none"))
        #expect(run.output.contains("  14 items saved\n"))
        #expect(
            run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
                "searchd answers on \(daemon.path) (yours,"
            )
        )
        #expect(daemon.params(of: .search).count == 2)
        #expect(daemon.params(of: .search).allSatisfy { $0.contains(#""limit":1,"maxAge":0"#) })
    }

    @Test func `a refused key is a failure and sets the exit status`() throws {
        let daemon = try daemon(search: FakeDaemon.failure("unauthorized", "wrong appKey"))
        let run = run("doctor", "--json", socket: daemon.path)
        #expect(run.status == .notAllowed)
        let checks = try JSONDocument(Array(run.output.utf8)).root["checks"]?.elements ?? []
        let blog = try #require(checks.first { $0["check"]?.string == "kakao.blog" })
        #expect(blog["result"]?.string == "failure")
        #expect(blog["message"]?.string == "wrong appKey")
    }

    @Test func `with --no-try, no source is called`() throws {
        let daemon = try daemon()
        #expect(run("doctor", "--no-try", socket: daemon.path).status == .found)
        #expect(daemon.params(of: .search).isEmpty)
    }

    @Test func `“doctor” checks the configuration with the daemon's program, and prints its error`() throws {
        let daemon = try daemon()
        directory.write("#!/bin/sh\necho \"/c:1:2: it is wrong\" >&2\nexit 78\n", to: "searchd", mode: 0o700)
        let run = run("doctor", "--plain", "--no-try", socket: daemon.path, program: directory.file("searchd"))
        #expect(run.status == .notConfigured)
        #expect(run.output.contains("/c:1:2: it is wrong"))
    }

    @Test func `without a daemon the other checks still run`() {
        let run = run("--no-start", "doctor", "--plain", socket: directory.file("socket"))
        #expect(run.status == .noDaemon)
        #expect(run.output.hasPrefix("failure  socket"))
        #expect(run.output.contains("pass     clock"))
    }

    @Test func `ProgramRun has the exit status and the complete output of a program`() {
        #expect(ProgramRun.run(["sh", "-c", "echo a; echo b >&2; exit 3"]) == ProgramRun(status: 3, output: "a\nb\n"))
        #expect(ProgramRun.run(["sh", "-c", "kill -9 $$"]) == ProgramRun(status: nil, output: ""))
        #expect(ProgramRun.run([directory.file("nothing")]) == nil)
    }
}

struct DoctorReportTests {
    @Test func `the worst failure sets the exit status`() {
        func status(_ statuses: Client.ExitStatus...) -> Int32 {
            DoctorReport(findings: statuses.map { .failure("x", "y", "z", $0) }).status.number
        }
        #expect(status(.tryLater, .notConfigured, .notAllowed, .noDaemon) == 69)
        #expect(status(.tryLater, .notConfigured, .notAllowed) == 77)
        #expect(status(.tryLater, .notConfigured) == 78)
        #expect(status(.tryLater) == 75)
        #expect(status() == 0)
        #expect(DoctorReport(findings: [.warning("x", "y", "z")]).status == .found)
    }
}
