import SearchModel
import Storage

/// A saved item that is to be looked up again.
package struct QueuedRefresh: Equatable, Sendable {
    /// The later it was saved, the higher.
    package let number: Int64
    package let id: String
}

/// The items that are to be looked up again, each once, by source.
struct RefreshTable {
    let database: Database

    /// The row of a saved item; its source is nil when no program of today could have written it.
    func item(_ id: String) throws(StorageError) -> (number: Int64, source: SourceName?)? {
        try database.first("SELECT number, source FROM items WHERE id = ?", .text(id)) { row in
            (row.integer(0), SourceName(row.text(1)))
        }
    }

    func add(_ number: Int64, of source: SourceName) throws(StorageError) {
        try database.run(
            "INSERT OR IGNORE INTO refreshes (number, source) VALUES (?, ?)",
            .integer(number),
            .text(source.text)
        )
    }

    /// Adds every item of these sources; how many that are, and how many others there are.
    func addAll(of sources: Set<SourceName>) throws(StorageError) -> (queued: Int, left: Int) {
        let names = LibraryQuery.list(sources.map(\.text))
        try database.run(
            """
            INSERT OR REPLACE INTO refreshes (number, source)
            SELECT number, source FROM items WHERE source IN (SELECT value FROM json_each(?))
            """,
            names
        )
        let queued = database.changes
        return (queued, try LibraryTable(database: database).count() - queued)
    }

    func end(_ id: String) throws(StorageError) {
        try database.run("DELETE FROM refreshes WHERE number = (SELECT number FROM items WHERE id = ?)", .text(id))
    }

    /// The sources of which something is queued.
    func sources() throws(StorageError) -> [SourceName] {
        try database.all("SELECT DISTINCT source FROM refreshes") { SourceName($0.text(0)) }.compactMap(\.self)
    }

    /// The first of a source's items after a number, and after the last again the first; nil when there is none.
    func next(of source: SourceName, after number: Int64) throws(StorageError) -> QueuedRefresh? {
        if let next = try first(of: source, after: number) { return next }
        return try first(of: source, after: 0)
    }

    private func first(of source: SourceName, after number: Int64) throws(StorageError) -> QueuedRefresh? {
        try database.first(
            """
            SELECT number, id FROM refreshes JOIN items USING (number)
            WHERE refreshes.source = ? AND number > ? ORDER BY number LIMIT 1
            """,
            .text(source.text),
            .integer(number)
        ) { QueuedRefresh(number: $0.integer(0), id: $0.text(1)) }
    }
}
