import EventLoop
import TestSupport
import Testing

@testable import Storage

/// Leases of processes that have ended, and how much of them the next process takes up.
@Suite struct QuotaLeaseTests {
    private static let noon = ClockReading(wallSeconds: 1_000 * 86_400 + 43_200, bootSeconds: 43_200)
    private static let quota = QuotaLedgerTests.daily(1000)

    /// A ledger whose process has leased sixteen calls, used some, and ended without a word.
    private static func leave(_ path: String, used: Int, boot: String = "boot", on loop: EventLoop) async throws {
        let ledger = QuotaLedger(path, boot: boot, on: loop)
        let lease = try await ledger.lease(quota, count: 16, at: noon)
        #expect(lease.granted == 16)
        for _ in 0..<used { #expect(lease.use(1)) }
        await ledger.close()
    }

    private static func total(_ path: String, boot: String = "boot", on loop: EventLoop) async throws -> Int {
        let ledger = QuotaLedger(path, boot: boot, on: loop)
        let total = try await ledger.lease(quota, count: 0, at: noon).total
        await ledger.close()
        return total
    }

    @Test(arguments: [0, 1, 15, 16]) func `what was not used is taken up by the next process`(used: Int) throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let path = directory.file("quota.sqlite")
            try await Self.leave(path, used: used, on: loop)
            #expect(try await Self.total(path, on: loop) == used)
            // And once only.
            #expect(try await Self.total(path, on: loop) == used)
        }
    }

    @Test(arguments: [("1", "2"), ("", "")])
    func `when the machine may have stopped all of it counts as used`(before: String, after: String) throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let path = directory.file("quota.sqlite")
            try await Self.leave(path, used: 3, boot: before, on: loop)
            #expect(try await Self.total(path, boot: after, on: loop) == 16)
        }
    }

    @Test func `where the marks are gone, or another process's, all of it counts as used`() throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let (path, other) = (directory.file("quota.sqlite"), directory.file("other.sqlite"))
            try await Self.leave(path, used: 3, on: loop)
            #expect(Files.remove(path + "-leases-0"))
            #expect(try await Self.total(path, on: loop) == 16)
            try await Self.leave(path, used: 3, on: loop)
            try await Self.leave(other, used: 0, on: loop)
            Files.write(Files.contents(of: other + "-leases-0"), to: path + "-leases-0")
            #expect(try await Self.total(path, on: loop) == 32)
        }
    }

    @Test func `of a process that lives nothing is taken up, whatever other processes come and go`() throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let path = directory.file("quota.sqlite")
            let living = QuotaLedger(path, boot: "boot", on: loop)
            let lease = try await living.lease(Self.quota, count: 16, at: Self.noon)
            try await Self.leave(path, used: 2, on: loop)
            #expect(try await Self.total(path, on: loop) == 18)
            #expect(lease.use(1))
            try await living.giveBack(lease, unused: 15)
            #expect(try await Self.total(path, on: loop) == 3)
            await living.close()
        }
    }

    @Test func `what is given back is not taken up as well`() throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let path = directory.file("quota.sqlite")
            let ledger = QuotaLedger(path, boot: "boot", on: loop)
            let lease = try await ledger.lease(Self.quota, count: 16, at: Self.noon)
            #expect(lease.use(6))
            try await ledger.giveBack(lease, unused: 4)
            await ledger.close()
            // Six were used and six left.
            #expect(try await Self.total(path, on: loop) == 12)
            withExtendedLifetime(lease) {}
        }
    }

    @Test func `a mark is another lease's once its own is used up, and there are so many and no more`() throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let path = directory.file("quota.sqlite")
            let ledger = QuotaLedger(path, boot: "boot", on: loop)
            var leases: [QuotaLease] = []
            let one = QuotaLedgerTests.daily(10_000)
            for _ in 0...LeaseMarks.slotsMax {
                leases.append(try await ledger.lease(one, count: 2, at: Self.noon))
            }
            #expect(leases.last?.mark == nil)
            #expect(leases.filter { $0.mark != nil }.count == LeaseMarks.slotsMax)
            #expect(leases[0].use(2))
            // Its row has to be gone before another has the mark.
            #expect(try await ledger.lease(one, count: 2, at: Self.noon).mark == nil)
            let next = try await ledger.lease(one, count: 2, at: Self.noon)
            #expect(next.mark?.slot == leases[0].mark?.slot)
            // The old lease's mark does not write there any more.
            #expect(next.use(1))
            #expect(leases[0].use(-1))
            await ledger.close()
            leases = []
        }
    }

    @Test func `as many processes as there are files may have marks, and one more goes without`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("quota.sqlite")
        var marks: [LeaseMarks] = []
        while let more = LeaseMarks(beside: path) { marks.append(more) }
        #expect(marks.count == LeaseMarks.filesMax)
        marks.removeFirst()
        #expect(LeaseMarks(beside: path) != nil)
    }
}
