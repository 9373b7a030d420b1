import CPlatform
import EventLoop
import Glibc
import JSON
import Sandbox
import TestSupport
import Testing

@testable import Daemon

/// The program under a service manager: sockets handed over, notices, limits, signals.
@Suite struct ManagedTests {
    /// The process that runs the prelude is the one that becomes searchd.
    private static let forIt = "export LISTEN_PID=$$"

    @Test func `a socket that is handed over is served from its first connection on`() async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let listener = try UnixSocket.listen(at: directory.file("handed"), backlog: 16)
            // It waits in the queue before there is a daemon.
            let early = try TestClient(directory.file("handed"))
            let ping = try early.ask("server/ping")
            let searchd = try Searchd(
                [],
                in: directory,
                environment: ["LISTEN_FDS": "1"],
                prelude: Self.forIt,
                listener: listener.raw
            )
            #expect(try early.answer(to: ping)["result"] != nil)
            #expect(
                try TestClient(directory.file("handed")).call("server/hello")["result"]?["pid"]?.int == Int(searchd.pid)
            )
            searchd.signal(SIGTERM)
            #expect(try searchd.waitForExit() == 0)
            // The socket is the manager's: it stays, and holds connections for the next daemon.
            #expect(directory.isSocket("handed"))
            let later = try TestClient(directory.file("handed"))
            let next = try Searchd(
                [],
                in: directory,
                environment: ["LISTEN_FDS": "1"],
                prelude: Self.forIt,
                listener: listener.raw
            )
            #expect(try later.call("server/hello")["result"]?["pid"]?.int == Int(next.pid))
        }
    }

    @Test func `a daemon by hand does not push aside one whose socket was handed over`() async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let listener = try UnixSocket.listen(at: directory.file("handed"), backlog: 16)
            let searchd = try Searchd(
                [],
                in: directory,
                environment: ["LISTEN_FDS": "1"],
                prelude: Self.forIt,
                listener: listener.raw
            )
            let client = try TestClient(directory.file("handed"))
            #expect(try client.call("server/ping")["result"] != nil)
            let other = try Searchd(["--socket", directory.file("handed")], in: directory)
            #expect(try other.waitForExit() == StartError.Code.unavailable.rawValue)
            #expect(
                try TestClient(directory.file("handed")).call("server/hello")["result"]?["pid"]?.int == Int(searchd.pid)
            )
        }
    }

    @Test func `what is meant for another process, or is no listening socket, is not served`() async throws {
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
            try await eventually("its own socket") { directory.isSocket("run/searchd.sock") }
            #expect(try TestClient(directory.file("run/searchd.sock")).call("server/ping")["result"] != nil)
            elsewhere.signal(SIGINT)
            #expect(try elsewhere.waitForExit() == 0)
            // The pipe stands where the socket should.
            let wrong = try Searchd([], in: directory, environment: ["LISTEN_FDS": "1"], prelude: Self.forIt)
            #expect(try wrong.waitForExit() != 0)
            #expect(wrong.errors.contains("descriptor 3"))
            #expect(wrong.errors.contains("ListenStream="))
            let many = try Searchd([], in: directory, environment: ["LISTEN_FDS": "17"], prelude: Self.forIt)
            #expect(try many.waitForExit() != 0)
            #expect(many.errors.contains("more than 16"))
        }
    }

    @Test(arguments: [false, true])
    func `the manager is told when it is ready, and when it stops`(isAbstract: Bool) async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let address = isAbstract ? "@\(directory.file("notify"))" : directory.file("notify")
            let manager = try UnixAddress(address).bind(SOCK_DGRAM)
            let searchd = try Searchd(
                ["--socket", directory.file("s")],
                in: directory,
                environment: ["NOTIFY_SOCKET": address]
            )
            let ready = try Polling.receive(manager.raw, "READY=1")
            #expect(ready.split(separator: "\n").contains("READY=1"))
            #expect(try TestClient(directory.file("s")).call("server/ping")["result"] != nil)
            searchd.signal(SIGTERM)
            let stopping = try Polling.receive(manager.raw, "STOPPING=1")
            #expect(stopping.split(separator: "\n").contains("STOPPING=1"))
            #expect(try searchd.waitForExit() == 0)
        }
    }

    @Test func `when descriptors run out it waits, serves those who are there, and goes on when one leaves`()
        async throws
    {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let searchd = try Searchd(
                ["--socket", directory.file("s"), "--ready-fd", "3"],
                in: directory
            )
            _ = try searchd.readyText()
            // Only now, since from what it has at its start it keeps enough for all whom it lets in. Whoever runs the
            // tests may have left some open.
            let few = "$(($(ls /proc/$$/fd | wc -l) + 16))"
            let limit = "n=\(few); exec prlimit --pid \(searchd.pid) --nofile=$n:$n"
            #expect(try Searchd([], in: directory, prelude: limit).waitForExit() == 0)
            var clients = try (1...30).map { _ in try TestClient(directory.file("s")) }
            for client in clients { try client.ask("server/ping") }
            #expect(try clients[0].answer(to: 1)["result"] != nil)
            try await eventually("no descriptors are left") { searchd.errors.contains("can't be accepted") }
            let open = try #require(try clients[0].call("server/stats")["result"]?["connections"]?["open"]?.int)
            #expect((1..<24).contains(open))
            for client in clients[1..<open] { #expect(try client.answer(to: 1)["result"] != nil) }
            #expect(try clients[0].call("server/ping")["result"] != nil)
            clients.removeFirst(open)
            // They come in in their order; each that leaves makes room for one that waits.
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

    @Test func `with few descriptors fewer connections stay open, and those who are connected can search`() async throws
    {
        try await withSandbox { sandbox, key in
            let directory = TemporaryDirectory()
            directory.write(sandboxConfiguration(sandbox.base, key, "", ""), to: "config.json5")
            let words = [
                "--socket", directory.file("s"), "--config", directory.file("config.json5"), "--ready-fd", "3",
            ]
            let searchd = try Searchd(words, in: directory, prelude: "ulimit -n 64")
            #expect(try searchd.readyText() == "R", "\(searchd.errors)")
            var clients: [TestClient] = []
            for _ in 1...100 {
                clients.append(try TestClient(directory.file("s"), secrets: [key]))
                #expect(try clients[clients.count - 1].call("server/ping")["result"] != nil)
            }
            for (query, client) in zip(Queries.rich, clients.suffix(8)) {
                let answer = try client.call("search", "{\"query\":\"\(query)\"}")
                #expect(answer["result"]?["complete"]?.bool == true, "\(answer)")
            }
            let open = try clients[99].call("server/stats")["result"]?["connections"]?["open"]?.int
            #expect(open == ConnectionLimits(totalMax: DescriptorBudget(limit: 64).connections).perUserMax)
            #expect(searchd.complaints == [])
        }
    }

    @Test func `hanging up is no reason to end, nor a broken pipe`() async throws {
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
