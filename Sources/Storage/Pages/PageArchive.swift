package import EventLoop
import JSON

/// A page of search results as it is stored; the archive does not interpret its bytes.
package struct ArchivedPage: Equatable, Sendable {
    package var key: [UInt8]
    package var source: String
    package var query: String
    /// In nanoseconds since 1970, like `freshUntil`.
    package var fetchedAt: Int64
    package var freshUntil: Int64
    package var bytes: [UInt8]

    package init(
        key: [UInt8],
        source: String,
        query: String,
        fetchedAt: Int64,
        freshUntil: Int64,
        bytes: [UInt8] = []
    ) {
        (self.key, self.source, self.query) = (key, source, query)
        (self.fetchedAt, self.freshUntil, self.bytes) = (fetchedAt, freshUntil, bytes)
    }
}

/// The disk cache of pages, a file of limited size from which the oldest pages are evicted.
///
/// An error never fails a search: an unreadable page is a miss, and a damaged file is replaced by an empty one.
package actor PageArchive: LoopActor {
    package struct Figures: Equatable, Sendable {
        package var entries = 0
        package var bytes = 0
        package var limit = 0
        package var hits = 0
        package var misses = 0
        package var evictions = 0
        package var dropped = 0
    }

    private struct Pending: Sendable {
        let page: ArchivedPage
        let size: Int
        let bytes: @Sendable () -> [UInt8]
    }

    private struct Shared {
        var figures = Figures()
        var pending: [Pending] = []
        /// The size of each page in the file, by its number; nil while the file is not open.
        var costs: [Int64: Int]?

        mutating func setCost(_ cost: Int?, of number: Int64) {
            figures.bytes += (cost ?? 0) - (costs?[number] ?? 0)
            costs?[number] = cost
            figures.entries = costs?.count ?? 0
        }
    }

    static let schema = Schema(migrations: [
        "CREATE TABLE pages (id INTEGER) STRICT; CREATE TABLE contents (id INTEGER) STRICT", "", "",
        "DROP TABLE contents", "",
        // The pages of older versions are dropped, because this is only a cache.
        """
        DROP TABLE pages;
        CREATE TABLE pages (
            id INTEGER PRIMARY KEY,
            number INTEGER NOT NULL UNIQUE,
            key BLOB NOT NULL,
            source TEXT NOT NULL,
            query TEXT NOT NULL,
            fetchedAt INTEGER NOT NULL,
            freshUntil INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            sum INTEGER NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE INDEX pagesByTime ON pages (fetchedAt, number, cost);
        CREATE INDEX pagesBySource ON pages (source, fetchedAt);
        """,
    ])

    /// How long a page waits for more pages, so that one commit writes all of them.
    package static let batchDelay = Duration.milliseconds(100)
    package static let retryAfter = Duration.seconds(60)
    static let (pendingMax, pendingBytesMax) = (1024, 8 << 20)
    private static let rowBytes = 512
    private static let evictedPart = 10

    private let path: String
    private let bytesMax: Int
    package nonisolated let loop: EventLoop
    private let report: @Sendable (String) -> Void
    private var database: Database?
    private var isClosed = false
    private var retryAt = Instant(nanoseconds: .min)
    private var isFailing = false
    private nonisolated let shared = Locked(Shared())

    /// `loop` must be used only for storage; `report` gets a log line when the file fails or works again.
    package init(_ path: String, bytesMax: Int, on loop: EventLoop, report: @escaping @Sendable (String) -> Void) {
        (self.path, self.bytesMax, self.loop, self.report) = (path, bytesMax, loop, report)
        shared.withLock { $0.figures.limit = bytesMax }
    }

    package nonisolated var figures: Figures { shared.withLock { $0.figures } }

    static func cost(of page: ArchivedPage) -> Int { page.bytes.count + page.key.count + rowBytes }

    /// Keys can share a number; then only the page that was fetched last is stored.
    private static func number(of key: [UInt8]) -> Int64 { Int64(bitPattern: StableHash.hash(key.span)) }

    // MARK: Reading

    /// Returns true and counts a miss if the page is certainly missing; never waits for the disk.
    package nonisolated func isMissing(_ key: [UInt8]) -> Bool {
        let number = Self.number(of: key)
        return shared.withLock { shared in
            guard let costs = shared.costs, costs[number] == nil else { return false }
            shared.figures.misses += 1
            return true
        }
    }

    package func page<Value>(_ key: [UInt8], read: @Sendable (ArchivedPage) -> Value?) -> Value? {
        let value = peek(key, read: read)
        shared.withLock { if value == nil { $0.figures.misses += 1 } else { $0.figures.hits += 1 } }
        return value
    }

    package func peek<Value>(_ key: [UInt8], read: @Sendable (ArchivedPage) -> Value?) -> Value? {
        let found = use { database throws(StorageError) in
            try database.first(
                """
                SELECT key, source, query, fetchedAt, freshUntil, bytes FROM pages
                WHERE number = ?1 AND key = ?2 AND sum = checksum(key, source, query, bytes)
                """,
                .integer(Self.number(of: key)),
                .blob(key)
            ) { Self.page($0, bytes: $0.blob(5)) }
        }
        return (found ?? nil).flatMap(read)
    }

    private static func page(_ row: borrowing Row, bytes: [UInt8]) -> ArchivedPage {
        ArchivedPage(
            key: row.blob(0),
            source: row.text(1),
            query: row.text(2),
            fetchedAt: row.integer(3),
            freshUntil: row.integer(4),
            bytes: bytes
        )
    }

    package func keys(of source: String, limit: Int) -> [[UInt8]] {
        use { database throws(StorageError) in
            try database.all(
                "SELECT key FROM pages WHERE source = ? ORDER BY fetchedAt DESC LIMIT ?",
                .text(source),
                .integer(limit)
            ) { $0.blob(0) }
        } ?? []
    }

    // MARK: Writing

    /// Never waits for the disk; `size` is approximate, and the storage thread calls `bytes`.
    package nonisolated func put(_ page: ArchivedPage, size: Int, bytes: @escaping @Sendable () -> [UInt8]) {
        let isFirst = shared.withLock { shared in
            let pendingBytes = shared.pending.reduce(size) { $0 + $1.size }
            guard shared.pending.count < Self.pendingMax, pendingBytes <= Self.pendingBytesMax else {
                shared.figures.dropped += 1
                return false
            }
            shared.pending.append(Pending(page: page, size: size, bytes: bytes))
            return shared.pending.count == 1
        }
        guard isFirst else { return }
        performLater { archive in
            _ = archive.schedule(at: archive.loop.now.advanced(by: Self.batchDelay)) { $0.writeBatch() }
        }
    }

    func writeBatch() {
        let pending = shared.withLock { shared in
            defer { shared.pending = [] }
            return shared.pending
        }
        guard !pending.isEmpty else { return }
        let written: Void? = use { database throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                for waiting in pending {
                    var page = waiting.page
                    page.bytes = waiting.bytes()
                    if Self.cost(of: page) <= bytesMax { try write(page, to: database) }
                }
                try makeRoom(in: database)
            }
        }
        guard written != nil else { return shared.withLock { $0.figures.dropped += pending.count } }
        if isFailing { report("pages are kept in \(path) again") }
        isFailing = false
    }

    /// Removes the matching pages and overwrites their data; `matches` gets pages without their bytes.
    ///
    /// Returns the number of pages that were removed from the file.
    package func removeAll(where matches: @Sendable (ArchivedPage) -> Bool) -> Int {
        shared.withLock { shared in shared.pending.removeAll { matches($0.page) } }
        return use { database throws(StorageError) in
            let found = try database.all("SELECT key, source, query, fetchedAt, freshUntil, number FROM pages") {
                matches(Self.page($0, bytes: [])) ? $0.integer(5) : nil
            }.compactMap(\.self)
            try database.transaction { () throws(StorageError) in
                for number in found { try remove(number, from: database) }
            }
            try database.erase()
            return found.count
        } ?? 0
    }

    package func close() {
        writeBatch()
        (database, isClosed) = (nil, true)
        shared.withLock { $0.costs = nil }
    }

    // MARK: Rows

    private func write(_ page: ArchivedPage, to database: Database) throws(StorageError) {
        let (number, cost) = (Self.number(of: page.key), Self.cost(of: page))
        try database.run(
            """
            INSERT INTO pages (number, key, source, query, fetchedAt, freshUntil, cost, sum, bytes)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, checksum(?2, ?3, ?4, ?8), ?8)
            ON CONFLICT (number) DO UPDATE SET key = ?2, source = ?3, query = ?4, fetchedAt = ?5, freshUntil = ?6,
                cost = ?7, sum = excluded.sum, bytes = ?8
            WHERE fetchedAt <= ?5
            """,
            .integer(number),
            .blob(page.key),
            .text(page.source),
            .text(page.query),
            .integer(page.fetchedAt),
            .integer(page.freshUntil),
            .integer(cost),
            .blob(page.bytes)
        )
        if database.changes > 0 { shared.withLock { $0.setCost(cost, of: number) } }
    }

    private func makeRoom(in database: Database) throws(StorageError) {
        while figures.bytes > bytesMax {
            let oldest = try database.all(
                "SELECT number FROM pages ORDER BY fetchedAt, number LIMIT ?",
                .integer(max(1, figures.entries / Self.evictedPart))
            ) { $0.integer(0) }
            guard !oldest.isEmpty else { return }
            for number in oldest { try remove(number, from: database) }
            shared.withLock { $0.figures.evictions += oldest.count }
        }
    }

    private func remove(_ number: Int64, from database: Database) throws(StorageError) {
        try database.run("DELETE FROM pages WHERE number = ?", .integer(number))
        shared.withLock { $0.setCost(nil, of: number) }
    }

    private func readCosts(of database: Database) throws(StorageError) {
        let rows = try database.all("SELECT number, cost FROM pages") { ($0.integer(0), Int($0.integer(1))) }
        shared.withLock { shared in
            shared.costs = Dictionary(uniqueKeysWithValues: rows)
            (shared.figures.entries, shared.figures.bytes) = (rows.count, rows.reduce(0) { $0 + $1.1 })
        }
    }

    // MARK: The file

    private func use<Value>(_ body: (Database) throws(StorageError) -> Value) -> Value? {
        guard !isClosed, retryAt <= loop.now else { return nil }
        do throws(StorageError) {
            return if let database { try body(database) } else { try body(open()) }
        } catch {
            recover(from: error)
            return nil
        }
    }

    private func open() throws(StorageError) -> Database {
        let opened = try Database(path, schema: Self.schema, journal: .unsyncedUndo, on: loop)
        try readCosts(of: opened)
        if figures.bytes > bytesMax {
            try opened.transaction { () throws(StorageError) in try makeRoom(in: opened) }
            try opened.erase()
        }
        database = opened
        return opened
    }

    private func recover(from error: StorageError) {
        if error.code.isCorrupt || error.code.isForeign || error.code == .newerSchema {
            database = nil
            shared.withLock { $0.costs = nil }
            if (try? PrivateFile.remove(path)) != nil {
                return report("\(error); the cache starts empty in a new \(path)")
            }
        }
        // SQLite has undone the failed transaction, so `costs` may be wrong.
        if let open = database, (try? readCosts(of: open)) == nil { database = nil }
        if database == nil { retryAt = loop.now.advanced(by: Self.retryAfter) }
        if !isFailing { report("\(error); pages are not kept on disk. \(error.hint)") }
        isFailing = true
    }
}
