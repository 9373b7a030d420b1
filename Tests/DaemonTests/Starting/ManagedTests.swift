import CPlatform
import EventLoop
import Glibc
import JSON
import Sandbox
import TestSupport
import Testing

@testable import Daemon

/// The program under a service manager: inherited sockets, notifications, limits and signals.
@Suite struct ManagedTests {
    /// `$$` is the process ID of searchd, because searchd replaces the shell.
    private static let prelude = "export LISTEN_PID=$$"

    @Test func `a daemon serves connections that waited on its inherited socket`() async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let listener = try UnixSocket.listen(at: directory.file("handed"), backlog: 16)
            // The connection waits in the queue until a daemon starts.
            let early = try TestClient(directory.file("handed"))
            let ping = try early.ask("server/ping")
            let searchd = try Searchd(
                [],
                in: directory,
                environment: ["LISTEN_FDS": "1"],
                prelude: Self.prelude,
                listener: listener.raw
            )
            #expect(try early.answer(to: ping)["result"] != nil)
            #expect(
                try TestClient(directory.file("handed")).call("server/hello")["result"]?["pid"]?.int == Int(searchd.pid)
            )
            #expect(searchd.errors.contains(directory.file("handed")))
            searchd.signal(SIGTERM)
            #expect(try searchd.waitForExit() == 0)
            #expect(searchd.errors.contains("SIGTERM"))
            // The manager keeps the socket open, so connections wait for the next daemon.
            #expect(directory.isSocket("handed"))
            let later = try TestClient(directory.file("handed"))
            let next = try Searchd(
                [],
                in: directory,
                environment: ["LISTEN_FDS": "1"],
                prelude: Self.prelude,
                listener: listener.raw
            )
            #expect(try later.call("server/hello")["result"]?["pid"]?.int == Int(next.pid))
        }
    }

    @Test func `a socket for another process is ignored, and a descriptor that is not a listener is refused`()
        async throws
    {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let listener = try UnixSocket.listen(at: directory.file("handed"), backlog: 16)
            directory.makeDirectory("run")
            let elsewhere = try Searchd(
                [],
                in: directory,
                environment: [
                    "LISTEN_FDS": "1", "LISTEN_PID": "1", "XDG_RUNTIME_DIR": directory.file("run"),
                    "NOTIFY_SOCKET": directory.file("nobody"),
                ],
                listener: listener.raw
            )
            try await eventually("the daemon's own socket") { directory.isSocket("run/searchd.sock") }
            #expect(try TestClient(directory.file("run/searchd.sock")).call("server/ping")["result"] != nil)
            elsewhere.signal(SIGINT)
            #expect(try elsewhere.waitForExit() == 0)
            #expect(elsewhere.errors.contains("SIGINT"))
            let wrong = try Searchd([], in: directory, environment: ["LISTEN_FDS": "1"], prelude: Self.prelude)
            #expect(try wrong.waitForExit() != 0)
            #expect(wrong.errors.contains("descriptor 3"))
            #expect(wrong.errors.contains("ListenStream="))
            let many = try Searchd([], in: directory, environment: ["LISTEN_FDS": "17"], prelude: Self.prelude)
            #expect(try many.waitForExit() != 0)
            #expect(many.errors.contains("16"))
        }
    }

    @Test(arguments: [false, true])
    func `the daemon reports readiness and stopping to the service manager`(isAbstract: Bool) async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let address = isAbstract ? "@\(directory.file("notify"))" : directory.file("notify")
            let manager = try UnixAddress(address).bind(forDatagrams: true)
            let searchd = try Searchd(
                ["--socket", directory.file("s")],
                in: directory,
                environment: ["NOTIFY_SOCKET": address]
            )
            let ready = try Waiting.receive(manager.raw, "READY=1")
            #expect(ready.split(separator: "\n").contains("READY=1"))
            #expect(try TestClient(directory.file("s")).call("server/ping")["result"] != nil)
            searchd.signal(SIGTERM)
            let stopping = try Waiting.receive(manager.raw, "STOPPING=1")
            #expect(stopping.split(separator: "\n").contains("STOPPING=1"))
            #expect(try searchd.waitForExit() == 0)
        }
    }

    @Test func `if no descriptor is free, new clients wait until another client disconnects`()
        async throws
    {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let searchd = try Searchd(
                ["--socket", directory.file("s"), "--ready-fd", "3"],
                in: directory
            )
            _ = try searchd.readyText()
            // At start, the daemon computes its connection limit from the descriptor limit. So the test lowers the
            // descriptor limit after the start.
            let countFree =
                "while [ $free -lt 16 ]; do [ -e /proc/\(searchd.pid)/fd/$n ] || : $((free += 1)); : $((n += 1)); done"
            let limit = "n=0; free=0; \(countFree); exec prlimit --pid \(searchd.pid) --nofile=$n:$n"
            #expect(try Searchd([], in: directory, prelude: limit).waitForExit() == 0)
            var clients = try (1...30).map { _ in try TestClient(directory.file("s")) }
            for client in clients { try client.ask("server/ping") }
            #expect(try clients[0].answer(to: 1)["result"] != nil)
            try await eventually("an error in the log") { searchd.errors.contains("can't be accepted") }
            let open = try #require(try clients[0].call("server/stats")["result"]?["connections"]?["open"]?.int)
            #expect((1..<24).contains(open))
            for client in clients[1..<open] { #expect(try client.answer(to: 1)["result"] != nil) }
            #expect(try clients[0].call("server/ping")["result"] != nil)
            clients.removeFirst(open)
            while let client = clients.first {
                #expect(try client.answer(to: 1)["result"] != nil)
                clients.removeFirst()
            }
            let complaints = searchd.errors.split(separator: "\n").filter { $0.contains("can't be accepted") }
            #expect((1...40).contains(complaints.count), "\(searchd.errors)")
            searchd.signal(SIGTERM)
            #expect(try searchd.waitForExit() == 0)
        }
    }

    @Test func `HUP and PIPE do not end the daemon`() async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let searchd = try Searchd(["--socket", directory.file("s"), "--ready-fd", "3"], in: directory)
            _ = try searchd.readyText()
            let client = try TestClient(directory.file("s"))
            searchd.signal(SIGHUP)
            searchd.signal(SIGPIPE)
            #expect(try client.call("server/ping")["result"] != nil)
            #expect(try TestClient(directory.file("s")).call("server/ping")["result"] != nil)
        }
    }
}
