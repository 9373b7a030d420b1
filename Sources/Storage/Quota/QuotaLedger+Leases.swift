/// The rows of leases: what a process has that may be killed.
extension QuotaLedger {
    /// Writes down a lease that has a mark, with the periods that it was charged to.
    func note(_ lease: QuotaLease, _ database: Database) throws(StorageError) {
        guard let mark = lease.mark else { return }
        for period in lease.periods {
            try database.run(
                """
                INSERT INTO leases (token, slot, boot, account, quota, clock, start, granted)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                .integer(mark.token),
                .integer(mark.slot),
                .text(boot),
                .text(lease.account),
                .text(lease.quota),
                .integer(period.belief.id),
                .integer(period.start),
                .integer(lease.granted)
            )
        }
    }

    /// A lease has nothing left that another process could take up.
    func forget(_ mark: LeaseMark, _ database: Database) throws(StorageError) {
        try database.run(
            "DELETE FROM leases WHERE token = ? AND slot = ?",
            .integer(mark.token),
            .integer(mark.slot)
        )
    }

    /// Takes calls off a lease and off the periods that it was charged to.
    func take(
        _ unused: Int,
        from lease: QuotaLease,
        _ database: Database
    ) throws(StorageError) {
        for period in lease.periods {
            try giveBack(unused, of: lease.account, lease.quota, period.belief.id, period.start, database)
        }
        guard let mark = lease.mark, !mark.isRetired else { return }
        try database.run(
            "UPDATE leases SET granted = granted - ? WHERE token = ? AND slot = ?",
            .integer(unused),
            .integer(mark.token),
            .integer(mark.slot)
        )
    }

    private func giveBack(
        _ unused: Int,
        of account: String,
        _ quota: String,
        _ clock: Int64,
        _ start: Int64,
        _ database: Database
    ) throws(StorageError) {
        try database.run(
            """
            UPDATE grants SET granted = max(0, granted - ?)
            WHERE account = ? AND quota = ? AND clock = ? AND start = ?
            """,
            .integer(unused),
            .text(account),
            .text(quota),
            .integer(clock),
            .integer(start)
        )
    }

    /// A row of a lease whose process has ended.
    private struct Left {
        let token: Int64
        let slot: Int
        let boot: String
        let account: String
        let quota: String
        let clock: Int64
        let start: Int64
        let granted: Int
    }

    /// Gives back what processes that have ended had leased and not used, as far as their files say.
    ///
    /// Where the machine has been started anew since, or a file is gone, all of it counts as used.
    func takeUpLeases(_ database: Database) throws(StorageError) {
        guard try database.first("SELECT 1 FROM leases LIMIT 1", read: { $0.integer(0) }) != nil else { return }
        var living: Set<Int64> = []
        var used: [Int64: [UInt8]] = [:]
        for file in 0..<LeaseMarks.filesMax {
            switch LeaseMarks.find(file, beside: path) {
            case .inUse(let token): living.insert(token)
            case .left(let token, let units): used[token] = units
            case .nothing: break
            }
        }
        try database.transaction { () throws(StorageError) in
            for lease in try leftLeases(database) where !living.contains(lease.token) {
                if let units = used[lease.token], units.indices.contains(lease.slot), lease.boot == boot, !boot.isEmpty
                {
                    let unused = max(0, lease.granted - Int(units[lease.slot]))
                    try giveBack(unused, of: lease.account, lease.quota, lease.clock, lease.start, database)
                }
                try database.run("DELETE FROM leases WHERE token = ?", .integer(lease.token))
            }
        }
    }

    private func leftLeases(_ database: Database) throws(StorageError) -> [Left] {
        var found: [Left] = []
        try database.run(
            "SELECT token, slot, boot, account, quota, clock, start, granted FROM leases"
        ) { row throws(StorageError) in
            found.append(
                Left(
                    token: row.integer(0),
                    slot: Int(row.integer(1)),
                    boot: row.text(2),
                    account: row.text(3),
                    quota: row.text(4),
                    clock: row.integer(5),
                    start: row.integer(6),
                    granted: Int(row.integer(7))
                )
            )
        }
        return found
    }
}
