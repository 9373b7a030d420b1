import SearchModel
import Storage

/// The queue of items to refresh; each item is at most once in the queue.
package struct RefreshTable {
    /// An item that was saved later has a higher number.
    package typealias Next = (number: Int64, id: String)

    let database: Database

    /// Queues the items with these ids (if `ids` is nil, all items of the sources), and returns how many it queued.
    func add(_ ids: [String]?, of sources: Set<SourceName>) throws(StorageError) -> Int {
        try database.run(
            """
            INSERT OR REPLACE INTO refreshes (number, source)
            SELECT number, source FROM items
            WHERE source IN (SELECT value FROM json_each(?1))
                AND (?2 IS NULL OR id IN (SELECT value FROM json_each(?2)))
            """,
            LibraryQuery.list(sources.map(\.text)),
            LibraryQuery.list(ids)
        )
        return database.changes
    }

    func end(_ id: String) throws(StorageError) {
        try database.run("DELETE FROM refreshes WHERE number = (SELECT number FROM items WHERE id = ?)", .text(id))
    }

    func sources() throws(StorageError) -> [SourceName] {
        try database.all("SELECT DISTINCT source FROM refreshes") { SourceName($0.text(0)) }.compactMap(\.self)
    }

    /// Returns the next queued item of the source, or the first one if no item follows `number`.
    func next(of source: SourceName, after number: Int64) throws(StorageError) -> Next? {
        let next = try database.first(
            """
            SELECT number, id FROM refreshes JOIN items USING (number)
            WHERE refreshes.source = ? AND number > ? ORDER BY number LIMIT 1
            """,
            .text(source.text),
            .integer(number)
        ) { ($0.integer(0), $0.text(1)) }
        return if next == nil, number > 0 { try self.next(of: source, after: 0) } else { next }
    }
}
