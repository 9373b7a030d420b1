import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Storage

/// Processes that lease and send, killed at random moments.
@Suite struct QuotaCrashTests {
    private static let reading = ClockReading(wallSeconds: 1_000_000, bootSeconds: 1_000)

    @Test(arguments: [1, 2])
    func `kill -9 at any moment overspends nothing and loses at most the call that was about to be sent`(
        processes: Int
    ) async throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let rounds = testSize(6, "SEARCHD_TEST_CRASHES")
        let limit = rounds * processes * 48
        let directory = TemporaryDirectory()
        var crashes = 0
        for _ in 0..<rounds {
            try await withThrowingTaskGroup { group in
                for _ in 0..<processes {
                    let delay = Int.random(in: 100...30_000, using: &random)
                    group.addTask { await Self.runAndKill(in: directory.path, limit: limit, microseconds: delay) }
                }
                try await group.waitForAll()
            }
            crashes += processes
            let sent = Files.size(of: directory.file("sent"))
            let charged = try await Self.charged(in: directory.path, limit: limit)
            #expect(sent <= charged)
            #expect(charged - sent <= crashes)
        }
        let sent = try await Self.spendTheRest(in: directory.path, limit: limit)
        #expect(sent <= limit)
        #expect(sent >= limit - crashes)
        proved("\(crashes) kills, \(processes) at a time: \(sent) of \(limit) sent, \(limit - sent) lost")
    }

    @Test func `kill -9 of a process that leased and sent nothing loses nothing`() async throws {
        let directory = TemporaryDirectory()
        for _ in 0..<4 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [directory = directory.path as String] in
                let storage = try LoopThread(named: "storage")
                let ledger = QuotaLedger("\(directory)/quota.sqlite", boot: "boot", on: storage.loop)
                // All of the quota, in leases whose calls are never made; one is as if it would be, and is not.
                while true {
                    let lease = try await ledger.lease(
                        QuotaLedgerTests.daily(40),
                        count: 16,
                        at: QuotaCrashTests.reading
                    )
                    guard lease.granted > 0, lease.use(1), lease.use(-1) else { break }
                }
                kill(getpid(), SIGKILL)
            }
        }
        #expect(try await Self.charged(in: directory.path, limit: 40) == 0)
    }

    /// A process that sends until it is killed, this long after it has begun.
    private static func runAndKill(in directory: String, limit: Int, microseconds: Int) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = directory as String, limit = limit as Int, microseconds = microseconds as Int] in
            let storage = try LoopThread(named: "storage")
            let ledger = QuotaLedger("\(directory)/quota.sqlite", boot: "boot", on: storage.loop)
            Death.schedule(microseconds: microseconds)
            while try await QuotaCrashTests.sendOneLease(ledger, directory, limit) {}
            // All is spent: wait for the end.
            while true { pause() }
        }
    }

    private static func sendOneLease(_ ledger: QuotaLedger, _ directory: String, _ limit: Int) async throws -> Bool {
        let lease = try await ledger.lease(QuotaLedgerTests.daily(limit), count: 16, at: reading)
        for _ in 0..<lease.granted where lease.use(1) { Files.append(1, to: "\(directory)/sent") }
        return lease.granted > 0
    }

    private static func charged(in directory: String, limit: Int) async throws -> Int {
        let storage = try LoopThread(named: "storage")
        let ledger = QuotaLedger("\(directory)/quota.sqlite", boot: "boot", on: storage.loop)
        let charged = try await ledger.lease(QuotaLedgerTests.daily(limit), count: 0, at: reading).total
        await ledger.close()
        storage.stop()
        return charged
    }

    private static func spendTheRest(in directory: String, limit: Int) async throws -> Int {
        let storage = try LoopThread(named: "storage")
        let ledger = QuotaLedger("\(directory)/quota.sqlite", boot: "boot", on: storage.loop)
        while try await sendOneLease(ledger, directory, limit) {}
        await ledger.close()
        storage.stop()
        return Files.size(of: "\(directory)/sent")
    }
}
