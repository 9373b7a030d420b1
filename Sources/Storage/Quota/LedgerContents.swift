/// What a ledger has counted, apart from its file: to put it back when the file is gone.
struct LedgerContents {
    struct Grant {
        let account: String
        let quota: String
        let clock: Int64
        let start: Int64
        let end: Int64
        let granted: Int
    }

    /// Which ledger it is, whatever file it stands in.
    let id: Int64
    let clocks: PlausibleClocks
    let grants: [Grant]
}

extension QuotaLedger {
    func contents(of database: Database) throws(StorageError) -> LedgerContents {
        var grants: [LedgerContents.Grant] = []
        try database.run(
            #"SELECT account, quota, clock, start, "end", granted FROM grants"#
        ) { row throws(StorageError) in
            grants.append(
                LedgerContents.Grant(
                    account: row.text(0),
                    quota: row.text(1),
                    clock: row.integer(2),
                    start: row.integer(3),
                    end: row.integer(4),
                    granted: Int(row.integer(5))
                )
            )
        }
        return LedgerContents(id: try id(of: database), clocks: try clocks(database), grants: grants)
    }

    /// Puts what was counted into the file that stands under the name now.
    ///
    /// Where that is this ledger, a copy of it or an empty file, the higher count of each period holds. Where it is
    /// another ledger, its calls were made beside these, and the sum holds.
    ///
    /// - Returns: Whether some belief has another number than before.
    /// - Throws: What SQLite says; then the file is as it was.
    func putBack(_ lost: LedgerContents, into database: Database) throws(StorageError) -> Bool {
        try database.transaction { () throws(StorageError) in
            var clocks = try clocks(database)
            if clocks.beliefs.isEmpty { try database.run("UPDATE identity SET id = ?", .integer(lost.id)) }
            let isSame = try id(of: database) == lost.id
            let known = Set(clocks.beliefs.map(\.id))
            let numbers = clocks.join(lost.clocks)
            for forgotten in known.subtracting(clocks.beliefs.map(\.id)) {
                try database.run("DELETE FROM grants WHERE clock = ?", .integer(forgotten))
                try database.run("DELETE FROM leases WHERE clock = ?", .integer(forgotten))
            }
            for grant in lost.grants {
                guard let clock = numbers[grant.clock] else { continue }
                try add(grant, of: clock, isSame: isSame, database)
            }
            try save(clocks, database)
            return numbers.contains { $0 != $1 }
        }
    }

    private func add(
        _ grant: LedgerContents.Grant,
        of clock: Int64,
        isSame: Bool,
        _ database: Database
    ) throws(StorageError) {
        try database.run(
            """
            INSERT INTO grants (account, quota, clock, start, "end", granted) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, quota, clock, start) DO UPDATE
            SET granted = CASE WHEN ? THEN max(granted, excluded.granted) ELSE granted + excluded.granted END
            """,
            .text(grant.account),
            .text(grant.quota),
            .integer(clock),
            .integer(grant.start),
            .integer(grant.end),
            .integer(grant.granted),
            .integer(isSame ? 1 : 0)
        )
    }

    private func id(of database: Database) throws(StorageError) -> Int64 {
        try database.first("SELECT id FROM identity") { $0.integer(0) } ?? 0
    }
}
