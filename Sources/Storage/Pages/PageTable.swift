import EventLoop
import JSON

/// The pages in one file, which take a bounded number of bytes; those fetched longest ago are evicted.
///
/// Used by the archive alone, on its thread. What is known of the file in memory changes only with a commit.
struct PageTable {
    static let schema = Schema(migrations: [
        "CREATE TABLE pages (id INTEGER) STRICT; CREATE TABLE contents (id INTEGER) STRICT", "", "",
        // Pages of older versions are dropped: it is a cache.
        """
        DROP TABLE pages;
        DROP TABLE contents;
        CREATE TABLE pages (
            number INTEGER PRIMARY KEY,
            key BLOB NOT NULL,
            source TEXT NOT NULL,
            query TEXT NOT NULL,
            fetchedAt INTEGER NOT NULL,
            freshUntil INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            content INTEGER NOT NULL,
            sum INTEGER NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE INDEX pagesByTime ON pages (fetchedAt, number, cost);
        CREATE INDEX pagesBySource ON pages (source, fetchedAt);
        """,
    ])

    /// What a row takes in addition to its key and bytes.
    private static let rowBytes = 512
    /// How much is evicted at a time, as a part of the bound.
    private static let evictedPart = 10

    private let database: Database
    private let bytesMax: Int
    /// What each page in the file takes, by its number.
    private(set) var costs: [Int64: Int] = [:]
    private(set) var bytes = 0
    private(set) var evictions = 0

    init(_ path: String, bytesMax: Int, on loop: EventLoop) throws(StorageError) {
        self.bytesMax = bytesMax
        database = try Database(path, schema: Self.schema, journal: .unsyncedLog, on: loop)
        let rows = try database.all("SELECT number, cost FROM pages") { ($0.integer(0), Int($0.integer(1))) }
        costs = Dictionary(uniqueKeysWithValues: rows)
        bytes = costs.values.reduce(0, +)
        // The bound of an earlier start was larger.
        if bytes > bytesMax {
            try commit { table throws(StorageError) in try table.makeRoom(for: 0) }
            try database.script("VACUUM")
        }
    }

    /// What a page takes on disk.
    static func cost(of page: ArchivedPage) -> Int { page.bytes.count + page.key.count + rowBytes }

    /// The page with a key; nil also when it is damaged.
    func page(_ key: [UInt8]) throws(StorageError) -> ArchivedPage? {
        try database.first(
            """
            SELECT key, source, query, fetchedAt, freshUntil, content, bytes FROM pages
            WHERE number = ?1 AND key = ?2 AND sum = checksum(key, source, query, bytes)
            """,
            .integer(Self.number(of: key)),
            .blob(key)
        ) { Self.page($0, bytes: $0.blob(6)) }
    }

    private static func page(_ row: borrowing Row, bytes: [UInt8] = []) -> ArchivedPage {
        ArchivedPage(
            key: row.blob(0),
            source: row.text(1),
            query: row.text(2),
            fetchedAt: row.integer(3),
            freshUntil: row.integer(4),
            content: UInt64(bitPattern: row.integer(5)),
            bytes: bytes
        )
    }

    /// The keys of a source's pages, the latest first.
    func keys(of source: String, limit: Int) throws(StorageError) -> [[UInt8]] {
        try database.all(
            "SELECT key FROM pages WHERE source = ? ORDER BY fetchedAt DESC LIMIT ?",
            .text(source),
            .integer(limit)
        ) { $0.blob(0) }
    }

    /// Writes pages in one transaction, all or none; a newer page in the file stays.
    mutating func write(_ pages: [ArchivedPage]) throws(StorageError) {
        try commit { table throws(StorageError) in
            for page in pages where Self.cost(of: page) <= table.bytesMax { try table.write(page) }
        }
    }

    private mutating func write(_ page: ArchivedPage) throws(StorageError) {
        let (number, cost) = (Self.number(of: page.key), Self.cost(of: page))
        let excess = bytes + cost - (costs[number] ?? 0) - bytesMax
        if excess > 0 { try makeRoom(for: excess) }
        try database.run(
            """
            INSERT INTO pages (number, key, source, query, fetchedAt, freshUntil, cost, content, sum, bytes)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, checksum(?2, ?3, ?4, ?9), ?9)
            ON CONFLICT (number) DO UPDATE SET key = ?2, source = ?3, query = ?4, fetchedAt = ?5, freshUntil = ?6,
                cost = ?7, content = ?8, sum = excluded.sum, bytes = ?9
            WHERE fetchedAt <= ?5
            """,
            values: [
                .integer(number), .blob(page.key), .text(page.source), .text(page.query), .integer(page.fetchedAt),
                .integer(page.freshUntil), .integer(cost), .integer(Int64(bitPattern: page.content)),
                .blob(page.bytes),
            ]
        )
        if database.changes > 0 { bytes += cost - (costs.updateValue(cost, forKey: number) ?? 0) }
    }

    /// Removes the pages that match, of which only the bytes are missing, and leaves nothing of them in the file; how
    /// many there were.
    ///
    /// - Complexity: O(n) in the pages kept.
    mutating func removeAll(where matches: (ArchivedPage) -> Bool) throws(StorageError) -> Int {
        let found = try database.all("SELECT key, source, query, fetchedAt, freshUntil, content, number FROM pages") {
            matches(Self.page($0)) ? $0.integer(6) : nil
        }.compactMap(\.self)
        try commit { table throws(StorageError) in
            for number in found { try table.remove(number) }
        }
        try database.emptyLog()
        return found.count
    }

    /// Evicts the pages fetched longest ago: so many bytes and some more, so that not every page makes room for itself.
    private mutating func makeRoom(for excess: Int) throws(StorageError) {
        let victims = try database.all(
            """
            SELECT number FROM
                (SELECT number, sum(cost) OVER (ORDER BY fetchedAt, number) - cost AS freedBefore FROM pages)
            WHERE freedBefore < ?
            """,
            .integer(max(excess, bytes - bytesMax) + bytesMax / Self.evictedPart)
        ) { $0.integer(0) }
        for victim in victims { try remove(victim) }
        evictions += victims.count
    }

    private mutating func remove(_ number: Int64) throws(StorageError) {
        try database.run("DELETE FROM pages WHERE number = ?", .integer(number))
        bytes -= costs.removeValue(forKey: number) ?? 0
    }

    private mutating func commit(_ body: (inout PageTable) throws(StorageError) -> Void) throws(StorageError) {
        var changed = self
        try database.transaction { () throws(StorageError) in try body(&changed) }
        self = changed
    }

    /// What a page is found by on disk instead of its key, which is many times as long.
    ///
    /// Of two keys with the same number one has a page at a time.
    static func number(of key: [UInt8]) -> Int64 { Int64(bitPattern: StableHash.hash(key.span)) }
}
