package import EventLoop

/// How many calls of each quota have been granted, on disk before anyone may make one.
///
/// Invariant: within one period no more is granted than its limit, by however many processes with the same file,
/// whenever they are killed and however the clock is set: see `PlausibleClocks`. Only the limit itself may be changed.
package actor QuotaLedger {
    static let schema = Schema(migrations: [
        """
        CREATE TABLE clocks (
            place INTEGER PRIMARY KEY,
            id INTEGER NOT NULL UNIQUE,
            boot TEXT NOT NULL,
            "offset" INTEGER NOT NULL,
            since INTEGER NOT NULL,
            seenAt INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE grants (
            account TEXT NOT NULL,
            quota TEXT NOT NULL,
            clock INTEGER NOT NULL,
            start INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            granted INTEGER NOT NULL CHECK (granted >= 0),
            PRIMARY KEY (account, quota, clock, start)
        ) STRICT, WITHOUT ROWID;
        """
    ])
    /// How long the count of a period is kept after its end.
    static let keepSeconds = PlausibleClocks.forgetAfterSeconds
    private static let sweepEverySeconds: Int64 = 3600

    private let path: String
    private let boot: String
    private let loop: EventLoop
    private var database: Database?
    private var isClosed = false
    private var sweptAt = Int64.min

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The loop outlives the actors that hold it.
        unsafe loop.asUnownedSerialExecutor()
    }

    /// A ledger in a file, which is opened at its first use.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - boot: Which start of the machine this is.
    ///   - loop: A loop for storage alone: the ledger's calls block its thread until the disk has what they wrote.
    package init(_ path: String, boot: String = BootIdentity.current(), on loop: EventLoop) {
        self.path = path
        self.boot = boot
        self.loop = loop
    }

    /// Charges calls before they are made; when this returns, they are charged for good.
    ///
    /// - Parameters:
    ///   - wants: What is charged, and how many calls are wanted of each; `QuotaLease.unitsMax` at most are granted but
    ///     for `QuotaLease.everything`, and 0 only asks how things are. All of it waits for the disk once.
    ///   - reading: What the clocks say.
    /// - Returns: For each, as many as are left and wanted, which may be none.
    /// - Throws: When it can't be known or written down; then nothing is granted.
    package func lease(
        _ wants: [(quota: LedgerQuota, count: Int)],
        at reading: ClockReading
    ) throws(StorageError) -> [QuotaLease] {
        let database = try open()
        guard wants.contains(where: { $0.count > 0 }) else {
            // Whoever only looks needs no lock, and no disk to turn.
            var clocks = try clocks(database)
            clocks.observe(reading, boot: boot)
            return try charge(wants, clocks, at: reading, database)
        }
        return try database.transaction { () throws(StorageError) in
            let clocks = try observe(reading, database)
            let leases = try charge(wants, clocks, at: reading, database)
            try save(clocks, database)
            try sweep(at: reading, clocks, database)
            return leases
        }
    }

    private func charge(
        _ wants: [(quota: LedgerQuota, count: Int)],
        _ clocks: PlausibleClocks,
        at reading: ClockReading,
        _ database: Database
    ) throws(StorageError) -> [QuotaLease] {
        var leases: [QuotaLease] = []
        for (quota, count) in wants {
            let count = count == QuotaLease.everything ? count : min(count, QuotaLease.unitsMax)
            leases.append(try charge(count, to: quota, clocks, at: reading, database))
        }
        return leases
    }

    private func charge(
        _ count: Int,
        to quota: LedgerQuota,
        _ clocks: PlausibleClocks,
        at reading: ClockReading,
        _ database: Database
    ) throws(StorageError) -> QuotaLease {
        let charge = QuotaCharge(quota, clocks: clocks, at: reading)
        var used: [Int] = []
        for period in charge.periods { used.append(try self.used(quota, period, clocks, at: reading, database)) }
        let total = used.max() ?? 0
        let granted = max(0, min(count, quota.limit - total))
        if granted > 0 {
            for (period, used) in zip(charge.periods, used) {
                try write(used + granted, of: quota, period, database)
            }
        }
        let full = zip(charge.periods, used).filter { $0.1 >= quota.limit }.map(\.0)
        return QuotaLease(
            account: quota.account,
            quota: quota.name,
            granted: granted,
            total: total + granted,
            resetsAt: full.map { $0.endsAt + reading.offset }.max() ?? reading.wallSeconds,
            periods: charge.periods,
            offset: reading.offset,
            endsAt: charge.endsAt
        )
    }

    /// Takes calls back that were granted and will not be made.
    package func giveBack(_ leases: [(lease: QuotaLease, unused: Int)]) throws(StorageError) {
        let returned = leases.map { (lease: $0.lease, unused: min($0.unused, $0.lease.granted)) }.filter {
            $0.unused > 0
        }
        guard !returned.isEmpty else { return }
        let database = try open()
        try database.transaction { () throws(StorageError) in
            for (lease, unused) in returned { try take(unused, from: lease, database) }
        }
    }

    private func take(_ unused: Int, from lease: QuotaLease, _ database: Database) throws(StorageError) {
        for period in lease.periods {
            try database.run(
                """
                UPDATE grants SET granted = max(0, granted - ?)
                WHERE account = ? AND quota = ? AND clock = ? AND start = ?
                """,
                .integer(unused),
                .text(lease.account),
                .text(lease.quota),
                .integer(period.belief.id),
                .integer(period.start)
            )
        }
    }

    /// Lets go of the file; every later call fails.
    package func close() {
        database = nil
        isClosed = true
    }

    // MARK: The file

    private func open() throws(StorageError) -> Database {
        if let database { return database }
        guard !isClosed else {
            throw StorageError(.closed, file: path, message: "it has been closed", hint: "Start the daemon again.")
        }
        let opened = try Database(path, schema: Self.schema, journal: .log, on: loop)
        database = opened
        return opened
    }

    // MARK: Rows

    /// What counts in a period.
    ///
    /// In the first period of a belief calls were made that its row does not have: those of the other beliefs' periods
    /// since that one's start, at most.
    private func used(
        _ quota: LedgerQuota,
        _ period: QuotaCharge.Period,
        _ clocks: PlausibleClocks,
        at reading: ClockReading,
        _ database: Database
    ) throws(StorageError) -> Int {
        let written = try database.first(
            "SELECT granted FROM grants WHERE account = ? AND quota = ? AND clock = ? AND start = ?",
            .text(quota.account),
            .text(quota.name),
            .integer(period.belief.id),
            .integer(period.start)
        ) { Int($0.integer(0)) }
        if let written { return written }
        guard period.isOlderThanBelief else { return 0 }
        var used = 0
        for other in clocks.beliefs where other.id != period.belief.id {
            let sum = try database.first(
                """
                SELECT total(granted) FROM grants
                WHERE account = ? AND quota = ? AND clock = ? AND "end" > ? AND start <= ?
                """,
                .text(quota.account),
                .text(quota.name),
                .integer(other.id),
                .integer(period.startedAt + other.offset),
                .integer(reading.bootSeconds + other.offset)
            ) { Int($0.integer(0)) }
            used = max(used, sum ?? 0)
        }
        return used
    }

    private func write(
        _ count: Int,
        of quota: LedgerQuota,
        _ period: QuotaCharge.Period,
        _ database: Database
    ) throws(StorageError) {
        try database.run(
            """
            INSERT INTO grants (account, quota, clock, start, "end", granted) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, quota, clock, start) DO UPDATE SET granted = excluded.granted
            """,
            .text(quota.account),
            .text(quota.name),
            .integer(period.belief.id),
            .integer(period.start),
            .integer(period.end),
            .integer(count)
        )
    }

    private func clocks(_ database: Database) throws(StorageError) -> PlausibleClocks {
        var boot = ""
        var beliefs: [PlausibleClocks.Belief] = []
        try database.run(
            #"SELECT boot, id, "offset", since, seenAt FROM clocks ORDER BY place"#
        ) { row throws(StorageError) in
            boot = row.text(0)
            beliefs.append(
                PlausibleClocks.Belief(
                    id: row.integer(1),
                    offset: row.integer(2),
                    since: row.integer(3),
                    seenAt: row.integer(4)
                )
            )
        }
        return PlausibleClocks(boot: boot, beliefs: beliefs)
    }

    private func observe(_ reading: ClockReading, _ database: Database) throws(StorageError) -> PlausibleClocks {
        var clocks = try clocks(database)
        let before = Set(clocks.beliefs.map(\.id))
        clocks.observe(reading, boot: boot)
        for forgotten in before.subtracting(clocks.beliefs.map(\.id)) {
            // Its number may be given to another belief.
            try database.run("DELETE FROM grants WHERE clock = ?", .integer(forgotten))
        }
        return clocks
    }

    private func save(_ clocks: PlausibleClocks, _ database: Database) throws(StorageError) {
        try database.run("DELETE FROM clocks")
        for (place, belief) in clocks.beliefs.enumerated() {
            try database.run(
                #"INSERT INTO clocks (place, id, boot, "offset", since, seenAt) VALUES (?, ?, ?, ?, ?, ?)"#,
                .integer(place),
                .integer(belief.id),
                .text(clocks.boot),
                .integer(belief.offset),
                .integer(belief.since),
                .integer(belief.seenAt)
            )
        }
    }

    /// Forgets periods that are long over by every clock, now and then.
    private func sweep(
        at reading: ClockReading,
        _ clocks: PlausibleClocks,
        _ database: Database
    ) throws(StorageError) {
        guard sweptAt == .min || reading.bootSeconds - sweptAt >= Self.sweepEverySeconds else { return }
        let earliest = reading.bootSeconds + (clocks.beliefs.map(\.offset).min() ?? reading.offset)
        try database.run(#"DELETE FROM grants WHERE "end" < ?"#, .integer(earliest - Self.keepSeconds))
        sweptAt = reading.bootSeconds
    }
}
