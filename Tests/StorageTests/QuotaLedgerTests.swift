import EventLoop
import TestSupport
import Testing

@testable import Storage

@Suite struct QuotaLedgerTests {
    private static let day: Int64 = 86_400

    /// A quota whose day begins at an hour of UTC.
    static func daily(_ limit: Int, name: String = "day", startsAt hour: Int64 = 0) -> LedgerQuota {
        LedgerQuota(account: "a", name: name, limit: limit) { instant in
            let shifted = instant - hour * 3600
            let start = shifted - ((shifted % day) + day) % day + hour * 3600
            return start..<start + day
        }
    }

    /// Noon of a day, by a clock that is right.
    private func noon(_ number: Int64, step: Int64 = 0) -> ClockReading {
        let boot = number * Self.day + Self.day / 2
        return ClockReading(wallSeconds: boot + 1_000 * Self.day + step, bootSeconds: boot)
    }

    private func expectGrant(
        _ granted: Int,
        of quota: LedgerQuota,
        wanting count: Int,
        at reading: ClockReading,
        by ledger: QuotaLedger,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let lease = try await ledger.lease(quota, count: count, at: reading)
        #expect(lease.granted == granted, sourceLocation: location)
    }

    private func expectUse(
        _ count: Int,
        of quota: LedgerQuota,
        at reading: ClockReading,
        by ledger: QuotaLedger,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let used = try await ledger.lease(quota, count: 0, at: reading).total
        #expect(used == count, sourceLocation: location)
    }

    private func withLedger(_ body: @escaping @Sendable (QuotaLedger) async throws -> Void) throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            try await body(QuotaLedger(directory.file("state/quota.sqlite"), boot: "boot", on: loop))
        }
    }

    @Test func `a period grants its limit, and then nothing until it ends`() throws {
        try withLedger { ledger in
            let quota = Self.daily(20)
            try await expectGrant(16, of: quota, wanting: 16, at: noon(1), by: ledger)
            let second = try await ledger.lease(quota, count: 16, at: noon(1))
            #expect(second.granted == 4)
            #expect(second.total == 20)
            let third = try await ledger.lease(quota, count: 1, at: noon(1))
            #expect(third.granted == 0)
            #expect(third.total == 20)
            #expect(third.resetsAt == 1_002 * Self.day)
            try await expectUse(20, of: quota, at: noon(1), by: ledger)
            try await expectGrant(1, of: quota, wanting: 1, at: noon(2), by: ledger)
            try await expectUse(1, of: quota, at: noon(2), by: ledger)
        }
    }

    @Test func `a lease is at most sixteen calls`() throws {
        try withLedger { ledger in
            try await expectGrant(QuotaLease.unitsMax, of: Self.daily(100), wanting: 17, at: noon(1), by: ledger)
            try await expectGrant(0, of: Self.daily(100), wanting: -1, at: noon(1), by: ledger)
            try await expectUse(QuotaLease.unitsMax, of: Self.daily(100), at: noon(1), by: ledger)
        }
    }

    @Test func `all that is left can be written off at once`() throws {
        try withLedger { ledger in
            try await expectGrant(3, of: Self.daily(100), wanting: 3, at: noon(1), by: ledger)
            try await expectGrant(97, of: Self.daily(100), wanting: QuotaLease.everything, at: noon(1), by: ledger)
            try await expectGrant(0, of: Self.daily(100), wanting: 1, at: noon(1), by: ledger)
            try await expectGrant(1, of: Self.daily(100), wanting: 1, at: noon(2), by: ledger)
        }
    }

    @Test func `a lease of nothing returns what is used`() throws {
        try withLedger { ledger in
            let before = try await ledger.lease(Self.daily(10), count: 0, at: noon(1))
            #expect((before.granted, before.total) == (0, 0))
            #expect(before.resetsAt == noon(1).wallSeconds)
            try await expectGrant(7, of: Self.daily(10), wanting: 7, at: noon(1), by: ledger)
            let after = try await ledger.lease(Self.daily(10), count: 0, at: noon(1))
            #expect(after.total == 7)
        }
    }

    @Test func `looking writes nothing`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("quota.sqlite")
        try virtually { loop, _ in
            let ledger = QuotaLedger(path, boot: "boot", on: loop)
            _ = try await ledger.lease(Self.daily(10), count: 1, at: noon(1))
            let before = Files.contents(of: path + "-wal")
            _ = try await ledger.lease(Self.daily(10), count: 0, at: noon(2))
            #expect(Files.contents(of: path + "-wal") == before)
            await ledger.close()
        }
    }

    @Test func `quotas and accounts are counted apart`() throws {
        try withLedger { ledger in
            let other = LedgerQuota(account: "b", name: "day", limit: 5, period: Self.daily(5).period)
            try await expectGrant(5, of: Self.daily(5), wanting: 5, at: noon(1), by: ledger)
            try await expectGrant(5, of: Self.daily(5, name: "blog"), wanting: 5, at: noon(1), by: ledger)
            try await expectGrant(5, of: other, wanting: 5, at: noon(1), by: ledger)
        }
    }

    @Test func `what is given back can be granted again, once`() throws {
        try withLedger { ledger in
            let quota = Self.daily(10)
            let lease = try await ledger.lease(quota, count: 10, at: noon(1))
            try await ledger.giveBack(lease, unused: 4)
            try await ledger.giveBack(lease, unused: 0)
            try await expectGrant(4, of: quota, wanting: 10, at: noon(1), by: ledger)
        }
    }

    @Test func `a lower limit grants nothing more, and a higher one the difference`() throws {
        try withLedger { ledger in
            try await expectGrant(10, of: Self.daily(10), wanting: 10, at: noon(1), by: ledger)
            try await expectGrant(0, of: Self.daily(5), wanting: 1, at: noon(1), by: ledger)
            try await expectGrant(2, of: Self.daily(12), wanting: 10, at: noon(1), by: ledger)
        }
    }

    private static let steps: [Int64] = [26 * 3600, -26 * 3600, 3600, 400 * day, -400 * day]

    @Test(arguments: steps)
    func `setting the clock opens no allowance, nor does setting it back`(step: Int64) throws {
        try withLedger { ledger in
            let quota = Self.daily(20)
            try await expectGrant(12, of: quota, wanting: 12, at: noon(1), by: ledger)
            try await expectGrant(8, of: quota, wanting: 12, at: noon(1, step: step), by: ledger)
            try await expectGrant(0, of: quota, wanting: 12, at: noon(1), by: ledger)
            try await expectGrant(0, of: quota, wanting: 12, at: noon(1, step: step), by: ledger)
            // The next day is a new day by every clock.
            try await expectGrant(16, of: quota, wanting: 16, at: noon(2), by: ledger)
        }
    }

    @Test func `what was used before the clock was set counts in its new day too`() throws {
        try withLedger { ledger in
            let quota = Self.daily(20)
            let step = 20 * Int64(3600)
            try await expectGrant(12, of: quota, wanting: 12, at: noon(1), by: ledger)
            try await expectGrant(0, of: quota, wanting: 0, at: noon(1, step: step), by: ledger)
            // The old clock's next day has begun, the new one's has not.
            var reading = noon(1, step: step)
            reading.bootSeconds += 13 * 3600
            reading.wallSeconds += 13 * 3600
            try await expectUse(12, of: quota, at: reading, by: ledger)
            try await expectGrant(8, of: quota, wanting: 16, at: reading, by: ledger)
        }
    }

    @Test func `a clock that was set for good is believed in the end`() throws {
        try withLedger { ledger in
            let quota = Self.daily(16)
            let step = 9 * Int64(3600)
            try await expectGrant(16, of: quota, wanting: 16, at: noon(1), by: ledger)
            // At 21 o'clock by the new clock, then at 1 o'clock of its next day, when by the old one it is not over.
            try await expectGrant(0, of: quota, wanting: 16, at: noon(1, step: step), by: ledger)
            var reading = noon(1, step: step)
            reading.bootSeconds += 4 * 3600
            reading.wallSeconds += 4 * 3600
            let refused = try await ledger.lease(quota, count: 16, at: reading)
            #expect(refused.granted == 0)
            #expect(refused.resetsAt == reading.wallSeconds + 8 * 3600)
            // After the old clock's turn too there is a day's allowance; a week later only the new clock counts.
            try await expectGrant(16, of: quota, wanting: 16, at: noon(2, step: step), by: ledger)
            reading.bootSeconds += 7 * Self.day
            reading.wallSeconds += 7 * Self.day
            try await expectGrant(16, of: quota, wanting: 16, at: reading, by: ledger)
        }
    }

    @Test func `around midnight both days are charged`() throws {
        try withLedger { ledger in
            let quota = Self.daily(10)
            var reading = noon(1)
            reading.bootSeconds += Self.day / 2 - 3
            reading.wallSeconds += Self.day / 2 - 3
            let lease = try await ledger.lease(quota, count: 4, at: reading)
            #expect(lease.granted == 4)
            try await expectUse(4, of: quota, at: noon(1), by: ledger)
            try await expectUse(4, of: quota, at: noon(2), by: ledger)
        }
    }

    @Test func `a lease is good until the turn of the day, and until the clock is set`() throws {
        try withLedger { ledger in
            let lease = try await ledger.lease(Self.daily(10), count: 4, at: noon(1))
            var reading = noon(1)
            #expect(lease.isGood(at: reading))
            #expect(!lease.isGood(at: noon(1, step: 6)))
            #expect(lease.isGood(at: noon(1, step: 5)))
            reading.bootSeconds += Self.day / 2 - QuotaCharge.marginSeconds - 1
            reading.wallSeconds += Self.day / 2 - QuotaCharge.marginSeconds - 1
            #expect(lease.isGood(at: reading))
            reading.bootSeconds += 1
            reading.wallSeconds += 1
            #expect(!lease.isGood(at: reading))
        }
    }

    @Test func `counts of long ago are forgotten, those of a month are not`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("quota.sqlite")
        try virtually { loop, _ in
            let ledger = QuotaLedger(path, boot: "boot", on: loop)
            let keepDays = QuotaLedger.keepSeconds / Self.day
            for day in [1, 2, 1 + keepDays, 2 + keepDays] {
                _ = try await ledger.lease(Self.daily(10), count: 1, at: noon(day))
            }
            await ledger.close()
            let database = try Database(path, schema: QuotaLedger.schema, journal: .log, on: loop)
            let count = try database.first("SELECT count(*) FROM grants") { $0.integer(0) }
            #expect(count == 3)
        }
    }

    @Test func `a ledger that was closed says so`() throws {
        try withLedger { ledger in
            await ledger.close()
            let error = await #expect(throws: StorageError.self) {
                try await ledger.lease(Self.daily(10), count: 1, at: noon(1))
            }
            #expect(error?.code == .closed)
        }
    }
}
