package import EventLoop

/// How many calls of each quota have been granted, on disk before anyone may make one.
///
/// Invariant: within one period no more is granted than its limit, by however many processes with the same file,
/// whenever they are killed and however the clock is set: see `PlausibleClocks`. Only the limit itself may be changed.
///
/// What a killed process had leased and not used is taken up again by the next that opens the file, where `LeaseMarks`
/// say how much that is. A file that is deleted or replaced while it is open is put back: see `LedgerContents`.
package actor QuotaLedger: LoopActor {
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
        """,
        """
        CREATE TABLE leases (
            token INTEGER NOT NULL,
            slot INTEGER NOT NULL,
            boot TEXT NOT NULL,
            account TEXT NOT NULL,
            quota TEXT NOT NULL,
            clock INTEGER NOT NULL,
            start INTEGER NOT NULL,
            granted INTEGER NOT NULL,
            PRIMARY KEY (token, slot, clock, start)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE identity (id INTEGER NOT NULL) STRICT;
        INSERT INTO identity VALUES (random());
        """,
    ])
    /// How long the count of a period is kept after its end.
    static let keepSeconds = PlausibleClocks.forgetAfterSeconds
    static let sweepEverySeconds: Int64 = 3600

    let path: String
    let boot: String
    package nonisolated let loop: EventLoop
    private let whenPutBack: @Sendable () -> Void
    private var database: Database?
    /// What stood in a file that is gone, until it is put back.
    private var lost: LedgerContents?
    /// Leases of before the last put back that gave beliefs other numbers can't be given back.
    private var epoch = 0
    private var marks: LeaseMarks?
    /// Those of leases that the file has rows of; all are of `marks`.
    private var marked: [LeaseMark] = []
    private var isClosed = false
    var sweptAt = Int64.min

    /// A ledger in a file, which is opened at its first use.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - boot: Which start of the machine this is.
    ///   - loop: A loop for storage alone: the ledger's calls block its thread until the disk has what they wrote.
    ///   - whenPutBack: Called, on the loop, when the file had been deleted or replaced and has been put back.
    package init(
        _ path: String,
        boot: String = BootIdentity.current(),
        on loop: EventLoop,
        whenPutBack: @escaping @Sendable () -> Void = {}
    ) {
        self.path = path
        self.boot = boot
        self.loop = loop
        self.whenPutBack = whenPutBack
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
            // Looking needs no lock, and does not wait for the disk.
            var clocks = try clocks(database)
            clocks.observe(reading, boot: boot)
            return try charge(wants, clocks, at: reading, database)
        }
        // What has been used up can't be taken up by another process.
        let usedUp = marked.filter { $0.retireIfUsedUp() }
        let leases = try database.transaction { () throws(StorageError) in
            let clocks = try observe(reading, database)
            for mark in usedUp { try forget(mark, database) }
            let leases = try charge(wants, clocks, at: reading, database)
            for lease in leases { try note(lease, database) }
            try save(clocks, database)
            try sweep(at: reading, clocks, database)
            return leases
        }
        marked.removeAll { usedUp.contains($0) }
        for mark in usedUp { marks?.free(mark.slot) }
        marked += leases.compactMap(\.mark)
        return leases
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
        // The calls of a lease of everything are never made.
        let mark = granted > 0 && count != QuotaLease.everything ? marks?.mark(of: granted) : nil
        let full = zip(charge.periods, used).filter { $0.1 >= quota.limit }.map(\.0)
        return QuotaLease(
            account: quota.account,
            quota: quota.name,
            granted: granted,
            total: total + granted,
            resetsAt: full.map { $0.endsAt + reading.offset }.max() ?? reading.wallSeconds,
            periods: charge.periods,
            offset: reading.offset,
            endsAt: charge.endsAt,
            mark: mark,
            epoch: epoch
        )
    }

    /// Takes calls back that were granted and will not be made.
    package func giveBack(_ leases: [(lease: QuotaLease, unused: Int)]) throws(StorageError) {
        let returned = leases.map { (lease: $0.lease, unused: min($0.unused, $0.lease.granted)) }.filter {
            $0.unused > 0
        }
        guard !returned.isEmpty else { return }
        let database = try open()
        let known = returned.filter { $0.lease.epoch == epoch }
        try database.transaction { () throws(StorageError) in
            for (lease, unused) in known { try take(unused, from: lease, database) }
        }
        for (lease, unused) in known { lease.mark?.returned(unused) }
    }

    /// Lets go of the file; every later call fails.
    package func close() {
        // A file that is gone is put back before.
        if database != nil { _ = try? open() }
        database = nil
        (marks, marked) = (nil, [])
        isClosed = true
    }

    // MARK: The file

    /// The file, open and under its name.
    private func open() throws(StorageError) -> Database {
        if let database, database.isInPlace { return database }
        guard !isClosed else {
            throw StorageError(.closed, file: path, message: "it has been closed", hint: "Start the daemon again.")
        }
        if let database { lost = try contents(of: database) }
        // Closed before another is opened: within a process two of one file would have each other's locks.
        database = nil
        let opened = try Database(path, schema: Self.schema, journal: .log, on: loop)
        if let lost {
            let isRenumbered = try putBack(lost, into: opened)
            if isRenumbered { epoch += 1 }
            self.lost = nil
            // The file of marks may be gone, too. What is marked there counts as used, or is found when this process
            // has ended.
            (marks, marked) = (nil, [])
            whenPutBack()
        }
        try takeUpLeases(opened)
        if marks == nil { marks = LeaseMarks(beside: path) }
        database = opened
        return opened
    }
}
