import EventLoop

/// The pages in one file, bounded by the bytes they take there; the ones used longest ago are evicted.
///
/// Used by the archive alone, on its thread.
struct PageTable {
    /// The row of a page, and how many bytes are counted for it.
    struct StoredRow {
        let id: Int64
        let number: UInt64
        let cost: Int

        /// Of a row that begins with these three.
        init(_ row: borrowing Row) {
            id = row.integer(0)
            number = UInt64(bitPattern: row.integer(1))
            cost = Int(row.integer(2))
        }
    }

    /// Most pages take no more than two blocks, and each costs two calls of the system on its way into the file.
    static let blockBytes = 32_768
    /// What is kept in memory of the file: the indices, and the blocks of the pages that are about to be written.
    private static let cacheKiB = 512

    let bytesMax: Int
    let database: Database
    /// Those of all pages in the file, but for what other processes have done since the last write.
    private(set) var numbers: Set<UInt64> = []
    private(set) var bytes = 0
    var evictions = 0
    /// Changes when another process has written.
    private var version: Int64 = 0

    var entries: Int { numbers.count }

    /// Opens the file and makes it as small as it must be.
    init(_ path: String, bytesMax: Int, fileBytesMax: Int, on loop: EventLoop) throws(StorageError) {
        self.bytesMax = bytesMax
        database = try Database(
            path,
            schema: Self.schema,
            journal: .undo,
            blockBytes: Self.blockBytes,
            on: loop
        )
        try database.script("PRAGMA cache_size = -\(Self.cacheKiB)")
        try count()
        if bytes > bytesMax { try commitRoom(for: 0) }
        try limitFile(to: fileBytesMax)
    }

    /// The page under a key, with the number of its row.
    func page(_ key: [UInt8]) throws(StorageError) -> (id: Int64, page: ArchivedPage)? {
        try database.first(
            """
            SELECT pages.id, source, query, fetchedAt, freshUntil, content, bytes FROM pages
            JOIN contents ON contents.id = pages.id AND contents.number = pages.number
            WHERE pages.number = ? AND key = ?
            """,
            .number(of: key),
            .blob(key)
        ) { row in
            let page = ArchivedPage(
                key: key,
                source: row.text(1),
                query: row.text(2),
                fetchedAt: row.integer(3),
                freshUntil: row.integer(4),
                content: UInt64(bitPattern: row.integer(5)),
                bytes: row.blob(6)
            )
            return (row.integer(0), page)
        }
    }

    /// The keys of a source's pages, those used last first.
    func keys(of source: String, limit: Int) throws(StorageError) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        try database.run(
            "SELECT key FROM pages WHERE source = ? ORDER BY usedAt DESC LIMIT ?",
            .text(source),
            .integer(Int64(limit))
        ) { row throws(StorageError) in
            keys.append(row.blob(0))
        }
        return keys
    }

    /// Writes pages in one transaction, all or none, and notes which were used; a page that is here and newer stays.
    ///
    /// Of a page whose bytes are here only the times are written.
    ///
    /// - Parameters:
    ///   - pages: What is written.
    ///   - expectedBytes: About what all of it will take.
    ///   - used: Rows that were read, and when.
    ///   - now: When the pages were used last.
    /// - Throws: What SQLite says; then some pages may have been evicted.
    mutating func write(
        _ pages: [UnwrittenPage],
        expectedBytes: Int,
        used: [Int64: Int64],
        at now: Int64
    ) throws(StorageError) {
        do throws(StorageError) {
            let cost = min(expectedBytes, bytesMax / Self.freedPart)
            let isTight = bytes + cost > bytesMax
            if isTight { try commitRoom(for: cost, used) }
            try commit { table throws(StorageError) in
                if !isTight { try table.note(used) }
                for unwritten in pages where try !table.renew(unwritten.page, at: now) {
                    let page = unwritten.whole
                    guard Self.cost(of: page) <= table.bytesMax, try table.removeOlder(than: page) else { continue }
                    try table.insert(page, at: now)
                }
            }
        } catch {
            if error.code.isFull { try shrinkIfLarge() }
            throw error
        }
    }

    /// Makes room in a separate transaction: one that frees blocks and uses them again has to copy them first.
    mutating func commitRoom(for cost: Int, _ used: [Int64: Int64] = [:]) throws(StorageError) {
        try commit { table throws(StorageError) in
            try table.note(used)
            try table.makeRoom(for: cost)
        }
    }

    /// Removes the pages that match, of which only the bytes are missing; how many there were.
    ///
    /// - Complexity: O(n) in the pages kept.
    mutating func removeAll(where matches: (ArchivedPage) -> Bool) throws(StorageError) -> Int {
        try erase { database throws(StorageError) in
            var found: [StoredRow] = []
            try database.run(
                "SELECT id, number, cost, key, source, query, fetchedAt, freshUntil, content FROM pages"
            ) { row throws(StorageError) in
                let page = ArchivedPage(
                    key: row.blob(3),
                    source: row.text(4),
                    query: row.text(5),
                    fetchedAt: row.integer(6),
                    freshUntil: row.integer(7),
                    content: UInt64(bitPattern: row.integer(8))
                )
                if matches(page) { found.append(StoredRow(row)) }
            }
            return found
        }
    }

    /// Removes rows and leaves nothing of them in the file.
    private mutating func erase(
        _ find: (Database) throws(StorageError) -> [StoredRow]
    ) throws(StorageError) -> Int {
        var count = 0
        try database.erasing { () throws(StorageError) in
            try commit { table throws(StorageError) in
                let found = try find(table.database)
                for stored in found { try table.remove(stored) }
                count = found.count
            }
            // What was evicted before lies in blocks that nothing has used since.
            if entries == 0 { try database.script("VACUUM") }
        }
        return count
    }

    /// Changes the file and what is known of it, or neither.
    private mutating func commit(_ body: (inout PageTable) throws(StorageError) -> Void) throws(StorageError) {
        var changed = self
        try database.transaction { () throws(StorageError) in
            try changed.lookForOthers()
            try body(&changed)
        }
        self = changed
    }

    // MARK: Pages

    private func note(_ used: [Int64: Int64]) throws(StorageError) {
        for (id, usedAt) in used {
            try database.run("UPDATE pages SET usedAt = ? WHERE id = ?", .integer(usedAt), .integer(id))
        }
    }

    /// Gives the page that is here the times of a newer one of the same content; false when there is none.
    private func renew(_ page: ArchivedPage, at now: Int64) throws(StorageError) -> Bool {
        guard page.content != 0, numbers.contains(PageNumber.of(page.key)) else { return false }
        try database.run(
            """
            UPDATE pages SET fetchedAt = ?, freshUntil = ?, usedAt = ?
            WHERE number = ? AND key = ? AND content = ? AND fetchedAt <= ?
            """,
            .integer(page.fetchedAt),
            .integer(page.freshUntil),
            .integer(now),
            .number(of: page.key),
            .blob(page.key),
            .integer(Int64(bitPattern: page.content)),
            .integer(page.fetchedAt)
        )
        return database.changes > 0
    }

    /// False when the page that is here is newer.
    private mutating func removeOlder(than page: ArchivedPage) throws(StorageError) -> Bool {
        guard numbers.contains(PageNumber.of(page.key)) else { return true }
        let found = try database.first(
            "SELECT id, number, cost, fetchedAt FROM pages WHERE number = ?",
            .number(of: page.key)
        ) { row in (row: StoredRow(row), fetchedAt: row.integer(3)) }
        guard let found else { return true }
        guard found.fetchedAt <= page.fetchedAt else { return false }
        // Who clears the page means what it said before, too.
        try database.overwriting { () throws(StorageError) in try remove(found.row) }
        return true
    }

    private mutating func insert(_ page: ArchivedPage, at now: Int64) throws(StorageError) {
        let cost = Self.cost(of: page)
        try makeRoom(for: cost)
        let number = SQLValue.number(of: page.key)
        try database.run(
            """
            INSERT INTO pages (number, key, source, query, fetchedAt, freshUntil, usedAt, cost, content)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            number,
            .blob(page.key),
            .text(page.source),
            .text(page.query),
            .integer(page.fetchedAt),
            .integer(page.freshUntil),
            .integer(now),
            .integer(cost),
            .integer(Int64(bitPattern: page.content))
        )
        try database.run("INSERT INTO contents VALUES (last_insert_rowid(), ?, ?)", number, lending: page.bytes)
        numbers.insert(PageNumber.of(page.key))
        bytes += cost
    }

    // MARK: What is there

    mutating func forget(_ stored: StoredRow) {
        numbers.remove(stored.number)
        bytes -= stored.cost
    }

    /// Counts again what another process has changed.
    private mutating func lookForOthers() throws(StorageError) {
        guard try dataVersion() != version else { return }
        try count()
    }

    mutating func count() throws(StorageError) {
        version = try dataVersion()
        var numbers: Set<UInt64> = []
        var bytes = 0
        // The index by use has both columns.
        try database.run("SELECT number, cost FROM pages") { row throws(StorageError) in
            numbers.insert(UInt64(bitPattern: row.integer(0)))
            bytes += Int(row.integer(1))
        }
        self.numbers = numbers
        self.bytes = bytes
    }

    private func dataVersion() throws(StorageError) -> Int64 {
        try database.first("PRAGMA data_version") { $0.integer(0) } ?? 0
    }
}

extension SQLValue {
    fileprivate static func number(of key: [UInt8]) -> SQLValue {
        .integer(Int64(bitPattern: PageNumber.of(key)))
    }
}
