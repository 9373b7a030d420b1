import Hangul
import JSON
import SearchModel
import Storage

/// The rows of one user's library; writing needs a transaction.
struct LibraryTable {
    /// A larger library can be read, but not extended.
    static let itemsMax = 100_000
    /// The ids of this many removed items are kept for clients that subscribe to the library.
    static let removedMax = 10_000
    private static let changesStep = 50
    /// Added to the revision after a loss of data, so that it exceeds every revision that a client knows.
    private static let revisionLeap: Int64 = 1 << 20

    let database: Database

    var words: WordIndex { WordIndex(database: database, table: "words") }

    func revision() throws(StorageError) -> Int64 {
        try database.first("SELECT revision FROM state") { $0.integer(0) } ?? 0
    }

    func setRevision(_ revision: Int64) throws(StorageError) {
        try database.run("UPDATE state SET revision = ? WHERE rowid = 1", .integer(revision))
    }

    /// Forces every client to read everything again.
    func leap(after known: Int64) throws(StorageError) {
        let revision = max(try revision(), known) + Self.revisionLeap
        try database.run("UPDATE state SET revision = ?1, forgotten = ?1", .integer(revision))
    }

    func hasRoom(for count: Int) throws(StorageError) -> Bool {
        // Numbers are assigned in order, so the highest number is an upper bound of the count.
        let highest = try database.first("SELECT max(number) FROM items") { Int($0.integer(0)) } ?? 0
        if highest + count <= Self.itemsMax { return true }
        return try self.count() + count <= Self.itemsMax
    }

    func count() throws(StorageError) -> Int {
        try database.first("SELECT count(*) FROM items") { Int($0.integer(0)) } ?? 0
    }

    func item(_ id: String) throws(StorageError) -> SavedItem? {
        try row(id).flatMap { Self.item($0.kept) }
    }

    private func row(_ id: String) throws(StorageError) -> (number: Int64, kept: [UInt8])? {
        try database.first("SELECT number, item, isIntact FROM checkedItems WHERE id = ?", .text(id)) {
            row throws(StorageError) in
            guard row.bool(2) else { throw StorageError.damagedRow(database.path) }
            return (row.integer(0), row.blob(1))
        }
    }

    func kept(_ number: Int64) throws(StorageError) -> [UInt8]? {
        try database.first("SELECT item, isIntact FROM checkedItems WHERE number = ?", .integer(number)) {
            row throws(StorageError) in
            guard row.bool(1) else { throw StorageError.damagedRow(database.path) }
            return row.blob(0)
        }
    }

    static func item(_ bytes: [UInt8]) -> SavedItem? {
        guard let document = try? JSONDocument(bytes) else { return nil }
        return try? SavedItem(document.root.value, savedNow: 0, path: "item")
    }

    func ids() throws(StorageError) -> SavedIDs {
        var ids = SavedIDs()
        try database.run("SELECT id FROM items") { row throws(StorageError) in ids.insert(row.text(0)) }
        return ids
    }

    /// Returns nil if the client must read everything again.
    func changes(after position: LibraryPosition, bytesMax: Int) throws(StorageError) -> LibraryChanges? {
        let forgotten = try database.first("SELECT forgotten FROM state") { $0.integer(0) } ?? 0
        let current = try revision()
        let isKnown = position.revision == 0 || (forgotten...max(forgotten, current)).contains(position.revision)
        guard position.isStart ? isKnown : position.forgotten == forgotten else { return nil }
        var change = LibraryChange(revision: current)
        if position.isStart, position.revision > 0 {
            change.deleted = try database.all(
                "SELECT id FROM removed WHERE revision > ? ORDER BY revision, id",
                .integer(position.revision)
            ) { $0.text(0) }
        }
        var (last, bytes, isComplete) = (position, 0, false)
        while !isComplete, bytes < bytesMax {
            var count = 0
            try database.run(
                """
                SELECT revision, number, insertedBy, item, isIntact FROM checkedItems WHERE (revision, number) > (?, ?)
                ORDER BY revision, number LIMIT ?
                """,
                .integer(last.revision),
                .integer(last.number),
                .integer(Self.changesStep)
            ) { row throws(StorageError) in
                guard row.bool(4) else { throw StorageError.damagedRow(database.path) }
                count += 1
                last = LibraryPosition(
                    revision: row.integer(0),
                    number: row.integer(1),
                    began: position.began,
                    forgotten: forgotten
                )
                guard let item = Self.item(row.blob(3)) else { return }
                bytes += item.bytes
                if row.integer(2) > position.began { change.inserted.append(item) } else { change.updated.append(item) }
            }
            isComplete = count < Self.changesStep
        }
        guard !isComplete else { return LibraryChanges(change: change, next: nil) }
        change.revision = max(position.began, last.revision - 1)
        return LibraryChanges(change: change, next: last)
    }

    // The statements below must not open a savepoint: at each savepoint, SQLite writes the full-text index.
    // So the statements have no RETURNING clause, and each UPDATE changes one row by its number.

    func insert(_ item: SavedItem, _ revision: Int64) throws(StorageError) {
        let document = item.jsonBytes
        try database.run("DELETE FROM removed WHERE id = ?", .text(item.id))
        try database.run(
            """
            INSERT INTO items
                (id, insertedBy, revision, kind, source, genre, savedAt, published, rating, title, item, sum)
            VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, checksum(?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10))
            """,
            values: [.text(item.id), .integer(revision)] + Self.columns(of: item, document)
        )
        try index(item, document, as: database.lastNumber)
    }

    func update(_ item: SavedItem, _ revision: Int64) throws(StorageError) {
        guard let (number, old) = try row(item.id) else { return }
        let document = item.jsonBytes
        try database.run(
            """
            UPDATE items SET revision = ?2, kind = ?3, source = ?4, genre = ?5, savedAt = ?6, published = ?7,
                rating = ?8, title = ?9, item = ?10,
                sum = checksum(id, insertedBy, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            WHERE number = ?1
            """,
            values: [.integer(number), .integer(revision)] + Self.columns(of: item, document)
        )
        guard SavedItem.texts(of: old) != SavedItem.texts(of: document) else { return }
        try words.remove(old, of: number)
        try database.run("DELETE FROM tags WHERE number = ?", .integer(number))
        try index(item, document, as: number)
    }

    private static func columns(of item: SavedItem, _ document: [UInt8]) -> [SQLValue] {
        [
            .text(item.hit.kind.text),
            .text(item.hit.source.text),
            .text(item.hit.genre),
            .integer(item.savedAt),
            item.hit.published.map { .integer($0) } ?? .null,
            item.rating.map { .integer($0) } ?? .null,
            .blob(TitleOrder(item.hit.title).bytes),
            .blob(document),
        ]
    }

    func remove(_ id: String, _ revision: Int64) throws(StorageError) {
        guard let (number, kept) = try row(id) else { return }
        try words.remove(kept, of: number)
        try database.run("DELETE FROM items WHERE number = ?", .integer(number))
        try database.run("INSERT INTO removed (id, revision) VALUES (?, ?)", .text(id), .integer(revision))
    }

    func forgetRemoved() throws(StorageError) {
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

    private func index(_ item: SavedItem, _ document: [UInt8], as number: Int64) throws(StorageError) {
        for tag in item.tags {
            try database.run(
                "INSERT INTO tags VALUES (?, ?, ?)",
                .integer(number),
                .text(tag.folded),
                .text(tag.text)
            )
        }
        try words.add(document, as: number)
    }

    func rebuildIndex() throws(StorageError) {
        try words.removeAll()
        try database.run("DELETE FROM tags")
        for number in try database.all("SELECT number FROM items", read: { $0.integer(0) }) {
            let document = try database.first("SELECT item FROM items WHERE number = ?", .integer(number)) {
                $0.blob(0)
            }
            if let document, let item = Self.item(document) { try index(item, document, as: number) }
        }
    }
}
