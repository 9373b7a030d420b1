import Hangul
import JSON
import SearchModel
import Storage

/// Writing single items of a library.
extension LibraryTable {
    /// Writes an item that is not there as it is from a revision on.
    ///
    /// No statement for an item opens a savepoint, as a RETURNING clause does, or an UPDATE that doesn't name its row: at
    /// each the index of words is written out, so that items that share a commit would not share the cost of that.
    ///
    /// - Parameters:
    ///   - item: Of which nothing is there.
    ///   - revision: That of the change.
    /// - Returns: Its number.
    /// - Throws: When the file can't be written.
    func insert(_ item: SavedItem, _ revision: Int64) throws(StorageError) -> Int64 {
        try database.run(
            """
            INSERT INTO items
                (id, insertedBy, revision, kind, source, genre, savedAt, published, rating, title, item)
            VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """,
            values: [.text(item.id), .integer(revision)] + Self.columns(of: item)
        )
        let number = database.lastNumber
        try index(item, as: number)
        return number
    }

    /// Writes what a change has made of an item.
    func update(_ item: SavedItem, _ revision: Int64) throws(StorageError) {
        guard let number = try unindex(item.id) else { return }
        try database.run(
            """
            UPDATE items SET revision = ?2, kind = ?3, source = ?4, genre = ?5, savedAt = ?6, published = ?7,
                rating = ?8, title = ?9, item = ?10
            WHERE number = ?1
            """,
            values: [.integer(number), .integer(revision)] + Self.columns(of: item)
        )
        try index(item, as: number)
    }

    private static func columns(of item: SavedItem) -> [SQLValue] {
        [
            .text(item.hit.kind.text),
            .text(item.hit.source.text),
            .text(item.hit.genre),
            .integer(item.savedAt),
            item.hit.published.map { .integer($0) } ?? .null,
            item.rating.map { .integer($0) } ?? .null,
            .blob(TitleOrder(item.hit.title).bytes),
            .blob(item.json.bytes),
        ]
    }

    private func index(_ item: SavedItem, as number: Int64) throws(StorageError) {
        for tag in item.tags {
            try database.run(
                "INSERT INTO tags VALUES (?, ?, ?)",
                .integer(number),
                .text(tag.folded),
                .text(tag.text)
            )
        }
        try database.run(
            "INSERT INTO words (rowid, tokens) VALUES (?, ?)",
            .integer(number),
            .text(item.indexTokens)
        )
    }

    func hasRemoved() throws(StorageError) -> Bool {
        try database.first("SELECT 1 FROM removed LIMIT 1") { _ in true } ?? false
    }

    /// An item that was removed is there again.
    func unremove(_ id: String) throws(StorageError) {
        try database.run("DELETE FROM removed WHERE id = ?", .text(id))
    }

    /// Removes an item, and remembers that.
    func remove(_ id: String, _ revision: Int64) throws(StorageError) {
        guard let number = try unindex(id) else { return }
        try database.run("DELETE FROM items WHERE number = ?", .integer(number))
        try database.run("INSERT INTO removed (id, revision) VALUES (?, ?)", .text(id), .integer(revision))
    }

    /// Takes an item out of the index and the tags; to be called while its row is as it was indexed.
    ///
    /// - Returns: Its number; nil when there is no such item.
    private func unindex(_ id: String) throws(StorageError) -> Int64? {
        let row = try database.first("SELECT number, item FROM items WHERE id = ?", .text(id)) { row in
            (number: row.integer(0), item: Self.item(row.blob(1)))
        }
        guard let row else { return nil }
        guard let item = row.item else { return row.number }
        // The index keeps no texts; it must be given what it was given.
        try database.run(
            "INSERT INTO words (words, rowid, tokens) VALUES ('delete', ?, ?)",
            .integer(row.number),
            .text(item.indexTokens)
        )
        try database.run("DELETE FROM tags WHERE number = ?", .integer(row.number))
        return row.number
    }

    /// Forgets the removed items that are too many, oldest first.
    func forget() throws(StorageError) {
        let count = try database.first("SELECT count(*) FROM removed") { Int($0.integer(0)) } ?? 0
        guard count > Self.removedMax else { return }
        let last = try database.first(
            "SELECT revision FROM removed ORDER BY revision DESC LIMIT 1 OFFSET ?",
            .integer(Self.removedMax / 2)
        ) { $0.integer(0) }
        guard let last else { return }
        try database.run("DELETE FROM removed WHERE revision <= ?", .integer(last))
        try database.run("UPDATE state SET forgotten = ?", .integer(last))
    }
}

extension SavedItem {
    /// What the index is given of it.
    package var indexTokens: String { IndexTokens(texts).text }
}
