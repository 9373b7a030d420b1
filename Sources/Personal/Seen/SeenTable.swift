import Hangul
import JSON
import SearchModel
import Storage

/// The rows of all that one user's searches have brought; used by its store only, within a transaction where anything
/// is written.
///
/// Invariant: each hit is there once, by its id, as it came last, and with each search that brought it.
struct SeenTable {
    static let hitsMax = 100_000
    /// Of the hits that are too old or too many so many are removed at a time, which bounds what one commit takes.
    private static let removedMax = 1000

    static let created: [StaticString] = [
        """
        CREATE TABLE seen (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            at INTEGER NOT NULL,
            fetchedAt INTEGER NOT NULL,
            kind TEXT NOT NULL,
            hit BLOB NOT NULL
        ) STRICT
        """,
        "CREATE UNIQUE INDEX seenByID ON seen (id)",
        "CREATE INDEX seenByTime ON seen (at)",
        """
        CREATE TABLE seenBy (
            number INTEGER NOT NULL,
            query INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (number, query)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX seenByQuery ON seenBy (query)",
        """
        CREATE VIRTUAL TABLE seenWords
            USING fts5(tokens, content = '', detail = 'none', tokenize = "ascii tokenchars '_='")
        """,
    ]

    let database: Database

    // MARK: Adding

    /// Adds what a search has brought; what is no hit is passed over.
    ///
    /// - Parameters:
    ///   - brought: The hits.
    ///   - whenAdded: Is told of each, with its number.
    /// - Throws: When they can't be written.
    func add(
        _ brought: BroughtHits,
        whenAdded: (SavedHit, Int64) throws(StorageError) -> Void = { _, _ in }
    ) throws(StorageError) {
        let query = brought.search.query.digest
        for draft in brought.hits {
            guard let hit = Self.hit(draft.bytes) else { continue }
            let number = try add(hit, fetchedAt: draft.fetchedAt, query: query, at: brought.search.at)
            try whenAdded(hit, number)
        }
    }

    @discardableResult
    private func add(_ hit: SavedHit, fetchedAt: Int64, query: Int64, at: Int64) throws(StorageError) -> Int64 {
        let known = try database.first("SELECT number, hit FROM seen WHERE id = ?", .text(hit.id)) { row in
            (number: row.integer(0), bytes: row.blob(1))
        }
        if let known, known.bytes != hit.bytes, let old = Self.hit(known.bytes) { try unindex(old, known.number) }
        try database.run(
            """
            INSERT INTO seen (id, at, fetchedAt, kind, hit) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE
            SET at = max(at, excluded.at), fetchedAt = excluded.fetchedAt, kind = excluded.kind, hit = excluded.hit
            """,
            .text(hit.id),
            .integer(at),
            .integer(fetchedAt),
            .text(hit.kind.text),
            .blob(hit.bytes)
        )
        let number = try database.first("SELECT number FROM seen WHERE id = ?", .text(hit.id)) { $0.integer(0) } ?? 0
        try database.run(
            """
            INSERT INTO seenBy (number, query, at) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET at = max(at, excluded.at)
            """,
            .integer(number),
            .integer(query),
            .integer(at)
        )
        if known?.bytes != hit.bytes {
            let tokens = Self.tokens(of: hit)
            try database.run(
                "INSERT INTO seenWords (rowid, tokens) VALUES (?, ?)",
                .integer(number),
                .text(tokens)
            )
        }
        return number
    }

    /// How many searches have brought a hit.
    func count(of number: Int64) throws(StorageError) -> Int {
        let sql: StaticString = "SELECT count(*) FROM seenBy WHERE number = ?"
        return try database.first(sql, .integer(number)) { Int($0.integer(0)) } ?? 0
    }

    // MARK: Removing

    /// Removes hits that no search has brought since an instant, and the oldest of what is too much.
    func expire(before instant: Int64) throws(StorageError) {
        let count = try database.first("SELECT count(*) FROM seen") { Int($0.integer(0)) } ?? 0
        var old: [Int64] = []
        try database.run(
            "SELECT number FROM seen WHERE at < ? ORDER BY at LIMIT ?",
            .integer(instant),
            .integer(Self.removedMax)
        ) { row throws(StorageError) in old.append(row.integer(0)) }
        if count - old.count > Self.hitsMax {
            old = []
            try database.run(
                "SELECT number FROM seen ORDER BY at LIMIT ?",
                .integer(min(Self.removedMax, count - Self.hitsMax))
            ) { row throws(StorageError) in old.append(row.integer(0)) }
        }
        for number in old { try remove(number) }
    }

    private func remove(_ number: Int64) throws(StorageError) {
        let bytes = try database.first("SELECT hit FROM seen WHERE number = ?", .integer(number)) { $0.blob(0) }
        if let hit = bytes.flatMap(Self.hit) { try unindex(hit, number) }
        try database.run("DELETE FROM seen WHERE number = ?", .integer(number))
        try database.run("DELETE FROM seenBy WHERE number = ?", .integer(number))
    }

    /// The index keeps no texts; it must be given what it was given.
    private func unindex(_ hit: SavedHit, _ number: Int64) throws(StorageError) {
        try database.run(
            "INSERT INTO seenWords (seenWords, rowid, tokens) VALUES ('delete', ?, ?)",
            .integer(number),
            .text(Self.tokens(of: hit))
        )
    }

    /// Removes what only the selected searches have brought, so that nothing of it is left in the blocks of the tables.
    ///
    /// As in the history, what stays is written anew; the index leaves out what was removed when its parts are merged.
    ///
    /// - Parameters:
    ///   - selection: Of the searches.
    ///   - erased: Learns which searches and hits are removed.
    /// - Throws: When that can't be written.
    /// - Complexity: O(n) in all that is there, unless nothing is removed.
    func erase(_ selection: HistorySelection, _ erased: inout ErasedSearches) throws(StorageError) {
        let (chosen, value): (StaticString, SQLValue) =
            switch selection {
            case .all: ("SELECT number, query FROM seenBy WHERE ? IS NULL", .null)
            case .query(let query): ("SELECT number, query FROM seenBy WHERE query = ?", .integer(query.digest))
            case .since(let instant): ("SELECT number, query FROM seenBy WHERE at >= ?", .integer(instant))
            }
        var rows: [(number: Int64, query: Int64)] = []
        try database.run(chosen, value) { row throws(StorageError) in
            rows.append((row.integer(0), row.integer(1)))
            erased.digests.insert(row.integer(1))
        }
        if case .all = selection {
            try database.run("SELECT id FROM seen") { row throws(StorageError) in erased.hits.append(row.text(0)) }
            return try makeAnew()
        }
        for row in rows {
            try database.run(
                "DELETE FROM seenBy WHERE number = ? AND query = ?",
                .integer(row.number),
                .integer(row.query)
            )
        }
        guard !rows.isEmpty else { return }
        for number in Set(rows.map(\.number)).sorted() {
            let isLeft = try database.first("SELECT 1 FROM seenBy WHERE number = ?", .integer(number)) { _ in true }
            guard isLeft == nil else { continue }
            let id = try database.first("SELECT id FROM seen WHERE number = ?", .integer(number)) { $0.text(0) }
            erased.hits += [id].compactMap(\.self)
            try remove(number)
        }
        try database.run("INSERT INTO seenWords (seenWords) VALUES ('optimize')")
        try database.run("ALTER TABLE seen RENAME TO seenBefore")
        try database.run("DROP INDEX seenByID")
        try database.run("DROP INDEX seenByTime")
        for statement in Self.created.prefix(3) { try database.run(statement) }
        try database.run("INSERT INTO seen SELECT * FROM seenBefore ORDER BY number")
        try database.run("DROP TABLE seenBefore")
    }

    private func makeAnew() throws(StorageError) {
        try database.run("DROP TABLE seenWords")
        try database.run("DROP TABLE seenBy")
        try database.run("DROP TABLE seen")
        for statement in Self.created { try database.run(statement) }
    }

    // MARK: Rows

    /// A hit that a search has brought since an instant.
    func hit(_ id: String, since instant: Int64) throws(StorageError) -> OwnHits.Hit? {
        try database.first("SELECT hit, fetchedAt FROM seen WHERE id = ? AND at >= ?", .text(id), .integer(instant)) {
            row in Self.hit(row.blob(0)).map { OwnHits.Hit(hit: $0, fetchedAt: row.integer(1)) }
        } ?? nil
    }

    static func hit(_ bytes: [UInt8]) -> SavedHit? {
        guard let document = try? JSONDocument(bytes) else { return nil }
        return try? SavedHit(document.root.value, path: "hit")
    }

    private static func tokens(of hit: SavedHit) -> String { IndexTokens(hit.texts).text }

    /// Takes over what can be read of another file.
    ///
    /// A hit of which no search can be read is left out: nothing would remove it when its search is removed.
    func takeOver(_ other: SeenTable) throws(StorageError) {
        for number in other.database.numbersToTry(in: "seen") {
            for row in other.readableRows(number) {
                try add(row.hit, fetchedAt: row.fetchedAt, query: row.query, at: row.at)
            }
        }
    }

    /// A hit with each search that is known to have brought it.
    private func readableRows(_ number: Int64) -> [(hit: SavedHit, fetchedAt: Int64, query: Int64, at: Int64)] {
        var rows: [(hit: SavedHit, fetchedAt: Int64, query: Int64, at: Int64)] = []
        // What was read before it fails is right.
        try? database.run(
            "SELECT hit, fetchedAt, query, seenBy.at, id FROM seen JOIN seenBy USING (number) WHERE number = ?",
            .integer(number)
        ) { row throws(StorageError) in
            guard let hit = Self.hit(row.blob(0)), hit.id.hasSameBytes(as: row.text(4)) else { return }
            rows.append((hit, row.integer(1), row.integer(2), row.integer(3)))
        }
        return rows
    }
}
