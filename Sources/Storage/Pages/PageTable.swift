import EventLoop

/// The pages in one file, bounded by the bytes they take there; the ones used longest ago give way.
///
/// Used by the archive alone, on its thread.
struct PageTable {
    static let schema = Schema(migrations: [
        """
        CREATE TABLE pages (
            id INTEGER PRIMARY KEY,
            key BLOB NOT NULL UNIQUE,
            source TEXT NOT NULL,
            query TEXT NOT NULL,
            fetchedAt INTEGER NOT NULL,
            freshUntil INTEGER NOT NULL,
            usedAt INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE INDEX pagesByUse ON pages (usedAt, cost);
        CREATE INDEX pagesByQuery ON pages (query, source);
        """,
        // What a page holds lies apart from what changes with every use of it.
        """
        CREATE TABLE contents (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
        INSERT INTO contents SELECT id, bytes FROM pages;
        ALTER TABLE pages DROP COLUMN bytes;
        ALTER TABLE pages ADD COLUMN content INTEGER NOT NULL DEFAULT 0;
        CREATE TRIGGER contentsGoWithPages AFTER DELETE ON pages
        BEGIN DELETE FROM contents WHERE id = old.id; END;
        """,
    ])

    /// A page takes several blocks, and each costs two calls of the system on its way into the file.
    private static let blockBytes = 16_384
    /// What the room that pages take is counted in.
    private static let stepBytes = 4096
    /// What a row takes beside its bytes: its other columns, three indices, half a block that is never quite full.
    private static let rowBytes = 1024
    /// The part of the bound that is free after making room: so that not every page makes room for itself.
    private static let freedPart = 10
    private static let victimsAtOnce = 64
    /// What is kept in memory of the file: the indices, and the blocks of the pages that are about to be written.
    private static let cacheKiB = 2048

    let bytesMax: Int
    private let database: Database
    private(set) var entries = 0
    private(set) var bytes = 0
    private(set) var evictions = 0

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
        // Some builds of SQLite overwrite all that is deleted, which costs more than writing it did.
        try database.script("PRAGMA cache_size = -\(Self.cacheKiB); PRAGMA secure_delete = OFF")
        try count()
        try makeRoom(for: 0)
        try limitFile(to: fileBytesMax)
    }

    /// How large the file may be for pages that may take so much: tables and indices are in it too.
    static func fileBytesMax(for bytesMax: Int) -> Int { bytesMax * 2 + 64 * blockBytes }

    /// What a page takes on disk.
    static func cost(of page: ArchivedPage) -> Int {
        let bytes = page.bytes.count + page.key.count + rowBytes
        return (bytes + stepBytes - 1) / stepBytes * stepBytes
    }

    /// The page under a key, with the number of its row.
    func page(_ key: [UInt8]) throws(StorageError) -> (id: Int64, page: ArchivedPage)? {
        try database.first(
            """
            SELECT id, source, query, fetchedAt, freshUntil, content, bytes FROM pages JOIN contents USING (id)
            WHERE key = ?
            """,
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

    /// Writes pages in one transaction, all or none, and notes which were used; a page that is here and newer stays.
    ///
    /// Of a page whose bytes are here only the times are written.
    ///
    /// When the file is full although it should not be, since another process has its share of it, some pages make room
    /// for the next ones.
    ///
    /// - Parameters:
    ///   - pages: What is written.
    ///   - expectedBytes: About what all of it will take.
    ///   - used: Rows that were read, and when.
    ///   - now: When the pages were used last.
    /// - Throws: What SQLite says; then some pages may have given way.
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
            var changed = self
            try database.transaction { () throws(StorageError) in
                if !isTight { try note(used) }
                for unwritten in pages where try !renew(unwritten.page, at: now) {
                    let page = unwritten.whole
                    guard Self.cost(of: page) <= bytesMax, try changed.removeOlder(than: page) else { continue }
                    try changed.insert(page, at: now)
                }
            }
            self = changed
        } catch {
            if error.code.isFull, try isFileLarge() { try shrink() }
            throw error
        }
    }

    private func note(_ used: [Int64: Int64]) throws(StorageError) {
        for (id, usedAt) in used {
            try database.run("UPDATE pages SET usedAt = ? WHERE id = ?", .integer(usedAt), .integer(id))
        }
    }

    /// Makes room in a transaction of its own: blocks that one lets go and takes again it has to copy first.
    private mutating func commitRoom(for cost: Int, _ used: [Int64: Int64] = [:]) throws(StorageError) {
        var changed = self
        try database.transaction { () throws(StorageError) in
            try note(used)
            try changed.makeRoom(for: cost)
        }
        self = changed
    }

    private mutating func shrink() throws(StorageError) {
        try count()
        try commitRoom(for: bytesMax - bytes + bytesMax / Self.freedPart)
    }

    /// Whether it can be its bound that is full, and not the disk.
    private func isFileLarge() throws(StorageError) -> Bool {
        let blocks = try database.first("PRAGMA page_count") { $0.integer(0) } ?? 0
        let blocksMax = try database.first("PRAGMA max_page_count") { $0.integer(0) } ?? 0
        return blocks > blocksMax / 2
    }

    /// Removes pages of the sources that match, and of this query if there is one; how many there were.
    mutating func removeAll(of query: String?, source matches: (String) -> Bool) throws(StorageError) -> Int {
        let before = entries
        var sources: [String] = []
        try database.run("SELECT DISTINCT source FROM pages") { row throws(StorageError) in sources.append(row.text(0))
        }
        try database.transaction { () throws(StorageError) in
            for source in sources where matches(source) {
                if let query {
                    try database.run("DELETE FROM pages WHERE source = ? AND query = ?", .text(source), .text(query))
                } else {
                    try database.run("DELETE FROM pages WHERE source = ?", .text(source))
                }
            }
        }
        try count()
        return before - entries
    }

    // MARK: Room

    private mutating func insert(_ page: ArchivedPage, at now: Int64) throws(StorageError) {
        let cost = Self.cost(of: page)
        try makeRoom(for: cost)
        try database.run(
            """
            INSERT INTO pages (key, source, query, fetchedAt, freshUntil, usedAt, cost, content)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .blob(page.key),
            .text(page.source),
            .text(page.query),
            .integer(page.fetchedAt),
            .integer(page.freshUntil),
            .integer(now),
            .integer(cost),
            .integer(Int64(bitPattern: page.content))
        )
        try database.run("INSERT INTO contents VALUES (last_insert_rowid(), ?)", .blob(page.bytes))
        entries += 1
        bytes += cost
    }

    /// Gives the page that is here the times of a newer one of the same content; false when there is none.
    private func renew(_ page: ArchivedPage, at now: Int64) throws(StorageError) -> Bool {
        guard page.content != 0 else { return false }
        try database.run(
            """
            UPDATE pages SET fetchedAt = ?, freshUntil = ?, usedAt = ?
            WHERE key = ? AND content = ? AND fetchedAt <= ?
            """,
            .integer(page.fetchedAt),
            .integer(page.freshUntil),
            .integer(now),
            .blob(page.key),
            .integer(Int64(bitPattern: page.content)),
            .integer(page.fetchedAt)
        )
        return database.changes > 0
    }

    /// False when the page that is here is newer.
    private mutating func removeOlder(than page: ArchivedPage) throws(StorageError) -> Bool {
        let found = try database.first("SELECT id, cost, fetchedAt FROM pages WHERE key = ?", .blob(page.key)) { row in
            (id: row.integer(0), cost: Int(row.integer(1)), fetchedAt: row.integer(2))
        }
        guard let found else { return true }
        guard found.fetchedAt <= page.fetchedAt else { return false }
        try remove(found.id, cost: found.cost)
        return true
    }

    private mutating func remove(_ id: Int64, cost: Int) throws(StorageError) {
        try database.run("DELETE FROM pages WHERE id = ?", .integer(id))
        entries -= 1
        bytes -= cost
    }

    /// Lets the pages go that were used longest ago, some more than needed.
    private mutating func makeRoom(for cost: Int) throws(StorageError) {
        guard bytes + cost > bytesMax else { return }
        let kept = min(bytesMax - bytesMax / Self.freedPart, bytesMax - cost)
        while bytes > kept, entries > 0 {
            var victims: [(id: Int64, cost: Int)] = []
            // The index has both columns, so no page is read.
            try database.run(
                "SELECT id, cost FROM pages ORDER BY usedAt LIMIT ?",
                .integer(Self.victimsAtOnce)
            ) { row throws(StorageError) in
                victims.append((row.integer(0), Int(row.integer(1))))
            }
            guard !victims.isEmpty else { return try count() }
            for victim in victims where bytes > kept {
                try remove(victim.id, cost: victim.cost)
                evictions += 1
            }
        }
    }

    private mutating func count() throws(StorageError) {
        let found = try database.first("SELECT count(*), total(cost) FROM pages") { row in
            (entries: Int(row.integer(0)), bytes: Int(row.integer(1)))
        }
        (entries, bytes) = found ?? (0, 0)
    }

    /// Gives the file its bound, so that not even a miscount makes it grow past it.
    private func limitFile(to bytesMax: Int) throws(StorageError) {
        // A file that is there keeps the blocks it was made with.
        let blockBytes = try database.first("PRAGMA page_size") { Int($0.integer(0)) } ?? Self.blockBytes
        let blocksMax = Int64(max(bytesMax, blockBytes) / blockBytes)
        let blocks = try database.first("PRAGMA page_count") { $0.integer(0) } ?? 0
        // It comes from a time of a larger bound.
        if blocks > blocksMax { try database.script("VACUUM") }
        try database.script("PRAGMA max_page_count = \(blocksMax)")
    }
}
