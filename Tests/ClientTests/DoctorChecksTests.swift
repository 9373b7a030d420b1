import JSON
import SearchModel
import Testing

@testable import Client

struct DoctorChecksTests {
    /// 2026-11-21T12:00:00Z.
    private static let now: Int64 = 1_795_262_400
    private static let user: UInt32 = 1000

    private static let way = #"[{"way":"","secrets":[{"name":"key","present":false}]}]"#

    private func snapshot(
        version: String = Version.program,
        wire: Int = Version.wire,
        sources: String...
    ) throws -> DaemonSnapshot {
        DaemonSnapshot(
            hello: try SourceEntries.cursor(Documents.hello(version: version, user: Self.user, protocol: wire)),
            stats: try SourceEntries.cursor(#"{"uptime":60}"#),
            list: try SourceEntries.cursor(#"{"sources":[\#(sources.joined(separator: ","))]}"#)
        )
    }

    private func facts(_ change: (inout DoctorFacts) throws -> Void = { _ in }) throws -> DoctorFacts {
        var facts = DoctorFacts(userID: Self.user, connection: .success("/run/user/1000/searchd.sock"))
        facts.socket = PathFacts(path: "/run/user/1000/searchd.sock", userID: Self.user, mode: 0o600)
        facts.snapshot = try snapshot()
        facts.troubles = [:]
        facts.configuration = .ran(ProgramRun(status: 0, output: "configuration /c: no problems\n"))
        try change(&facts)
        return facts
    }

    private func findings(_ check: String, _ change: (inout DoctorFacts) throws -> Void) throws -> [Finding] {
        DoctorChecks(facts: try facts(change), clock: LocalClock(now: Self.now)).findings.filter { $0.check == check }
    }

    @Test func `every check passes on a healthy system`() throws {
        let report = DoctorReport(findings: DoctorChecks(facts: try facts(), clock: LocalClock(now: Self.now)).findings)
        #expect(report.findings.allSatisfy { $0.level == .pass })
        #expect(report.status == .found)
        #expect(report.lines(Style(isOn: false), columns: 80).last == "no problems found")
        #expect(report.findings.map(\.check) == ["socket", "version", "configuration", "clock"])
    }

    @Test func `a damaged or unusable library is reported with its file and a remedy`() throws {
        let damaged =
            #"{"uptime":60,"personal":{"damaged":[{"file":"/s/1.sqlite.damaged-5","at":"2026-11-20T10:00:00Z","copyAt":"2026-11-19T10:00:00Z","restored":0,"lost":0}]}}"#
        let unusable =
            #"{"uptime":60,"personal":{"damaged":[],"error":{"code":-32005,"message":"Your library can't be used: full.","data":{"hint":"Make room on the disk."}}}}"#
        func told(_ stats: String) throws -> [Finding] {
            try findings("library") { facts in
                let hello = try snapshot().hello
                facts.snapshot = DaemonSnapshot(hello: hello, stats: try SourceEntries.cursor(stats))
            }
        }
        let warning = try #require(try told(damaged).first)
        #expect(warning.level == .warning)
        for day in ["2026-11-20", "2026-11-19"] { #expect(warning.message.contains(day)) }
        #expect(warning.remedy?.contains("/s/1.sqlite.damaged-5") == true)
        let failure = Finding.failure(
            "library",
            "Your library can't be used: full.",
            "Make room on the disk.",
            .tryLater
        )
        #expect(try told(unusable) == [failure])
        #expect(try told(#"{"uptime":60,"personal":{"damaged":[]}}"#) == [])
        #expect(try findings("library") { $0.savedCount = 1 } == [.pass("library", "1 item saved")])
    }

    @Test func `a socket of another user, or in a directory writable by others, is reported`() throws {
        let other = try findings("socket") { facts in
            facts.socket = PathFacts(path: "/tmp/s", userID: 7, mode: 0o666)
        }
        #expect(other.map(\.level) == [.warning])
        #expect(other[0].message.contains("user 7's, mode 0666"))
        let open = try findings("socket") { facts in
            facts.openDirectory = PathFacts(path: "/tmp/d", userID: Self.user, mode: 0o777, isDirectory: true)
        }
        #expect(open.last?.status == .notAllowed)
        #expect(open.last?.remedy == "Run “chmod go-w /tmp/d”.")
        let shared = try findings("socket") { facts in
            facts.openDirectory = PathFacts(path: "/tmp", userID: 0, mode: 0o1777, isDirectory: true)
        }
        #expect(shared.last?.status == .notAllowed)
        #expect(shared.last?.remedy == "Use --socket or $SEARCHD_SOCKET to choose a socket in another directory.")
    }

    @Test func `another daemon version causes a warning, and another protocol version causes a failure`() throws {
        let version = try findings("version") { $0.snapshot = try snapshot(version: "0.0.1") }
        #expect(version.map(\.level) == [.warning])
        let wire = try findings("version") { $0.snapshot = try snapshot(wire: Version.wire + 1) }
        #expect(wire.map(\.status) == [.noDaemon])
    }

    @Test func `the first configuration error is shown with the number of further lines`() throws {
        let output = "/c:3:5: sources.x: is wrong\n/c:4:5: sources.y: is wrong\n"
        let found = try findings("configuration") { facts in
            facts.configuration = .ran(ProgramRun(status: 78, output: output))
        }
        #expect(found.map(\.message) == ["/c:3:5: sources.x: is wrong (and 1 further line)"])
        #expect(found.map(\.status) == [.notConfigured])
        #expect(try findings("configuration") { $0.configuration = .noProgram }.map(\.level) == [.warning])
        #expect(try findings("configuration") { $0.configuration = .notOurs }.map(\.level) == [.skipped])
        #expect(try findings("configuration") { $0.configuration = .ran(nil) }.map(\.level) == [.failure])
    }

    @Test func `accounts without a key are named, with the number of disabled sources`() throws {
        let found = try findings("keys") { facts in
            facts.snapshot = try snapshot(sources: Documents.source("google.books", enabled: false, keys: Self.way))
        }
        #expect(found.map(\.message) == ["missing for google, so 1 source is off"])
        #expect(found.map(\.remedy) == ["Run “searchctl keys set google” to use it."])
        let optional = try findings("keys") { facts in
            facts.snapshot = try snapshot(sources: Documents.source("github.issues", keys: Self.way))
        }
        #expect(optional.isEmpty)
    }

    @Test func `if a source refuses a key of the system's daemon, the remedy is a command with sudo`() throws {
        let refused = try findings("kakao.blog") { facts in
            facts.userID = 0
            facts.snapshot = try snapshot(sources: Documents.source("kakao.blog", keys: Self.way))
            facts.troubles = [
                "kakao.blog": ClientError(.init(.unauthorized), "refused", hint: "check the configuration")
            ]
        }
        #expect(refused.map(\.remedy) == ["Set its key again with “sudo searchctl keys set --system kakao”."])
    }

    @Test(
        arguments: [
            (0o700, true, Finding.Level.pass), (0o755, true, .failure), (0o755, false, .pass), (0o775, false, .failure),
            (0o1777, false, .pass),
        ] as [(UInt32, Bool, Finding.Level)]
    )
    func `directories with secrets need stricter modes`(mode: UInt32, isSecret: Bool, level: Finding.Level) throws {
        let found = try findings(level == .pass ? "directories" : "keys") { facts in
            let directory = PathFacts(path: "/d", userID: Self.user, mode: mode, isDirectory: true)
            facts.directories = [.init(purpose: "keys", path: "/d", facts: directory, isSecret: isSecret)]
        }
        #expect(found.map(\.level) == [level])
    }

    @Test func `a directory that the user can't use is a failure, even if its mode is unknown`() throws {
        let found = try findings("state") { facts in
            facts.directories = [.init(purpose: "state", path: "/d", facts: nil)]
            facts.unusable = ["state"]
        }
        #expect(found.map(\.level) == [.failure] && found[0].message.contains("/d can't be used"))
    }

    @Test(arguments: [
        (DoctorChecks.freeBytesNeeded - 1, Finding.Level.failure), (DoctorChecks.freeBytesNeeded, .warning),
        (DoctorChecks.freeBytesWanted - 1, .warning), (DoctorChecks.freeBytesWanted, .pass),
    ])
    func `a full disk is a failure, and a nearly full disk is a warning`(free: Int, level: Finding.Level) throws {
        let found = try findings("disk") { facts in
            facts.directories = [.init(purpose: "state", path: "/d", facts: nil, freeBytes: free)]
        }
        #expect(found.map(\.level) == [level])
    }

    @Test(arguments: [
        ("unauthorized", Client.ExitStatus.notAllowed, Finding.Level.failure), ("unavailable", .tryLater, .failure),
        ("quotaExhausted", .tryLater, .failure), ("notConfigured", .notConfigured, .failure),
        ("internal", .tryLater, .failure), ("rateLimited", .found, .warning),
    ])
    func `a failing source is reported with a remedy`(kind: String, status: Client.ExitStatus, level: Finding.Level)
        throws
    {
        let found = try findings("kakao.blog") { facts in
            facts.snapshot = try snapshot(sources: Documents.source("itunes.app"), Documents.source("kakao.blog"))
            facts.troubles = ["kakao.blog": ClientError(.init(rawValue: kind), "it went wrong")]
        }
        #expect(found.map(\.status) == [status])
        #expect(found.map(\.level) == [level])
        #expect(found[0].remedy?.isEmpty == false)
    }

    @Test(arguments: [false, true])
    func `an offline machine is reported once, without names of sources, and does not hide a refused key`(
        hasRefusal: Bool
    ) throws {
        let found = DoctorChecks(
            facts: try facts { facts in
                facts.snapshot = try snapshot(sources: Documents.source("a.b"), Documents.source("c.d"))
                let error =
                    #"{"code":-32005,"message":"This machine is offline.","data":{"kind":"unavailable","offline":true}}"#
                let offline = RemoteFailure.read(try SourceEntries.cursor(error))
                let refusal = ClientError(.init(.unauthorized), "a.b answered 401")
                facts.troubles = ["a.b": hasRefusal ? refusal : offline, "c.d": offline]
            },
            clock: LocalClock(now: Self.now)
        ).findings.filter { $0.level != .pass }
        #expect(found.map(\.check) == (hasRefusal ? ["a.b"] : []) + ["network"])
        #expect(found.last?.message == Finding.offline.message)
        #expect(DoctorReport(findings: found).status == (hasRefusal ? .notAllowed : .tryLater))
    }

    @Test func `failed and inactive units are reported with the command to run`() throws {
        let found = try findings("units") { facts in
            facts.units = [
                .init(name: "searchd.socket", state: "inactive", isUsers: true),
                .init(name: "searchd.service", state: "failed", isUsers: false),
                .init(name: "searchd.service", state: "inactive", isUsers: true),
            ]
        }
        #expect(found.map(\.level) == [.warning, .failure, .pass])
        #expect(found[0].remedy == "Run “systemctl --user enable --now searchd.socket”.")
        #expect(found[1].remedy == "Run “systemctl status searchd.service”.")
    }

}
