import Catalogue
import EventLoop
import Glibc
import SearchModel
import Storage
import TestSupport
import Testing

@testable import Upstream

struct SQLiteQuotaStoreTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("quota.sqlite") }

    @Test func `the calls charged in a period never exceed the limit, even after a restart`() async throws {
        let quota = counted(limit: 5)
        let first = try await withLedger(path) { try await $0.charge(quota, times: 3) }
        let (second, used) = try await withLedger(path) { ledger async throws in
            (try await ledger.charge(quota, times: 4, for: 2), try await ledger.used(quota))
        }
        #expect(first == 3 && second == 2)
        #expect(used?.users == [1: 3, 2: 2])
        let tomorrow = try await withLedger(path) { try await $0.charge(quota, times: 9, at: noon + day) }
        #expect(tomorrow == 5)
    }

    @Test func `a call is charged to all of its quotas or to none`() async throws {
        let (large, small) = (counted("large", limit: 10), counted("small", limit: 1))
        try await withLedger(path) { ledger async throws in
            _ = try await ledger.charge([large, small], for: 1, at: noon)
            #expect(try await !ledger.charge([large, small], for: 1, at: noon).isAccepted)
            #expect(try await ledger.used(large)?.total == 1)
        }
    }

    @Test func `concurrent charges share a commit and do not exceed the limit`() async throws {
        let quota = counted(limit: 50)
        try await withLedger(path) { ledger async throws in
            let charged = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await ledger.charge([quota], for: 1, at: noon).isAccepted
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(charged == 50)
            // Separate commits would write at least 200 blocks of 4 KiB.
            #expect(Files.size(of: path + "-wal") < 200 * 4096)
        }
    }

    @Test func `a refund subtracts one call from the user and the period of the charge`() async throws {
        let quota = counted(limit: 2)
        try await withLedger(path) { ledger async throws in
            let charge = try await ledger.charge([quota], for: 7, at: noon)
            _ = try await ledger.charge([quota], for: 8, at: noon)
            ledger.store.correct(charge, by: charge.amounts.map { -$0 })
            #expect(try await ledger.used(quota)?.users == [7: 0, 8: 1])
            #expect(try await ledger.charge(quota, times: 5) == 1)
        }
    }

    @Test func `if the clock is set back, calls are charged to the period before the change`() async throws {
        let quota = counted(limit: 3)
        try await withLedger(path) { ledger async throws in
            #expect(try await ledger.charge(quota, times: 2, at: noon + day) == 2)
            #expect(try await ledger.charge(quota, times: 2, at: noon) == 1)
            let used = try await ledger.used(quota, at: noon - 20 * day)
            #expect(used?.total == 3)
            #expect(used?.window.contains(noon + day) == true)
            #expect(try await ledger.charge(quota, times: 9, at: noon + 2 * day) == 3)
        }
    }

    @Test func `the callers of an account are the users who used its quotas in the last seven days`() async throws {
        let quota = counted(limit: 10, owner: "a.one")
        let callers = try await withLedger(path) { ledger async throws in
            _ = try await ledger.charge([quota], for: 1, at: noon - 8 * day)
            _ = try await ledger.charge([quota], for: 2, at: noon - 6 * day)
            _ = try await ledger.charge([counted(limit: 9, owner: "a")], for: 3, at: noon)
            return try await ledger.usage([], at: noon).callers
        }
        #expect(callers == ["a": [2: noon - 6 * day, 3: noon]])
    }

    @Test func `if an administrator sets the usage, the counts of later periods are replaced, too`() async throws {
        let quota = counted(limit: 10)
        try await withLedger(path) { ledger async throws in
            _ = try await ledger.charge(quota, times: 4, at: noon)
            _ = try await ledger.charge(quota, times: 5, at: noon + 3 * day)
            let set = try await ledger.set(quota, used: 8)
            #expect(set.total == 8)
            #expect(try await ledger.used(quota)?.total == 8)
            #expect(try await ledger.charge(quota, times: 5) == 2)
        }
    }

    @Test func `a ledger of an older version keeps its counts`() async throws {
        let window = counted(limit: 10).quota.period(at: noon)
        try await Self.writeOldLedger(path, window)
        let (used, more) = try await withLedger(path) { ledger async throws in
            (try await ledger.used(counted(limit: 10))?.total, try await ledger.charge(counted(limit: 10), times: 9))
        }
        #expect(used == 7)
        #expect(more == 3)
    }

    /// Stores the counts 7 and 4 for one period; the larger count is valid.
    private static func writeOldLedger(_ path: String, _ window: Range<Int64>) async throws {
        let thread = try LoopThread(named: "old")
        let loop = thread.loop
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            loop.perform {
                continuation.resume(
                    with: Result {
                        let old = Schema(migrations: oldMigrations)
                        let database = try Database(path, schema: old, journal: .log, on: loop)
                        for (clock, granted) in [(1, 7), (2, 4)] {
                            try database.run(
                                "INSERT INTO grants VALUES ('a', 'a-day', ?, ?, ?, ?)",
                                .integer(clock),
                                .integer(window.lowerBound),
                                .integer(window.upperBound),
                                .integer(granted)
                            )
                        }
                    }
                )
            }
        }
        thread.stop()
    }

    enum Damage: CaseIterable {
        case empty, noise, cut, otherTables
    }

    @Test(arguments: Damage.allCases)
    func `a damaged ledger is renamed, daily quotas become half used, and monthly quotas become used up`(
        _ damage: Damage
    ) async throws {
        let (days, months) = (counted(limit: 9), counted("a-month", limit: 100, per: .month))
        try await withLedger(path) { ledger in _ = try await ledger.charge([days, months], for: 1, at: noon) }
        try Self.damage(path, damage)
        let lines = Locked<[String]>([])
        try await withLedger(path, report: { line in lines.withLock { $0.append(line) } }) { ledger async throws in
            #expect(try await ledger.used(days)?.isGuess == true)
            #expect(try await ledger.charge(days, times: 9) == 4)
            #expect(try await ledger.charge(months, times: 9) == 0)
        }
        #expect(lines.withLock { $0.count } == 1)
        #expect(lines.withLock { $0.first?.contains("\(path).damaged-\(noon)") } == true)
        #expect(PrivateFile.isThere("\(path).damaged-\(noon)"))
        // The next process knows about the damage, but does not report the damage again.
        try await withLedger(path, report: { line in lines.withLock { $0.append(line) } }) { ledger async throws in
            #expect(try await ledger.charge(days, times: 9) == 0)
            #expect(try await ledger.charge(months, times: 9) == 0)
            _ = try await ledger.set(months, used: 97)
            #expect(try await ledger.used(months)?.isGuess == false)
            #expect(try await ledger.charge(months, times: 9) == 3)
            #expect(try await ledger.charge(days, times: 20, at: noon + day) == 9)
            #expect(try await ledger.used(days, at: noon + day)?.isGuess == false)
        }
        #expect(lines.withLock { $0.count } == 1)
    }

    private static func damage(_ path: String, _ damage: Damage) throws {
        switch damage {
        case .empty: Files.write([], to: path)
        case .noise: Files.write([UInt8](repeating: 0x5a, count: 20_000), to: path)
        case .cut: Files.write(Array(Files.contents(of: path).prefix(6000)), to: path)
        case .otherTables: Files.write(Files.contents(of: path).map { $0 == 0x75 ? 0x76 : $0 }, to: path)
        }
    }

    @Test func `if a process crashes while it replaces a damaged ledger, the damage is not forgotten`() async throws {
        let quota = counted(limit: 8)
        try await withLedger(path) { ledger in _ = try await ledger.charge(quota, times: 8) }
        try Self.damage(path, .noise)
        try await withLedger(path) { ledger in _ = try await ledger.used(quota) }
        // After a crash between the two renames, the new ledger still has its temporary name. The kernel copies the
        // paths.
        #expect(unsafe rename(path, path + ".new") == 0)
        #expect(try await withLedger(path) { try await $0.charge(quota, times: 9) } == 4)
    }

    enum Obstacle: CaseIterable {
        case directory, link, newer
    }

    @Test(arguments: Obstacle.allCases)
    func `if a ledger is unusable, nothing is charged, and the error has the path and a hint`(
        _ obstacle: Obstacle
    ) async throws {
        switch obstacle {
        case .directory: directory.makeDirectory("quota.sqlite")
        // The kernel copies the paths during the call.
        case .link: #expect(unsafe symlink("/dev/null", path) == 0)
        case .newer:
            try await withLedger(path) { ledger in _ = try await ledger.used(counted(limit: 1)) }
            var bytes = Files.contents(of: path)
            // These bytes of SQLite's header are the version number.
            bytes[63] = 200
            Files.write(bytes, to: path)
        }
        let error = await #expect(throws: SearchError.self) {
            try await withLedger(path) { _ = try await $0.charge(counted(limit: 9), times: 1) }
        }
        #expect(error?.message.contains(path) == true)
        #expect(error?.hint?.isEmpty == false)
    }

    @Test(.enabled(if: SmallDisk.isPossible))
    func `if the disk is full, nothing is charged`() async throws {
        let disk = try #require(SmallDisk(bytes: 1 << 20))
        defer { disk.remove() }
        let path = disk.directory.file("quota.sqlite")
        let quota = counted(limit: 9)
        try await withLedger(path) { ledger async throws in
            #expect(try await ledger.charge(quota, times: 1) == 1)
            let filler = disk.directory.file("filler")
            Files.fill(filler)
            var charged = 0
            let error = await #expect(throws: SearchError.self) {
                for _ in 0..<9 { charged += try await ledger.charge(quota, times: 1) }
            }
            #expect(error?.hint == "Make room on the disk.")
            Files.remove(filler)
            #expect(try await ledger.used(quota)?.total == 1 + charged)
            #expect(try await ledger.charge(quota, times: 9) == 8 - charged)
        }
    }
}

/// The tables of an older version, which reserved several calls at once.
private let oldMigrations = [
    """
    CREATE TABLE clocks (
        place INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, boot TEXT NOT NULL, "offset" INTEGER NOT NULL,
        since INTEGER NOT NULL, seenAt INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE grants (
        account TEXT NOT NULL, quota TEXT NOT NULL, clock INTEGER NOT NULL, start INTEGER NOT NULL,
        "end" INTEGER NOT NULL, granted INTEGER NOT NULL CHECK (granted >= 0),
        PRIMARY KEY (account, quota, clock, start)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    CREATE TABLE leases (
        token INTEGER NOT NULL, slot INTEGER NOT NULL, boot TEXT NOT NULL, account TEXT NOT NULL, quota TEXT NOT NULL,
        clock INTEGER NOT NULL, start INTEGER NOT NULL, granted INTEGER NOT NULL,
        PRIMARY KEY (token, slot, clock, start)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE identity (id INTEGER NOT NULL) STRICT;
    INSERT INTO identity VALUES (random());
    """,
]
