import Storage

/// Replaces damaged rows by those of copies, within a transaction.
struct RowRepair {
    /// A copy.
    struct Source {
        let tables: PersonalTables
        /// When it was made.
        let at: Int64
    }

    let tables: PersonalTables
    /// The newest first.
    let sources: [Source]
    let now: Int64
    private(set) var restored = 0
    private(set) var lost = 0
    /// When the oldest copy was made that a row was taken from.
    private(set) var oldestUsed: Int64?

    private var database: Database { tables.database }

    init(tables: PersonalTables, sources: [Source], now: Int64) {
        (self.tables, self.sources, self.now) = (tables, sources, now)
    }

    mutating func run() throws(StorageError) {
        let revision = try tables.library.revision()
        for number in try damaged("SELECT number FROM checkedItems WHERE NOT isIntact") {
            let item = try find { source throws(StorageError) in try source.library.kept(number)?.read }
            if let item { try tables.library.replace(item, as: number, revision) } else { try loseItem(number) }
        }
        for number in try damaged("SELECT number FROM checkedHistory WHERE NOT isIntact") {
            let row = try find { source throws(StorageError) in try source.history.values(of: number) }
            if let row { try tables.history.replace(number, by: row) } else { try loseSearch(number) }
        }
        for number in try damaged("SELECT number FROM checkedSeen WHERE NOT isIntact") {
            let row = try find { source throws(StorageError) in try source.seen.values(of: number) }
            if let row { try tables.seen.replace(number, by: row) } else { try loseHit(number) }
        }
    }

    private func damaged(_ sql: StaticString) throws(StorageError) -> [Int64] {
        var numbers: [Int64] = []
        try database.run(sql) { row throws(StorageError) in numbers.append(row.integer(0)) }
        return numbers
    }

    /// What the newest copy has of a row that it has intact.
    private mutating func find<Value>(
        _ read: (PersonalTables) throws(StorageError) -> Value?
    ) throws(StorageError) -> Value? {
        for source in sources {
            guard let value = (try? read(source.tables)) ?? nil else { continue }
            restored += 1
            oldestUsed = min(oldestUsed ?? .max, source.at)
            return value
        }
        lost += 1
        return nil
    }

    private func loseItem(_ number: Int64) throws(StorageError) {
        try database.run(
            "INSERT INTO lostRows SELECT ?, 'items', item FROM items WHERE number = ?",
            .integer(now),
            .integer(number)
        )
        try database.run("DELETE FROM items WHERE number = ?", .integer(number))
    }

    private func loseSearch(_ number: Int64) throws(StorageError) {
        try database.run(
            "INSERT INTO lostRows SELECT ?, 'history', query FROM history WHERE number = ?",
            .integer(now),
            .integer(number)
        )
        try database.run("DELETE FROM history WHERE number = ?", .integer(number))
    }

    private func loseHit(_ number: Int64) throws(StorageError) {
        try database.run(
            "INSERT INTO lostRows SELECT ?, 'seen', hit FROM seen WHERE number = ?",
            .integer(now),
            .integer(number)
        )
        try database.run("DELETE FROM seen WHERE number = ?", .integer(number))
        try database.run("DELETE FROM seenBy WHERE number = ?", .integer(number))
    }
}
