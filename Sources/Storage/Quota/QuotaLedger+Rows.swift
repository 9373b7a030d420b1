/// The rows of the ledger's tables of clocks and grants.
extension QuotaLedger {
    /// What counts in a period.
    ///
    /// In the first period of a belief calls were made that its row does not have: those of the other beliefs' periods
    /// since that one's start, at most.
    func used(
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

    func write(
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

    func clocks(_ database: Database) throws(StorageError) -> PlausibleClocks {
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

    func observe(_ reading: ClockReading, _ database: Database) throws(StorageError) -> PlausibleClocks {
        var clocks = try clocks(database)
        let before = Set(clocks.beliefs.map(\.id))
        clocks.observe(reading, boot: boot)
        for forgotten in before.subtracting(clocks.beliefs.map(\.id)) {
            // Its number may be given to another belief.
            try database.run("DELETE FROM grants WHERE clock = ?", .integer(forgotten))
            try database.run("DELETE FROM leases WHERE clock = ?", .integer(forgotten))
        }
        return clocks
    }

    func save(_ clocks: PlausibleClocks, _ database: Database) throws(StorageError) {
        try database.run("DELETE FROM clocks")
        for (index, belief) in clocks.beliefs.enumerated() {
            try database.run(
                #"INSERT INTO clocks (place, id, boot, "offset", since, seenAt) VALUES (?, ?, ?, ?, ?, ?)"#,
                .integer(index),
                .integer(belief.id),
                .text(clocks.boot),
                .integer(belief.offset),
                .integer(belief.since),
                .integer(belief.seenAt)
            )
        }
    }

    /// Forgets periods that are long over by every clock, now and then.
    func sweep(
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
