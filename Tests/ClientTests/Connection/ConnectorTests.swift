import Glibc
import Testing

@testable import Client

/// Finding and starting a daemon; the daemons that are started are small shell scripts.
struct ConnectorTests {
    private let directory = TemporaryDirectory()

    private func ping(program: String = "searchd") -> Run {
        Run(
            "ping",
            in: directory,
            socket: directory.file("socket"),
            environment: ["XDG_STATE_HOME": directory.file("state")],
            daemonProgram: directory.file(program)
        )
    }

    private func answering(at name: String) throws -> FakeDaemon {
        try FakeDaemon(at: directory.file(name)) { connection in
            _ = try connection.line()
            try connection.send(#"{"jsonrpc":"2.0","id":1,"result":{"uptime":1}}"#)
        }
    }

    @Test func `a daemon is started with its socket and says when it is ready`() throws {
        let daemon = try answering(at: "waiting")
        // The real one binds; this one moves a socket that a test serves to where it was told to listen.
        directory.write(
            """
            #!/bin/sh
            echo "$@" > \(directory.path)/arguments
            mv \(daemon.path) "$2" && printf R >&"$4"
            """,
            to: "searchd"
        )
        let run = ping()
        #expect(run.status == .found)
        #expect(run.output == "{\"uptime\":1}\n")
        let arguments = try #require(directory.contents(of: "arguments"))
        #expect(arguments == "--socket \(directory.file("socket")) --ready-fd 3\n")
    }

    @Test func `a started daemon is a session of its own, without our descriptors and with a log`() throws {
        directory.write(
            """
            #!/bin/sh
            echo "session $(cut -d' ' -f6 /proc/$$/stat) process $$"
            echo "descriptors" $(ls /proc/$$/fd)
            grep -E '^Sig(Blk|Ign)' /proc/$$/status >&2
            printf 'no\\nbecause\\n' >&3
            """,
            to: "searchd"
        )
        #expect(ping().errors == "searchctl: searchd did not start: no. because.\n")
        let log = try #require(directory.contents(of: "state/searchd/searchd.log"))
        let lines = log.split(separator: "\n").map(String.init)
        let session = lines.first?.split(separator: " ") ?? []
        #expect(session.count == 4 && session[1] == session[3])
        // 10 or 255 is the shell's own, for the script.
        #expect(lines.contains { $0.hasPrefix("descriptors 0 1 2 3") && $0.split(separator: " ").count <= 6 })
        #expect(lines.filter { $0.hasSuffix("0000000000000000") }.count == 2)
    }

    @Test func `a daemon that ends without a word names its log`() {
        directory.write("#!/bin/sh\nexit 1\n", to: "searchd")
        let run = ping()
        #expect(run.status == .noDaemon)
        #expect(run.errors.contains("ended before it was ready"))
        #expect(run.errors.contains("searchd.log"))
    }

    @Test func `a daemon that can't be run is a failure to start`() {
        let run = ping(program: "missing")
        #expect(run.status == .noDaemon)
        #expect(run.errors.contains("could not be started"))
    }

    @Test func `no-start forbids it`() {
        directory.write("#!/bin/sh\ntouch \(directory.path)/started\n", to: "searchd")
        let run = Run("ping", "--no-start", in: directory, socket: directory.file("socket"))
        #expect(run.status == .noDaemon)
        #expect(run.errors.contains("no searchd answers on \(directory.file("socket"))"))
        #expect(directory.contents(of: "started") == nil)
    }

    @Test func `Ctrl-C ends the wait for a daemon`() {
        directory.write("#!/bin/sh\nexec sleep 30\n", to: "searchd")
        let interrupt = Pipe()
        interrupt.signal()
        let run = Run(
            "ping",
            in: directory,
            socket: directory.file("socket"),
            interrupt: interrupt.reading,
            environment: [:],
            daemonProgram: directory.file("searchd")
        )
        #expect(run.status == .interrupted)
    }

    @Test func `a socket that nobody serves any more is as good as none`() throws {
        do { _ = try answering(at: "socket") }
        let run = Run("ping", "--no-start", in: directory, socket: directory.file("socket"))
        #expect(run.status == .noDaemon)
        #expect(run.errors.contains("no searchd answers"))
    }

    @Test func `the user's own place is found by the environment`() throws {
        let daemon = try answering(at: "searchd.sock")
        let run = Run("ping", in: directory, environment: ["XDG_RUNTIME_DIR": directory.path])
        #expect(run.status == .found)
        let other = Run("ping", in: directory, environment: ["SEARCHD_SOCKET": daemon.path])
        #expect(other.status == .found)
    }
}
