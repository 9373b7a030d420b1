import EventLoop
import TestSupport
import Testing

@testable import Storage

/// The promise under clock steps, restarts and two processes, with the source counting by the true time.
@Suite struct QuotaRandomTests {
    private static let hour: Int64 = 3600
    private static let limit = 40

    /// One process that holds leases and spends them.
    private struct Holder {
        var ledger: QuotaLedger
        var lease: QuotaLease?
        var left = 0
    }

    /// A machine whose clock is set by up to 26 hours and back within two days, and started anew now and then.
    private struct Machine {
        var truth: Int64 = 20_000 * 86_400
        var bootedAt: Int64 = 19_990 * 86_400
        var boot = 1
        var step: Int64 = 0

        var reading: ClockReading {
            ClockReading(wallSeconds: truth + step, bootSeconds: truth - bootedAt)
        }
    }

    @Test func `no true day ever gets more than the limit`() throws {
        let seed = testSeed()
        let directory = TemporaryDirectory()
        let events = testSize(3_000, "SEARCHD_TEST_CLOCK_EVENTS")
        try virtually { loop, _ in
            var random = SeededGenerator(seed: seed)
            var machine = Machine()
            let path = directory.file("quota.sqlite")
            let quota = QuotaLedgerTests.daily(Self.limit, startsAt: 15)
            var holders = [1, 2].map { _ in Holder(ledger: QuotaLedger(path, boot: "1", on: loop)) }
            // Before it is set for the first time, the clock has been right and the ledger has seen it: no ledger knows
            // of a truth that it was never told.
            var isSent = try await Self.send(&holders[0], quota, machine.reading)
            #expect(isSent)
            var sent = [quota.period(machine.truth).lowerBound: 1]
            for _ in 0..<events {
                switch Int.random(in: 0..<40, using: &random) {
                case 0:
                    // Never the same step again and again: the truth must be what the clock said within two days.
                    machine.step = machine.step == 0 ? Int64.random(in: -26...26, using: &random) * Self.hour : 0
                case 1:
                    // Killed: what was leased and not used is taken up again.
                    let number = Int.random(in: 0...1, using: &random)
                    await holders[number].ledger.close()
                    holders[number] = Holder(ledger: QuotaLedger(path, boot: "\(machine.boot)", on: loop))
                case 2: machine.truth += Int64.random(in: 0...6, using: &random) * Self.hour
                case 3...8: machine.truth += Int64.random(in: 0...600, using: &random)
                default:
                    let number = Int.random(in: 0...1, using: &random)
                    isSent = try await Self.send(&holders[number], quota, machine.reading)
                    if isSent {
                        sent[quota.period(machine.truth).lowerBound, default: 0] += 1
                    }
                }
            }
            #expect(sent.values.max() ?? 0 <= Self.limit)
            // The test would prove nothing if little were granted.
            #expect(sent.values.reduce(0, +) > Self.limit)
            for holder in holders { await holder.ledger.close() }
            let most = sent.values.max() ?? 0
            proved("\(events) events with clock steps: \(sent.count) days, \(most) of \(Self.limit) in one at most")
        }
    }

    private static func send(_ holder: inout Holder, _ quota: LedgerQuota, _ now: ClockReading) async throws -> Bool {
        if let lease = holder.lease, !lease.isGood(at: now) {
            try await holder.ledger.giveBack(lease, unused: holder.left)
            holder.lease = nil
            holder.left = 0
        }
        if holder.left == 0 {
            let lease = try await holder.ledger.lease(quota, count: 16, at: now)
            holder.lease = lease
            holder.left = lease.granted
        }
        guard holder.left > 0, holder.lease?.use(1) == true else { return false }
        holder.left -= 1
        return true
    }
}
