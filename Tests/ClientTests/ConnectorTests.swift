import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Client

/// Tests how a daemon is found and started, with a small shell script as the daemon.
struct ConnectorTests {
    private let directory = TemporaryDirectory(under: "/tmp")

    private func ping(program: String = "searchd") -> Run {
        Run(
            "ping",
            in: directory,
            environment: ["XDG_STATE_HOME": directory.file("state"), "XDG_RUNTIME_DIR": directory.path],
            daemonProgram: directory.file(program)
        )
    }

    private func answering(at name: String) throws -> FakeDaemon {
        try FakeDaemon(at: directory.file(name)) { connection in
            _ = try connection.line()
            try connection.send(#"{"jsonrpc":"2.0","id":1,"result":{"uptime":1}}"#)
        }
    }

    @Test func `a started daemon gets the path of its socket, and reports when it is ready`() throws {
        let daemon = try answering(at: "waiting")
        // The script moves an existing socket to the path, because a shell script cannot create a socket.
        directory.write(
            """
            #!/bin/sh
            echo "$@" > \(directory.path)/arguments
            mv \(daemon.path) "$2" && printf R >&"$4"
            """,
            to: "searchd",
            mode: 0o700
        )
        let run = ping()
        #expect(run.status == .found)
        #expect(run.output.hasPrefix("searchd answers in "))
        let arguments = try #require(directory.contents(of: "arguments"))
        #expect(arguments == "--socket \(directory.file("searchd.sock")) --ready-fd 3\n")
    }

    @Test func `a started daemon has its own session and inherits no descriptors or signal mask`() throws {
        // Without protection, a child process would inherit this descriptor.
        let lock = fcntl(STDERR_FILENO, F_DUPFD, 200)
        defer { close(lock) }
        directory.write(
            """
            #!/bin/sh
            echo "session $(cut -d' ' -f6 /proc/$$/stat) $$"
            [ -e /proc/$$/fd/\(lock) ] && echo "leaked"
            exec grep -E '^Sig(Blk|Ign)' /proc/self/status
            """,
            to: "searchd",
            mode: 0o700
        )
        #expect(ping().status == .noDaemon)
        let log = try #require(directory.contents(of: "state/searchd/searchd.log"))
        let lines = log.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
        try #require(lines.map(\.first) == ["session", "SigBlk:", "SigIgn:"])
        #expect(lines[0][1] == lines[0][2])
        #expect(UInt64(lines[1][1], radix: 16) == 0)
        // The C library uses the signals 32 and 33 itself.
        #expect(UInt64(lines[2][1], radix: 16).map { $0 & ~0x1_8000_0000 } == 0)
    }

    @Test func `a start error contains the message from the daemon`() {
        directory.write(
            "#!/bin/sh\nprintf 'others may write to /x\\nchmod go-w /x\\n' >&3\n",
            to: "searchd",
            mode: 0o700
        )
        let run = ping()
        #expect(run.status == .noDaemon)
        #expect(run.errors.contains("searchd did not start: others may write to /x; chmod go-w /x"))
    }

    @Test func `“searchctl restart” ends with 78 if no daemon runs and the configuration is wrong`() {
        let script = "#!/bin/sh\n[ \"$1\" = --check ] || echo 'config.json5:1:3: x' >&3\nexit 78\n"
        let program = directory.write(script, to: "searchd", mode: 0o700)
        let environment = ["XDG_RUNTIME_DIR": directory.path]
        let run = Run("restart", in: directory, environment: environment, daemonProgram: program)
        #expect(run.status == .notConfigured && run.errors.contains("searchd did not start: config.json5:1:3: x"))
    }

    @Test func `if the daemon ends without a message, the error names the log`() {
        directory.write("#!/bin/sh\nexit 1\n", to: "searchd", mode: 0o700)
        let run = ping()
        #expect(run.status == .noDaemon)
        #expect(run.errors.contains("ended before it was ready"))
        #expect(run.errors.contains("searchd.log"))
    }

    @Test func `if the program cannot be executed, the error says that the daemon could not be started`() {
        let run = ping(program: "missing")
        #expect(run.status == .noDaemon)
        #expect(run.errors.contains("could not be started"))
    }

    @Test func `if a daemon is shutting down, the request is sent to the next daemon`() throws {
        let asked = Asked()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            switch asked.next() {
            case 1:
                try connection.send(
                    #"{"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"x","data":{"kind":"shuttingDown"}}}"#
                )
            case 2: break
            default: try connection.send(#"{"jsonrpc":"2.0","id":1,"result":{"uptime":1}}"#)
            }
        }
        let run = Run("ping", "--no-start", in: directory, socket: daemon.path)
        #expect(run.status == .found)
        #expect(run.errors == "")
        #expect(asked.next() == 4)
    }

    @Test func `if the user names a socket, no daemon is started, and the error says why`() {
        directory.write("#!/bin/sh\ntouch \(directory.path)/started\n", to: "searchd", mode: 0o700)
        let program = directory.file("searchd")
        let named = Run("ping", in: directory, socket: directory.file("socket"), daemonProgram: program)
        #expect(named.status == .noDaemon && named.errors.contains("only on the default socket"))
        let environment = ["SEARCHD_SOCKET": directory.file("socket")]
        let set = Run("ping", in: directory, environment: environment, daemonProgram: program)
        #expect(set.status == .noDaemon && directory.contents(of: "started") == nil)
    }

    @Test func `with --no-start, no daemon is started`() {
        let program = directory.write("#!/bin/sh\ntouch \(directory.path)/started\n", to: "searchd", mode: 0o700)
        let environment = ["XDG_RUNTIME_DIR": directory.path]
        let run = Run("ping", "--no-start", in: directory, environment: environment, daemonProgram: program)
        #expect(run.status == .noDaemon && run.errors.contains("To start it, omit --no-start."))
        #expect(directory.contents(of: "started") == nil)
    }

    @Test func `“searchctl reload” starts no daemon, and the error says that any search starts one`() {
        let program = directory.write("#!/bin/sh\ntouch \(directory.path)/started\n", to: "searchd", mode: 0o700)
        let environment = ["XDG_RUNTIME_DIR": directory.path]
        let run = Run("reload", in: directory, environment: environment, daemonProgram: program)
        #expect(run.status == .noDaemon && run.errors.contains("Any search with searchctl starts it."))
        #expect(directory.contents(of: "started") == nil)
    }

    @Test func `Ctrl-C ends the wait for a daemon`() {
        directory.write("#!/bin/sh\nexec sleep 30\n", to: "searchd", mode: 0o700)
        let interrupt = Pipe()
        interrupt.signal()
        let run = Run(
            "ping",
            in: directory,
            interrupt: interrupt.reading,
            environment: ["XDG_RUNTIME_DIR": directory.path],
            daemonProgram: directory.file("searchd")
        )
        #expect(run.status == .interrupted)
    }

    @Test func `a socket file without a server is treated as missing`() throws {
        do { _ = try answering(at: "socket") }
        let run = Run("ping", "--no-start", in: directory, socket: directory.file("socket"))
        #expect(run.status == .noDaemon)
        #expect(run.errors.contains("no searchd answers"))
    }

    @Test func `the error for a file that is not a socket names the file`() {
        directory.write("", to: "file")
        let run = Run("ping", in: directory, socket: directory.file("file"))
        #expect(run.status == .noDaemon && run.errors.contains("/file is not a socket"))
    }

    @Test func `the environment selects the user's socket`() throws {
        let daemon = try answering(at: "searchd.sock")
        let run = Run("ping", in: directory, environment: ["XDG_RUNTIME_DIR": directory.path])
        #expect(run.status == .found)
        let other = Run("ping", in: directory, environment: ["SEARCHD_SOCKET": daemon.path])
        #expect(other.status == .found)
    }
}

/// Counts the calls of `next`.
private final class Asked: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

struct DaemonLogTests {
    @Test func `the log is in the state directory`() {
        #expect(
            DaemonLog(environment: Environment(["XDG_STATE_HOME": "/s", "HOME": "/h"])).path == "/s/searchd/searchd.log"
        )
        #expect(DaemonLog(environment: Environment(["HOME": "/h"])).path == "/h/.local/state/searchd/searchd.log")
        #expect(DaemonLog(environment: Environment([:])).path == nil)
    }
}
