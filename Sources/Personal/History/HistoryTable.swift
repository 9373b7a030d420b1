import Hangul
import SearchModel
import Storage

/// The rows of one user's history; writing needs a transaction.
struct HistoryTable {
    static let entriesMax = 50_000
    static let lookedAtMax = 20_000

    let database: Database

    func add(_ searches: [HistorySearch]) throws(StorageError) {
        for search in searches {
            try database.run(
                """
                INSERT INTO history (at, count, query, sources, sum) VALUES (?1, 1, ?2, ?3, checksum(?2, ?1, 1, ?3))
                ON CONFLICT (query, sources) DO UPDATE
                SET at = ?1, count = count + 1, sum = checksum(query, ?1, count + 1, sources)
                """,
                .integer(try free(search.at)),
                .text(search.query.text),
                .text(search.sources.joined(separator: " "))
            )
        }
    }

    /// Returns `instant`, or the next later time that no entry has.
    private func free(_ instant: Int64) throws(StorageError) -> Int64 {
        let last = try database.first(
            """
            SELECT at FROM history AS entry
            WHERE at >= (SELECT max(at) FROM history WHERE at BETWEEN ?1 AND ?1 + 998)
                AND NOT EXISTS (SELECT 1 FROM history WHERE at = entry.at + 1) ORDER BY at LIMIT 1
            """,
            .integer(instant)
        ) { $0.integer(0) }
        return max(instant, (last ?? 0) + 1)
    }

    /// Removes entries before `instant` (milliseconds since 1970), and the oldest entries above the limit.
    func expire(before instant: Int64) throws(StorageError) {
        try database.run(
            "DELETE FROM history WHERE at < ? OR at <= (SELECT at FROM history ORDER BY at DESC LIMIT 1 OFFSET ?)",
            .integer(instant),
            .integer(Self.entriesMax)
        )
    }

    func entries(_ query: HistoryQuery, since instant: Int64) throws(StorageError) -> [HistoryEntry] {
        let words = query.prefix.flatMap { TypedWords($0) }
        guard query.prefix == nil || words != nil else { return [] }
        var entries: [HistoryEntry] = []
        try database.run(
            """
            SELECT query, at, count, sources, isIntact FROM checkedHistory
            WHERE at >= ? AND at < ? ORDER BY at DESC LIMIT ?
            """,
            .integer(instant),
            .integer(query.before ?? .max),
            .integer(words == nil ? query.limit : Self.lookedAtMax)
        ) { row throws(StorageError) in
            guard entries.count < query.limit else { return }
            guard row.bool(4) else { throw StorageError.damagedRow(database.path) }
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

    func erase(_ selection: HistorySelection) throws(StorageError) -> Int {
        switch selection {
        case .all: try database.run("DELETE FROM history WHERE TRUE")
        case .query(let query): try database.run("DELETE FROM history WHERE query = ?", .text(query.text))
        case .since(let instant): try database.run("DELETE FROM history WHERE at >= ?", .integer(instant))
        }
        return database.changes
    }
}
