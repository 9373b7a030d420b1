import Hangul
import SearchModel
import Storage

/// The rows of one user's history; used by its store only, within a transaction where anything is written.
struct HistoryTable {
    static let entriesMax = 50_000
    /// Of the latest so many it is looked whether they match a prefix.
    static let lookedAtMax = 20_000

    static let created: StaticString = """
        CREATE TABLE history (
            number INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            count INTEGER NOT NULL,
            query TEXT NOT NULL,
            sources TEXT NOT NULL
        ) STRICT
        """
    static let indexed: [StaticString] = [
        "CREATE UNIQUE INDEX historyByQuery ON history (query)",
        "CREATE INDEX historyByTime ON history (at)",
    ]

    let database: Database

    /// Adds searches, in the order in which they came.
    func add(_ searches: [HistorySearch]) throws(StorageError) {
        for search in searches {
            try database.run(
                """
                INSERT INTO history (at, count, query, sources) VALUES (?, 1, ?, ?)
                ON CONFLICT (query) DO UPDATE SET at = excluded.at, count = count + 1, sources = excluded.sources
                """,
                .integer(try free(search.at)),
                .text(search.query.text),
                .text(search.sources.map(\.text).joined(separator: " "))
            )
        }
    }

    /// The instant, or the first one after it that no entry has, should there be one within a second.
    private func free(_ instant: Int64) throws(StorageError) -> Int64 {
        let last = try database.first(
            "SELECT max(at) FROM history WHERE at BETWEEN ? AND ?",
            .integer(instant),
            .integer(instant + 998)
        ) { $0.integer(0) }
        return max(instant, (last ?? 0) + 1)
    }

    /// Removes what is older than an instant, and the oldest of what is too much.
    func expire(before instant: Int64) throws(StorageError) {
        try database.run("DELETE FROM history WHERE at < ?", .integer(instant))
        let count = try database.first("SELECT count(*) FROM history") { Int($0.integer(0)) } ?? 0
        guard count > Self.entriesMax else { return }
        try database.run(
            "DELETE FROM history WHERE number IN (SELECT number FROM history ORDER BY at LIMIT ?)",
            .integer(count - Self.entriesMax)
        )
    }

    /// Entries that are not older than an instant, the latest first.
    func entries(_ query: HistoryQuery, since instant: Int64) throws(StorageError) -> [HistoryEntry] {
        let words = query.prefix.flatMap { TypedWords($0) }
        guard query.prefix == nil || words != nil else { return [] }
        var entries: [HistoryEntry] = []
        try database.run(
            "SELECT query, at, count, sources FROM history WHERE at >= ? AND at < ? ORDER BY at DESC LIMIT ?",
            .integer(instant),
            .integer(query.before ?? .max),
            .integer(words == nil ? query.limit : Self.lookedAtMax)
        ) { row throws(StorageError) in
            guard entries.count < query.limit else { return }
            let text = row.text(0)
            if let words, words.match(in: [FoldedText(text)], atWords: true) == nil { return }
            entries.append(
                HistoryEntry(
                    query: text,
                    at: row.integer(1),
                    count: Int(row.integer(2)),
                    sources: row.text(3).utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
                )
            )
        }
        return entries
    }

    /// Removes what is selected so that nothing of it is left in the blocks of the table.
    ///
    /// What SQLite removes from a block it overwrites; but when it spreads rows over blocks, copies of them stay
    /// behind, which are overwritten only with the whole block. So what stays is written anew.
    ///
    /// - Parameters:
    ///   - selection: Of the searches.
    ///   - erased: Learns how many are removed, and which.
    /// - Throws: When that can't be written.
    func erase(_ selection: HistorySelection, _ erased: inout ErasedSearches) throws(StorageError) {
        var (query, instant) = (SQLValue.null, SQLValue.null)
        switch selection {
        case .all: break
        case .query(let one): query = .text(one.text)
        case .since(let first): instant = .integer(first)
        }
        try database.run(
            "DELETE FROM history WHERE (?1 IS NULL OR query = ?1) AND (?2 IS NULL OR at >= ?2) RETURNING query",
            query,
            instant
        ) { row throws(StorageError) in
            erased.count += 1
            erased.digests.insert(SearchQuery.digest(of: row.text(0)))
        }
        try database.run("CREATE TEMP TABLE kept AS SELECT at, count, query, sources FROM history ORDER BY number")
        try database.run("DROP TABLE main.history")
        try database.run(Self.created)
        for index in Self.indexed { try database.run(index) }
        try database.run("INSERT INTO history (at, count, query, sources) SELECT * FROM kept")
        try database.run("DROP TABLE temp.kept")
    }

    /// Takes over what can be read of another file.
    func takeOver(_ other: HistoryTable) throws(StorageError) {
        for number in other.database.numbersToTry(in: "history") {
            guard let values = other.readableRow(number) else { continue }
            try database.run(
                "INSERT OR IGNORE INTO history (at, count, query, sources) VALUES (?, ?, ?, ?)",
                values: values
            )
        }
    }

    private func readableRow(_ number: Int64) -> [SQLValue]? {
        let row = try? database.first(
            "SELECT at, count, query, sources FROM history WHERE number = ?",
            .integer(number)
        ) {
            row -> [SQLValue]? in
            guard row.integer(0) > 0, row.integer(1) > 0, SearchQuery(row.text(2)) != nil else { return nil }
            return [.integer(row.integer(0)), .integer(row.integer(1)), .text(row.text(2)), .text(row.text(3))]
        }
        return (row ?? nil) ?? nil
    }
}
