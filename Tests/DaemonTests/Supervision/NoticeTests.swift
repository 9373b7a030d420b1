import CPlatform
import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite struct NoticeTests {
    @Test func `the watchdog is notified while the daemon runs, but not while it is stopped`() async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let manager = try Datagrams(at: directory.file("notify"))
            let searchd = try Searchd(
                ["--socket", directory.file("s")],
                in: directory,
                environment: ["NOTIFY_SOCKET": directory.file("notify"), "WATCHDOG_USEC": "100000"]
            )
            _ = try manager.text(until: "READY=1")
            for _ in 1...3 { _ = try manager.text(until: "WATCHDOG=1") }
            searchd.signal(SIGSTOP)
            try await eventually("a stopped process") { try Self.state(of: searchd.pid) == "T" }
            manager.drop()
            #expect(!manager.hasMore)
            searchd.signal(SIGCONT)
            _ = try manager.text(until: "WATCHDOG=1")
        }
    }

    @Test func `the service manager gets the time of a reload, the new status and readiness`() async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let manager = try Datagrams(at: directory.file("notify"))
            let path = directory.write("{ sources: { \"hackernews.stories\": { enabled: false } } }", to: "c.json5")
            let searchd = try Searchd(
                ["--socket", directory.file("s"), "--config", path],
                in: directory,
                environment: ["NOTIFY_SOCKET": directory.file("notify")]
            )
            let ready = try manager.text(until: "READY=1")
            let count = try #require(ready.split(separator: " ").compactMap { Int($0) }.first)
            #expect(ready == "READY=1\nSTATUS=serving \(count) sources\n")
            directory.write("{}", to: "c.json5")
            let before = Self.now()
            searchd.signal(SIGHUP)
            let reloading = try manager.text(until: "RELOADING=1")
            let stamp = try #require(
                reloading.split(separator: "MONOTONIC_USEC=").last.flatMap { Int64($0.dropLast()) }
            )
            #expect((before...Self.now()).contains(stamp))
            #expect(try manager.text(until: "STATUS=") == "STATUS=serving \(count + 1) sources\n")
            #expect(try manager.text(until: "READY=1").contains("serving \(count + 1) sources"))
            directory.write("{ sokcet: 1 }", to: "c.json5")
            searchd.signal(SIGHUP)
            _ = try manager.text(until: "RELOADING=1")
            #expect(try manager.text(until: "READY=1").contains("serving \(count + 1) sources"))
            #expect(searchd.errors.contains("\(path):1:11: sokcet: "))
        }
    }

    private static func now() -> Int64 { platform_monotonic_ns() / 1000 }

    private static func state(of process: pid_t) throws -> Substring? {
        let file = try SmallFile.read("/proc/\(process)/stat", bytesMax: 4096)
        return String(decoding: file.bytes, as: UTF8.self).split(separator: ") ").last?.prefix(1)
    }
}
