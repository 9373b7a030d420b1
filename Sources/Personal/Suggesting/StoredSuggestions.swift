import JSON
import SearchModel
import Storage

extension SuggestionIndex {
    private static let loadedMax = entriesMax * 7 / 8

    /// Reads the suggestions from a user's file; `oldest` (milliseconds since 1970) does not apply to saved titles.
    init(_ database: Database, since oldest: Int64) throws(StorageError) {
        self.init()
        // A query has found something if one of its hits is stored.
        let found = Set(try database.all("SELECT DISTINCT query FROM seenBy") { $0.integer(0) })
        try database.run(
            "SELECT query, sum(count), max(at) FROM history WHERE at >= ? GROUP BY query ORDER BY 3 DESC LIMIT ?",
            .integer(oldest),
            .integer(Self.loadedMax)
        ) { row throws(StorageError) in
            let query = row.text(0)
            apply(.title(Suggestion(query, .history, count: Int(row.integer(1)), at: row.integer(2))))
            if found.contains(SearchQuery.digest(of: query)) { apply(.found(query)) }
        }
        try readTitles(
            .saved,
            "SELECT item, 1, savedAt * 1000 FROM items ORDER BY savedAt DESC LIMIT ?",
            .integer(max(0, Self.loadedMax - count)),
            in: database
        )
        try readTitles(
            .title,
            """
            SELECT hit, (SELECT count(*) FROM seenBy WHERE seenBy.number = seen.number), at FROM seen
            WHERE at >= ?2 ORDER BY at DESC LIMIT ?1
            """,
            .integer(max(0, Self.loadedMax - count)),
            .integer(oldest),
            in: database
        )
    }

    private mutating func readTitles(
        _ kind: Suggestion.Kind,
        _ statement: String,
        _ values: SQLValue...,
        in database: Database
    ) throws(StorageError) {
        try database.run(statement, values: values) { row throws(StorageError) in
            guard let title = (try? JSONDocument(row.blob(0)))?.root[.title]?.string else { return }
            let suggestion = Suggestion(title: title, kind, count: Int(row.integer(1)), at: row.integer(2))
            apply(.title(suggestion, isNewItem: kind == .saved))
        }
    }
}
