package import EventLoop

/// How many calls of each quota have been granted, on disk before anyone may make one.
///
/// Invariant: within one period no more is granted than its limit, by however many processes with the same file,
/// whenever they are killed and however the clock is set: see `PlausibleClocks`. Only the limit itself may be changed.
package actor QuotaLedger {
    static let schema = Schema(migrations: [
        """
        CREATE TABLE grants (
            account TEXT NOT NULL,
            quota TEXT NOT NULL,
            start INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            granted INTEGER NOT NULL CHECK (granted >= 0),
            PRIMARY KEY (account, quota, start)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE clocks (place INTEGER PRIMARY KEY, boot TEXT NOT NULL, "offset" INTEGER NOT NULL,
            seenAt INTEGER NOT NULL) STRICT;
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
    ///   - quota: What is charged.
    ///   - count: How many calls are wanted; `QuotaLease.unitsMax` at most are granted. 0 only asks how things are.
    ///   - reading: What the clocks say.
    /// - Returns: As many as are left and wanted, which may be none.
    /// - Throws: When it can't be known or written down; then nothing is granted.
    package func lease(
        _ quota: LedgerQuota,
        count: Int,
        at reading: ClockReading
    ) throws(StorageError) -> QuotaLease {
        let database = try open()
        return try database.transaction { () throws(StorageError) in
            let clocks = try observe(reading, database)
            let charge = QuotaCharge(quota, clocks: clocks, at: reading)
            var used = 0
            var resetsAt = reading.wallSeconds
            for period in charge.periods {
                let usedInPeriod = try granted(quota, period.start, database)
                if usedInPeriod >= quota.limit { resetsAt = max(resetsAt, period.endsAt + reading.offset) }
                used = max(used, usedInPeriod)
            }
            let granted = max(0, min(count, QuotaLease.unitsMax, quota.limit - used))
            if granted > 0 {
                for period in charge.periods { try add(granted, to: quota, period, database) }
            }
            try save(clocks, database)
            try sweep(at: reading, clocks, database)
            return QuotaLease(
                account: quota.account,
                quota: quota.name,
                granted: granted,
                total: used + granted,
                resetsAt: resetsAt,
                periods: charge.periods.map(\.start),
                offset: reading.offset,
                endsAt: charge.endsAt
            )
        }
    }

    /// Takes calls back that were granted and will not be made.
    package func giveBack(_ lease: QuotaLease, unused: Int) throws(StorageError) {
        let unused = min(unused, lease.granted)
        guard unused > 0 else { return }
        let database = try open()
        try database.transaction { () throws(StorageError) in
            for start in lease.periods {
                try database.run(
                    "UPDATE grants SET granted = max(0, granted - ?) WHERE account = ? AND quota = ? AND start = ?",
                    .integer(unused),
                    .text(lease.account),
                    .text(lease.quota),
                    .integer(start)
                )
            }
        }
    }

    /// How many calls count against the quota now, with those that are leased.
    package func used(_ quota: LedgerQuota, at reading: ClockReading) throws(StorageError) -> Int {
        let database = try open()
        var clocks = try clocks(database)
        clocks.observe(reading, boot: boot)
        var used = 0
        for period in QuotaCharge(quota, clocks: clocks, at: reading).periods {
            used = max(used, try granted(quota, period.start, database))
        }
        return used
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
        let opened = try Database(path, schema: Self.schema, durability: .full, on: loop)
        database = opened
        return opened
    }

    private func granted(_ quota: LedgerQuota, _ start: Int64, _ database: Database) throws(StorageError) -> Int {
        try database.first(
            "SELECT granted FROM grants WHERE account = ? AND quota = ? AND start = ?",
            .text(quota.account),
            .text(quota.name),
            .integer(start)
        ) { Int($0.integer(0)) } ?? 0
    }

    private func add(
        _ count: Int,
        to quota: LedgerQuota,
        _ period: QuotaCharge.Period,
        _ database: Database
    ) throws(StorageError) {
        try database.run(
            """
            INSERT INTO grants (account, quota, start, "end", granted) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (account, quota, start) DO UPDATE SET granted = granted + excluded.granted
            """,
            .text(quota.account),
            .text(quota.name),
            .integer(period.start),
            .integer(period.end),
            .integer(count)
        )
    }

    private func clocks(_ database: Database) throws(StorageError) -> PlausibleClocks {
        var boot = ""
        var beliefs: [PlausibleClocks.Belief] = []
        try database.run(#"SELECT boot, "offset", seenAt FROM clocks ORDER BY place"#) { row throws(StorageError) in
            boot = row.text(0)
            beliefs.append(PlausibleClocks.Belief(offset: row.integer(1), seenAt: row.integer(2)))
        }
        return PlausibleClocks(boot: boot, beliefs: beliefs)
    }

    private func observe(_ reading: ClockReading, _ database: Database) throws(StorageError) -> PlausibleClocks {
        var clocks = try clocks(database)
        clocks.observe(reading, boot: boot)
        return clocks
    }

    private func save(_ clocks: PlausibleClocks, _ database: Database) throws(StorageError) {
        try database.run("DELETE FROM clocks")
        for (place, belief) in clocks.beliefs.enumerated() {
            try database.run(
                #"INSERT INTO clocks (place, boot, "offset", seenAt) VALUES (?, ?, ?, ?)"#,
                .integer(place),
                .text(clocks.boot),
                .integer(belief.offset),
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
