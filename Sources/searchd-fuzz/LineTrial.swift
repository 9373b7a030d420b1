import Benchmark
import Daemon
import EventLoop
import Glibc

/// Sends lines to a daemon in this process, and aborts if a line takes too much time or memory.
final class LineTrial {
    private static let nanosecondsMax: Int64 = 100_000_000
    private static let nanosecondsPerElementMax: Int64 = 50_000
    private static let residentPagesMax = 1 << 18
    private static let answerSecondsMax: Int64 = 120
    private static let startAttemptsMax = 5_000

    // libFuzzer uses one thread.
    nonisolated(unsafe) static let shared = LineTrial()

    private let directory: TemporaryDirectory
    private let dialogue: ServerConnection
    private var number = 0

    private init() {
        do {
            directory = try TemporaryDirectory()
            let configuration = directory.file("config.json5")
            try SystemCall.write(Array("{accounts:{\(ClosedAccounts.members())}}".utf8), to: configuration)
            let words = [
                "--socket", directory.file("socket"), "--config", configuration, "--state",
                try directory.directory("state"), "--cache", try directory.directory("cache"), "--log-level", "error",
            ]
            _ = try WorkerThread { _ = DaemonProgram.run(words) }
        } catch {
            Self.end("\(error)")
        }
        dialogue = Self.connect(directory.file("socket"))
    }

    func run(_ line: [UInt8]) {
        number += 1
        let before = SystemCall.time(of: CLOCK_PROCESS_CPUTIME_ID)
        let mark = "\"id\":\"fuzz\(number)\""
        let deadline = SystemCall.now + Self.answerSecondsMax * 1_000_000_000
        let ping = Array("\n{\"jsonrpc\":\"2.0\",\(mark),\"method\":\"server/ping\"}\n".utf8)
        // The daemon answers the ping after it has processed the line.
        guard dialogue.send(line + ping, until: deadline), dialogue.line(with: mark, until: deadline) != nil else {
            Self.end("no answer within \(Self.answerSecondsMax) s, or the daemon closed the connection")
        }
        let took = SystemCall.time(of: CLOCK_PROCESS_CPUTIME_ID) - before
        let elements = Int64(line.count { $0 == UInt8(ascii: ",") })
        guard took <= Self.nanosecondsMax + elements * Self.nanosecondsPerElementMax else {
            let beginning = String(decoding: line.prefix(200), as: UTF8.self)
            Self.end("a line of \(line.count) bytes took \(took / 1_000_000) ms: \(beginning)")
        }
        guard Self.residentPages <= Self.residentPagesMax else {
            Self.end("\(Self.residentPages / 256) MiB of memory after a line of \(line.count) bytes")
        }
    }

    /// Aborts, so libFuzzer saves the input.
    private static func end(_ reason: String) -> Never {
        let line = Array("FAILED: \(reason)\n".utf8)
        // The count is the length of the array.
        _ = unsafe Glibc.write(2, line, line.count)
        abort()
    }

    private static var residentPages: Int {
        let fields = SystemCall.contents(of: "/proc/self/statm")?.split(separator: UInt8(ascii: " ")) ?? []
        return fields.count > 1 ? Int(String(decoding: fields[1], as: UTF8.self)) ?? 0 : 0
    }

    private static func connect(_ path: String) -> ServerConnection {
        for _ in 0..<startAttemptsMax {
            if let dialogue = try? ServerConnection(path) { return dialogue }
            SystemCall.pause(.milliseconds(2))
        }
        end("the daemon does not listen")
    }
}
