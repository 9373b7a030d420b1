import Storage

/// Reading as much as can be read.
extension LibraryTable {
    /// So far are the revisions of a file that takes another's over from those of the other, whose last ones may be lost.
    static let revisionLeap: Int64 = 1 << 20

    /// Takes over the items of another file; see `PersonalTables`.
    func takeOver(_ other: LibraryTable, after known: Int64) throws(StorageError) -> Int {
        let readable = max(known, (try? other.revision()) ?? 0, (try? other.latestItemRevision()) ?? 0)
        let revision = readable + Self.revisionLeap
        var failure: StorageError?
        // What is damaged ends the reading; so it is done from both ends.
        other.readItems { item in
            guard failure == nil else { return }
            do throws(StorageError) {
                if try self.item(item.id) == nil {
                    let number = try insert(item, revision)
                    try IndexBacklog.index(number, item.indexTokens, in: database)
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        try database.run(
            "UPDATE state SET revision = ?1, forgotten = ?1, indexed = ?2",
            .integer(revision),
            .integer(numberMax())
        )
        memory.backlog = nil
        return try count()
    }

    private func latestItemRevision() throws(StorageError) -> Int64 {
        try database.first("SELECT max(revision) FROM items") { $0.integer(0) } ?? 0
    }

    private func readItems(_ body: (SavedItem) -> Void) {
        try? database.run("SELECT item FROM items ORDER BY number") { row throws(StorageError) in
            if let item = Self.item(row.blob(0)) { body(item) }
        }
        try? database.run("SELECT item FROM items ORDER BY number DESC") { row throws(StorageError) in
            if let item = Self.item(row.blob(0)) { body(item) }
        }
    }
}
