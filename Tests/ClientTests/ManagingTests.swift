import Glibc
import RPC
import TestSupport
import Testing

@testable import Client

struct ManagingCommandTests {
    private let directory = TemporaryDirectory(under: "/tmp")

    @Test(arguments: [
        ("0::/system.slice/searchd.service\n", ["searchd"], DaemonManager.systemd(isUsers: false)),
        ("1:name=systemd:/system.slice/searchd.service\n0::/\n", [], .systemd(isUsers: false)),
        ("0::/user.slice/user-7.slice/user@7.service/app.slice/searchd.service\n", [], .systemd(isUsers: true)),
        ("0::/session-2.scope\n", ["/b/searchd", "--socket", "/s", "--ready-fd", "3"], .searchctl),
        ("0::/\n", ["searchd", "--config", "/c"], .hand(["searchd", "--config", "/c"])), ("", [], .hand([])),
    ])
    func `the control group or the command line of a daemon shows what started it`(
        cgroup: String,
        words: [String],
        manager: DaemonManager
    ) {
        #expect(DaemonManager.of(cgroup: cgroup, words: words) == manager)
    }

    @Test func `“searchctl stop” also stops the socket, and “searchctl logs” reads the journal or the log`() throws {
        #expect(ServiceManager.words("stop") == ["stop", "searchd.socket", "searchd.service"])
        #expect(ServiceManager.words("start") == ["start", "searchd.socket"])
        #expect(ServiceManager.words("restart") == ["restart", "searchd.service"])
        #expect(
            LogsCommand.words(.journal(isUsers: true), try Self.arguments("logs", "-f", "-n", "7")) == [
                "journalctl", "--user", "--unit=searchd.service", "--lines=7", "--follow",
            ]
        )
        #expect(
            LogsCommand.words(.file("/l"), try Self.arguments("logs", "--follow")) == [
                "tail", "-n", "50", "-F", "--", "/l",
            ]
        )
    }

    private static func arguments(_ words: String...) throws -> Arguments {
        guard case .run(_, let arguments) = try CommandLineParser.parse(words, commands: CommandTable.commands) else {
            return Arguments()
        }
        return arguments
    }

    @Test func `without a daemon, “searchctl stop” succeeds, and “searchctl logs” fails`() {
        let stop = Run("stop", in: directory, socket: directory.file("socket"))
        #expect(stop.status == .found)
        #expect(stop.output == "searchd is not running on \(directory.file("socket")).\n")
        let logs = Run(
            "logs",
            in: directory,
            socket: directory.file("socket"),
            environment: ["XDG_STATE_HOME": directory.path]
        )
        #expect(logs.status == .noDaemon)
        #expect(logs.errors.contains("no searchd answers on"))
    }

    @Test func `“stop” and “restart” refuse another user's daemon and any server except searchd`() throws {
        // The test process, which is not searchd, created the fake daemon's socket.
        let other = try FakeDaemon(at: directory.file("other"), [.hello: Documents.hello(user: geteuid())])
        for command in ["stop", "restart"] {
            let run = Run(command, in: directory, socket: other.path)
            #expect(run.status == .notAllowed)
            #expect(run.errors.contains("was not created by searchd itself"))
        }
        let foreign = DaemonProcess(id: getpid(), userID: 4_294_967_000, socket: "/s", manager: .searchctl)
        let error = #expect(throws: ClientError.self) { try foreign.requireOwn(to: "restart") }
        #expect(error?.hint == "Run “sudo -u '#4294967000' searchctl --socket /s restart”.")
        let silence = foreign.silence
        #expect(silence.message == "searchd (process \(getpid())) does not answer")
        #expect(silence.hint == "Run “sudo -u '#4294967000' searchctl --socket /s stop” to end it.")
    }

    @Test func `if a configuration check fails, the error has its first line and the number of further lines`() {
        let wrong = ProgramRun(status: 78, output: "/c:3:5: acounts: is not known here\n/c:4:1: x\n")
        let problem = DaemonConfigurationCheck.ran(wrong).problem
        #expect(problem == "/c:3:5: acounts: is not known here (and 1 further line)")
        #expect(DaemonConfigurationCheck.ran(nil).problem != nil)
        #expect(DaemonConfigurationCheck.noProgram.problem != nil)
        #expect(DaemonConfigurationCheck.ran(ProgramRun(status: 0, output: "30 sources ready\n")).problem == nil)
    }

    @Test func `the check of the system's daemon uses the system's configuration and credentials`() {
        let program = directory.write(
            "#!/bin/sh\necho \"$@ $CREDENTIALS_DIRECTORY\"\n",
            to: "searchd",
            mode: 0o700
        )
        let context = Context(console: Console(), environment: Environment([:]), daemonProgram: program)
        #expect(
            DaemonConfigurationCheck.run(ofSystem: false, context) == .ran(ProgramRun(status: 0, output: "--check \n"))
        )
        // This process has no --config, and process 0 does not exist, so the check gets no --config.
        for process in [Int(getpid()), 0] {
            let check = DaemonConfigurationCheck.run(ofSystem: false, process: process, context)
            #expect(check == .ran(ProgramRun(status: 0, output: "--check \n")))
        }
        let words = "--check --config /etc/searchd/config.json5 /run/credentials/searchd.service\n"
        #expect(DaemonConfigurationCheck.run(ofSystem: true, context) == .ran(ProgramRun(status: 0, output: words)))
    }

    private func manager(unit: String, status: Int = 0) -> ServiceManager {
        directory.write(
            "#!/bin/sh\necho \"$@\" >> \(directory.path)/asked\necho '\(unit)'\nexit \(status)\n",
            to: "systemctl",
            mode: 0o700
        )
        let environment = Environment(["PATH": directory.path])
        return ServiceManager(
            Context(console: Console(), environment: environment, systemdDirectory: directory.path)
        )
    }

    @Test func `the system's socket is started with systemctl, and an error contains systemctl's message`() throws {
        try manager(unit: "").perform("start", isUsers: false)
        // The first call resets the number of failed starts.
        let asked = "reset-failed searchd.socket searchd.service\nstart searchd.socket\n"
        #expect(directory.contents(of: "asked") == asked)
        let failing = manager(unit: "Job for searchd.socket failed.", status: 1)
        let error = #expect(throws: ClientError.self) {
            try failing.perform("start", isUsers: false)
        }
        #expect(error?.message == "“systemctl start searchd.socket” failed: Job for searchd.socket failed.")
        #expect(error?.code == .noDaemon)
    }

    @Test(arguments: [("searchd.socket enabled enabled", 0, true), ("", 0, false), ("no such verb", 1, false)])
    func `the service is installed if systemd lists its socket`(output: String, status: Int, isThere: Bool) {
        #expect(manager(unit: output, status: status).hasService == isThere)
        #expect(directory.contents(of: "asked") == "--root=/ --no-legend list-unit-files searchd.socket\n")
    }

}
