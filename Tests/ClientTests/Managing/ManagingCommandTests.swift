import Glibc
import RPC
import TestSupport
import Testing

@testable import Client

struct ManagingCommandTests {
    private let directory = TemporaryDirectory(under: "/tmp")

    @Test(arguments: [
        ("0::/system.slice/searchd.service\n", "searchd\0", DaemonManager.system),
        ("1:name=systemd:/system.slice/searchd.service\n0::/\n", "", .system),
        ("0::/user.slice/user-7.slice/user@7.service/app.slice/searchd.service\n", "", .user),
        ("0::/user.slice/user-7.slice/session-2.scope\n", "/b/searchd\0--socket\0/s\0--ready-fd\03\0", .searchctl),
        ("0::/\n", "searchd\0--config\0/c\0", .hand(["searchd", "--config", "/c"])), ("", "", .hand([])),
    ])
    func `who manages a daemon is told by its control group, else by its command line`(
        cgroup: String,
        commandLine: String,
        manager: DaemonManager
    ) {
        #expect(DaemonManager.of(cgroup: cgroup, commandLine: commandLine) == manager)
    }

    @Test func `a unit is stopped with its socket, restarted alone, and its log is in the journal`() throws {
        let system = try #require(Service(of: .system))
        let user = try #require(Service(of: .user))
        #expect(Service(of: .searchctl) == nil)
        #expect(system.words("stop") == ["systemctl", "stop", "searchd.socket", "searchd.service"])
        #expect(user.words("restart") == ["systemctl", "--user", "restart", "searchd.service"])
        #expect(
            LogsCommand.words(.journal(user), try Self.arguments("logs", "-f", "-n", "7")) == [
                "journalctl", "--user", "--unit=searchd.service", "--lines=7", "--follow",
            ]
        )
        #expect(LogsCommand.words(.file("/l"), try Self.arguments("logs")) == ["tail", "-n", "50", "--", "/l"])
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

    @Test func `without a daemon there is nothing to stop, and no log`() {
        let stop = Run("stop", in: directory, socket: directory.file("socket"))
        #expect(stop.status == .found)
        #expect(stop.output == "searchd is not running.\n")
        let logs = Run(
            "logs",
            in: directory,
            socket: directory.file("socket"),
            environment: ["XDG_STATE_HOME": directory.path]
        )
        #expect(logs.status == .nothingFound)
        #expect(logs.errors.contains("there is no log"))
    }

    @Test func `only a process that the socket belongs to is stopped, and only one's own`() throws {
        // The fake daemon's socket is this process's, while it claims to be another one.
        let other = try ScriptedDaemon(
            at: directory.file("other"),
            [.hello: Documents.hello(user: geteuid())]
        )
        let run = Run("stop", in: directory, socket: other.path)
        #expect(run.status == .notAllowed)
        #expect(run.errors.contains("was not made by searchd (process 42) itself"))
        let foreign = try ScriptedDaemon(at: directory.file("foreign"), [.hello: Documents.hello(user: 4_294_967_000)])
        let refused = Run("restart", in: directory, socket: foreign.path)
        #expect(refused.status == .notAllowed)
        #expect(Run("stop", in: directory, socket: foreign.path).errors.contains("belongs to user 4294967000"))
    }
}
