import CPlatform
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Daemon

/// Clients that write while the daemon behind a manager's socket is restarted, again and again.
@Suite struct GoodbyeTests {
    private static let restarts = 40
    private static let burst = 20
    /// So many lines between two restarts.
    private static let linesBetween = 200

    private struct Tally: Sendable {
        var lines = 0
        var ends = 0
        var broken: [String] = []
        var isOver = false
    }

    /// Writes bursts of requests and reads what comes back, on one connection after another.
    ///
    /// The only end of a connection that counts as a good one is the end of the stream, after whole lines.
    private static func load(_ path: String, _ tally: Locked<Tally>) throws {
        let requests = Array((1...burst).map { TestClient.request("\($0)", "server/ping") }.joined().utf8)
        while !tally.withLock({ $0.isOver }) {
            let connection = try UnixAddress(path).connect()
            while !tally.withLock({ $0.isOver }) {
                let sent = unsafe send(connection.raw, requests, requests.count, Int32(MSG_NOSIGNAL))
                guard sent == requests.count else {
                    tally.withLock { $0.broken.append("write: errno \(platform_errno())") }
                    break
                }
                guard let lines = readLines(of: connection.raw, tally) else { break }
                tally.withLock { $0.lines += lines }
            }
        }
    }

    /// Reads as many lines as were asked for; nil when the connection has ended.
    private static func readLines(of descriptor: Int32, _ tally: Locked<Tally>) -> Int? {
        var (lines, isWhole) = (0, true)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while lines < burst || !isWhole {
            guard (try? Polling.wait(descriptor, for: Int16(POLLIN), "answers")) != nil else {
                tally.withLock { $0.broken.append("no answer, and no end") }
                return nil
            }
            let count = unsafe read(descriptor, &chunk, chunk.count)
            guard count > 0 else {
                let number = platform_errno()
                tally.withLock { tally in
                    if count < 0 { tally.broken.append("read: errno \(number)") }
                    if !isWhole { tally.broken.append("an answer is cut") }
                    tally.ends += 1
                }
                return nil
            }
            lines += chunk[..<count].count { $0 == UInt8(ascii: "\n") }
            isWhole = chunk[count - 1] == UInt8(ascii: "\n")
        }
        return lines
    }

    @Test func `over many restarts no write fails before the end could be seen, and no answer is cut`() async throws {
        try await Gate.daemons.pass {
            try await onOwnThread {
                let directory = TemporaryDirectory()
                let path = directory.file("handed")
                let listener = try UnixSocket.listen(at: path, backlog: 4096)
                func start() throws -> Searchd {
                    try Searchd(
                        [],
                        in: directory,
                        environment: ["LISTEN_FDS": "1"],
                        prelude: "export LISTEN_PID=$$",
                        listener: listener.raw
                    )
                }
                let tally = Locked(Tally())
                var searchd = try start()
                // Detached, so that each has the thread that it asks for: it blocks.
                let loads = (1...3).map { _ in Task.detached { try await onOwnThread { try Self.load(path, tally) } } }
                defer { tally.withLock { $0.isOver = true } }
                for _ in 1...Self.restarts {
                    let before = tally.withLock { $0.lines }
                    try await eventually("answers") { tally.withLock { $0.lines } >= before + Self.linesBetween }
                    searchd.signal(SIGTERM)
                    #expect(try searchd.waitForExit() == 0)
                    searchd = try start()
                }
                tally.withLock { $0.isOver = true }
                for load in loads { try await load.value }
                let seen = tally.withLock { $0 }
                #expect(seen.broken == [])
                #expect(seen.ends >= Self.restarts)
            }
        }
    }
}
