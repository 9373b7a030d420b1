import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Storage

/// A ledger whose file is taken away while it is in use.
@Suite struct QuotaPutBackTests {
    private static let noon = ClockReading(wallSeconds: 1_000 * 86_400 + 43_200, bootSeconds: 43_200)
    private static let quota = QuotaLedgerTests.daily(100)

    private static func remove(_ path: String, _ suffixes: [String] = ["", "-wal", "-shm"]) {
        for suffix in suffixes { #expect(Files.remove(path + suffix)) }
    }

    /// What a process finds that comes now.
    private static func total(_ path: String, on loop: EventLoop) async throws -> Int {
        let ledger = QuotaLedger(path, boot: "boot", on: loop)
        let total = try await ledger.lease(quota, count: 0, at: noon).total
        await ledger.close()
        return total
    }

    private func withLedger(
        _ body: @escaping @Sendable (QuotaLedger, _ path: String, Locked<Int>, EventLoop) async throws -> Void
    ) throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let path = directory.file("state/quota.sqlite")
            let putBack = Locked(0)
            let ledger = QuotaLedger(path, boot: "boot", on: loop) { putBack.withLock { $0 += 1 } }
            try await body(ledger, path, putBack, loop)
            await ledger.close()
        }
    }

    private static let parts = [["", "-wal", "-shm"], [""], ["-wal"], ["-shm"], ["-wal", "-shm"]]

    @Test(arguments: parts) func `a ledger that is deleted is put back at the next lease`(parts: [String]) throws {
        try withLedger { ledger, path, putBack, loop in
            let first = try await ledger.lease(Self.quota, count: 16, at: Self.noon)
            #expect(first.use(16))
            Self.remove(path, parts)
            let lease = try await ledger.lease(Self.quota, count: 4, at: Self.noon)
            #expect(lease.use(4))
            #expect(lease.total == 20)
            #expect(putBack.withLock { $0 } == 1)
            #expect(try await Self.total(path, on: loop) == 20)
            #expect(Files.mode(of: path) == 0o600)
        }
    }

    @Test func `it is put back for one who only looks, for what is given back, and at the end`() throws {
        try withLedger { ledger, path, putBack, loop in
            let lease = try await ledger.lease(Self.quota, count: 16, at: Self.noon)
            #expect(lease.use(16))
            Self.remove(path)
            _ = try await ledger.lease(Self.quota, count: 0, at: Self.noon)
            #expect(try await Self.total(path, on: loop) == 16)
            Self.remove(path)
            try await ledger.giveBack(lease, unused: 6)
            #expect(try await Self.total(path, on: loop) == 10)
            Self.remove(path)
            await ledger.close()
            #expect(try await Self.total(path, on: loop) == 10)
            #expect(putBack.withLock { $0 } == 3)
        }
    }

    @Test func `it is put back with its directory, as soon as that can be made`() throws {
        try withLedger { ledger, path, putBack, loop in
            let first = try await ledger.lease(Self.quota, count: 16, at: Self.noon)
            #expect(first.use(16))
            let directory = PrivateFile.directory(of: path)
            #expect(unsafe rename(directory, directory + ".away") == 0)
            // Something else stands in its way.
            Files.append(1, to: directory)
            await #expect(throws: StorageError.self) { try await ledger.lease(Self.quota, count: 1, at: Self.noon) }
            await #expect(throws: StorageError.self) { try await ledger.lease(Self.quota, count: 0, at: Self.noon) }
            #expect(Files.remove(directory))
            #expect(putBack.withLock { $0 } == 0)
            let second = try await ledger.lease(Self.quota, count: 1, at: Self.noon)
            #expect(second.use(1))
            #expect(try await Self.total(path, on: loop) == 17)
        }
    }

    @Test func `of what is leased after it was put back a kill loses no more than before`() throws {
        try withLedger { ledger, path, _, loop in
            let first = try await ledger.lease(Self.quota, count: 16, at: Self.noon)
            #expect(first.use(10))
            Self.remove(path, ["", "-wal", "-shm", "-leases-0"])
            var leases = [try await ledger.lease(Self.quota, count: 16, at: Self.noon)]
            #expect(leases[0].use(5) && first.use(6))
            await ledger.close()
            // Only what keeps the file of a process that has ended.
            leases = []
            #expect(try await Self.total(path, on: loop) == 21)
        }
    }

    @Test func `an older copy that replaces it is brought up to date`() throws {
        try withLedger { ledger, path, _, loop in
            let copied = [try await ledger.lease(Self.quota, count: 10, at: Self.noon)]
            #expect(copied[0].use(10))
            let copy = ["", "-wal"].map { (suffix: $0, bytes: Files.contents(of: path + $0)) }
            let later = try await ledger.lease(Self.quota, count: 10, at: Self.noon)
            #expect(later.use(10))
            Self.remove(path)
            for (suffix, bytes) in copy { Files.write(bytes, to: path + suffix) }
            #expect(try await ledger.lease(Self.quota, count: 0, at: Self.noon).total == 20)
            #expect(try await Self.total(path, on: loop) == 20)
        }
    }

    @Test func `calls of another ledger under its name were made beside its own`() throws {
        try withLedger { ledger, path, putBack, loop in
            let own = try await ledger.lease(Self.quota, count: 10, at: Self.noon)
            #expect(own.use(6))
            Self.remove(path)
            let other = QuotaLedger(path, boot: "boot", on: loop)
            // Its clock was set once, so that it has numbered its beliefs in another way.
            var reading = Self.noon
            reading.wallSeconds += 3600
            let first = try await other.lease(Self.quota, count: 5, at: reading)
            let second = try await other.lease(Self.quota, count: 2, at: Self.noon)
            #expect(first.use(5) && second.use(2))
            #expect(try await ledger.lease(Self.quota, count: 0, at: Self.noon).total == 17)
            // What was leased before can't be given back any more: its periods may have other numbers.
            try await ledger.giveBack(own, unused: 4)
            #expect(try await other.lease(Self.quota, count: 0, at: Self.noon).total >= 13)
            #expect(try await ledger.lease(Self.quota, count: 100, at: Self.noon).total <= 100)
            #expect(putBack.withLock { $0 } == 1)
            await other.close()
        }
    }

    @Test func `two processes that both put it back count nothing twice`() throws {
        try withLedger { ledger, path, putBack, loop in
            let other = QuotaLedger(path, boot: "boot", on: loop) { putBack.withLock { $0 += 1 } }
            let leases = [
                try await ledger.lease(Self.quota, count: 10, at: Self.noon),
                try await other.lease(Self.quota, count: 7, at: Self.noon),
            ]
            #expect(leases.allSatisfy { $0.use($0.granted) })
            Self.remove(path)
            #expect(try await ledger.lease(Self.quota, count: 0, at: Self.noon).total == 17)
            #expect(try await other.lease(Self.quota, count: 0, at: Self.noon).total == 17)
            #expect(putBack.withLock { $0 } == 2)
            #expect(try await Self.total(path, on: loop) == 17)
            await other.close()
        }
    }
}
