import Hangul
import JSON
import SearchModel
import Storage

/// Writing single items of a library.
extension LibraryTable {
    /// Writes an item that is not there as it is from a revision on.
    ///
    /// No statement for an item opens a savepoint, as a RETURNING clause does, or an UPDATE that doesn't name its row:
    /// at each the index of words is written out, so that items that share a commit would not share the cost of that.
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
        try file(item, as: number)
        return number
    }

    /// Writes what a change has made of an item that is there.
    func update(_ item: SavedItem, _ number: Int64, _ revision: Int64) throws(StorageError) {
        try database.run(
            """
            UPDATE items SET revision = ?2, kind = ?3, source = ?4, genre = ?5, savedAt = ?6, published = ?7,
                rating = ?8, title = ?9, item = ?10
            WHERE number = ?1
            """,
            values: [.integer(number), .integer(revision)] + Self.columns(of: item)
        )
        try database.run("DELETE FROM tags WHERE number = ?", .integer(number))
        try file(item, as: number)
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
            .blob(item.jsonBytes),
        ]
    }

    /// Writes the tags of an item that has none here.
    private func file(_ item: SavedItem, as number: Int64) throws(StorageError) {
        for tag in item.tags {
            try database.run(
                "INSERT INTO tags VALUES (?, ?, ?)",
                .integer(number),
                .text(tag.folded),
                .text(tag.text)
            )
        }
    }

    func hasRemoved() throws(StorageError) -> Bool {
        try database.first("SELECT 1 FROM removed LIMIT 1") { _ in true } ?? false
    }

    /// An item that was removed is there again.
    func unremove(_ id: String) throws(StorageError) {
        try database.run("DELETE FROM removed WHERE id = ?", .text(id))
    }

    /// Removes an item, and remembers that.
    func remove(_ id: String, _ number: Int64, _ revision: Int64) throws(StorageError) {
        try database.run("DELETE FROM items WHERE number = ?", .integer(number))
        try database.run("INSERT INTO removed (id, revision) VALUES (?, ?)", .text(id), .integer(revision))
    }

    /// An item with its number; the item is nil when no program of today could have written it.
    func row(_ id: String) throws(StorageError) -> (number: Int64, item: SavedItem?)? {
        try database.first("SELECT number, item FROM items WHERE id = ?", .text(id)) { row in
            (row.integer(0), Self.item(row.blob(1)))
        }
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

    /// The same of an item as it is kept.
    static func indexTokens(of item: JSONCursor) -> String {
        IndexTokens([title(of: item)] + otherTexts(of: item)).text
    }
}
