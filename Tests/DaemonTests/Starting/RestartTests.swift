import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

@testable import Daemon

/// Tests restarts while a service manager keeps the socket open.
@Suite struct RestartTests {
    private static let restarts = 3
    private static let answersBetween = 100
    private static let pipelined = 20

    private final class Tally: Sendable {
        private struct State {
            var answers = 0
            var isOver = false
        }

        private let state = Locked(State())

        var answers: Int { state.withLock { $0.answers } }
        var isOver: Bool { state.withLock { $0.isOver } }

        func answered() { state.withLock { $0.answers += 1 } }
        func end() { state.withLock { $0.isOver = true } }
    }

    private static func start(
        in directory: TemporaryDirectory,
        _ listener: borrowing FileDescriptor,
        _ words: [String] = []
    )
        throws -> Searchd
    {
        try Searchd(
            words,
            in: directory,
            environment: ["LISTEN_FDS": "1"],
            prelude: "export LISTEN_PID=$$",
            listener: listener.raw
        )
    }

    private static func load(_ path: String, _ tally: Tally) throws {
        var unanswered = 0
        while !tally.isOver || unanswered > 0 {
            let client = try TestClient(path)
            let count = max(unanswered, pipelined)
            unanswered = count
            guard (try? client.send((1...count).map { TestClient.request("\($0)", "server/ping") }.joined())) != nil
            else { continue }
            while unanswered > 0 {
                let line: [UInt8]
                do {
                    line = try client.line()
                } catch let failure as TestFailure {
                    guard failure.description.contains("the connection ended") else { throw failure }
                    break
                }
                let answer = try JSONDocument(line).root.value
                if answer["result"] != nil {
                    unanswered -= 1
                    tally.answered()
                } else if answer.errorKind != "shuttingDown" {
                    throw TestFailure("\(answer)")
                } else {
                    break
                }
            }
        }
    }

    @Test func `restarts under load refuse no client and lose no request`() async throws {
        try await Gate.heavy.pass {
            try await onOwnThread {
                let directory = TemporaryDirectory()
                let path = directory.file("handed")
                let listener = try UnixSocket.listen(at: path, backlog: 4096)
                let tally = Tally()
                var searchd = try Self.start(in: directory, listener)
                // Each task blocks a thread, so the tasks are detached.
                let loads = (1...3).map { _ in Task.detached { try await onOwnThread { try Self.load(path, tally) } } }
                defer { tally.end() }
                for _ in 1...Self.restarts {
                    let before = tally.answers
                    try await eventually("more answers") { tally.answers >= before + Self.answersBetween }
                    searchd.signal(SIGTERM)
                    #expect(try searchd.waitForExit() == 0)
                    #expect(searchd.complaints == [])
                    searchd = try Self.start(in: directory, listener)
                }
                tally.end()
                for load in loads { try await load.value }
                #expect(tally.answers >= Self.restarts * Self.answersBetween)
            }
        }
    }

    @Test func `an idle daemon exits, and later clients reach the next daemon`() async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let listener = try UnixSocket.listen(at: directory.file("handed"), backlog: 16)
            let file = directory.write("{ idleExit: \"1s\" }", to: "c.json5")
            let searchd = try Self.start(in: directory, listener, ["--config", file])
            do {
                let client = try TestClient(directory.file("handed"))
                #expect(try client.call("server/ping")["result"] != nil)
            }
            #expect(try searchd.waitForExit() == 0)
            #expect(searchd.complaints == [])
            let client = try TestClient(directory.file("handed"))
            let ping = try client.ask("server/ping")
            let next = try Self.start(in: directory, listener, ["--config", file])
            #expect(try client.answer(to: ping)["result"] != nil)
            #expect(try client.call("server/hello")["result"]?["pid"]?.int == Int(next.pid))
        }
    }
}
