import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Upstream

/// Kills processes at random times while they charge and send calls.
struct QuotaCrashTests {
    @Test(arguments: [1, 2])
    func `if processes are killed, the quota is not exceeded, and at most the calls in flight are lost`(
        processes: Int
    ) async throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let rounds = testSize(6, "SEARCHD_TEST_CRASHES")
        let limit = rounds * processes * 48
        let directory = TemporaryDirectory()
        for _ in 0..<rounds {
            try await withThrowingTaskGroup { group in
                for _ in 0..<processes {
                    let delay = Int.random(in: 100...30_000, using: &random)
                    group.addTask { await Self.runAndKill(in: directory.path, limit: limit, microseconds: delay) }
                }
                try await group.waitForAll()
            }
            let sent = Files.size(of: directory.file("sent"))
            let charged = try await withLedger(directory.file("quota.sqlite")) { ledger in
                try await ledger.used(counted(limit: limit))?.total ?? 0
            }
            #expect(sent <= charged)
        }
        try await withLedger(directory.file("quota.sqlite")) { ledger in
            while await Self.sendOne(ledger.store, directory.path, limit) {}
        }
        let (sent, kills) = (Files.size(of: directory.file("sent")), rounds * processes)
        #expect(sent <= limit)
        #expect(sent >= limit - kills * Self.callsAtOnce)
        proved("\(kills) kills, \(processes) at a time: \(sent) of \(limit) sent, \(limit - sent) lost")
    }

    static let callsAtOnce = 4

    private static func runAndKill(in directory: String, limit: Int, microseconds: Int) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = directory as String, limit = limit as Int, microseconds = microseconds as Int] in
            let thread = try LoopThread(named: "ledger")
            let store = SQLiteQuotaStore("\(directory)/quota.sqlite", on: thread.loop, wallClock: { noon })
            Death.schedule(microseconds: microseconds)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<QuotaCrashTests.callsAtOnce {
                    group.addTask { while await QuotaCrashTests.sendOne(store, directory, limit) {} }
                }
            }
            // The quota is used up, so the process waits until it is killed.
            while true { pause() }
        }
    }

    private static func sendOne(_ store: SQLiteQuotaStore, _ directory: String, _ limit: Int) async -> Bool {
        let charge = try? await store.charge([counted(limit: limit)], for: 1)
        guard charge?.isAccepted == true else { return false }
        Files.append(1, to: "\(directory)/sent")
        return true
    }
}
