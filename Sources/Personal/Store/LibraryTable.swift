import Hangul
import JSON
import SearchModel
import Storage

/// The rows of one user's library; used within a transaction where anything is written.
///
/// Invariant: each revision has changed something, and is that of every item it changed and of every id it removed,
/// until a later one changes them again. Every item is in the index of words.
struct LibraryTable {
    /// A larger library opens, lists and exports; only new items are refused.
    static let itemsMax = 100_000
    /// Of removed items the latest are remembered for those who follow changes.
    static let removedMax = 10_000
    /// How many changed items are read at a time.
    private static let changesStep = 50
    /// How far revisions jump when items may be missing or older than before: nobody was told a later one.
    private static let revisionLeap: Int64 = 1 << 20

    let database: Database

    func revision() throws(StorageError) -> Int64 {
        try database.first("SELECT revision FROM state") { $0.integer(0) } ?? 0
    }

    func setRevision(_ revision: Int64) throws(StorageError) {
        try database.run("UPDATE state SET revision = ? WHERE rowid = 1", .integer(revision))
    }

    /// Raises the revision above all earlier ones, so that every follower has to read everything again.
    func leap(after known: Int64) throws(StorageError) {
        let revision = max(try revision(), known) + Self.revisionLeap
        try database.run("UPDATE state SET revision = ?1, forgotten = ?1", .integer(revision))
    }

    /// Whether so many more items can be saved.
    func hasRoom(for count: Int) throws(StorageError) -> Bool {
        // Numbers are given in order, so there are no more items than the highest says.
        let highest = try database.first("SELECT max(number) FROM items") { Int($0.integer(0)) } ?? 0
        if highest + count <= Self.itemsMax { return true }
        return try self.count() + count <= Self.itemsMax
    }

    /// - Complexity: O(n) in the items.
    func count() throws(StorageError) -> Int {
        try database.first("SELECT count(*) FROM items") { Int($0.integer(0)) } ?? 0
    }

    // MARK: Reading items

    /// - Throws: `damagedRow` when it is not as it was written.
    func item(_ id: String) throws(StorageError) -> SavedItem? {
        try row(id).flatMap(\.item)
    }

    /// An item with its number; the item is nil when this program can't read it.
    func row(_ id: String) throws(StorageError) -> (number: Int64, item: SavedItem?)? {
        try database.first("SELECT number, item, isIntact FROM checkedItems WHERE id = ?", .text(id)) {
            row throws(StorageError) in
            guard row.bool(2) else { throw StorageError.damagedRow(database.path) }
            return (row.integer(0), Self.item(row.blob(1)))
        }
    }

    /// The item with a number, as it is kept.
    func kept(_ number: Int64) throws(StorageError) -> KeptItem? {
        let kept = try database.first("SELECT item, isIntact FROM checkedItems WHERE number = ?", .integer(number)) {
            row throws(StorageError) in
            guard row.bool(1) else { throw StorageError.damagedRow(database.path) }
            return KeptItem(row.blob(0))
        }
        return kept ?? nil
    }

    static func item(_ bytes: [UInt8]) -> SavedItem? {
        guard let document = try? JSONDocument(bytes) else { return nil }
        return try? SavedItem(document.root.value, savedNow: 0, path: "item")
    }

    func savedIDs() throws(StorageError) -> SavedIDs {
        var ids = SavedIDs()
        try database.run("SELECT id FROM items") { row throws(StorageError) in ids.insert(row.text(0)) }
        return ids
    }

    /// A part of what is different from a position on; nil when its revision is not known any more, or not yet.
    func changes(after position: LibraryPosition, bytesMax: Int) throws(StorageError) -> LibraryChanges? {
        let forgotten = try database.first("SELECT forgotten FROM state") { $0.integer(0) } ?? 0
        let current = try revision()
        let isKnown = position.revision == 0 || (forgotten...max(forgotten, current)).contains(position.revision)
        guard position.isStart ? isKnown : position.forgotten == forgotten else { return nil }
        var change = LibraryChange(revision: current)
        // Those who begin with nothing have nothing to remove.
        if position.isStart, position.revision > 0 { change.deleted = try removed(since: position.revision) }
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
        // Of the last revision something may be missing.
        change.revision = max(position.began, last.revision - 1)
        return LibraryChanges(change: change, next: last)
    }

    private func removed(since revision: Int64) throws(StorageError) -> [String] {
        var ids: [String] = []
        try database.run(
            "SELECT id FROM removed WHERE revision > ? ORDER BY revision, id",
            .integer(revision)
        ) { row throws(StorageError) in ids.append(row.text(0)) }
        return ids
    }

    // MARK: Writing items

    // No statement for an item opens a savepoint, as a RETURNING clause does, or an UPDATE that doesn't name its row: each
    // would make SQLite write the index of words out, so that items in one commit would not share the cost of that.

    /// Writes a new item.
    func insert(_ item: SavedItem, _ revision: Int64) throws(StorageError) {
        try database.run("DELETE FROM removed WHERE id = ?", .text(item.id))
        try database.run(
            """
            INSERT INTO items
                (id, insertedBy, revision, kind, source, genre, savedAt, published, rating, title, item, sum)
            VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, checksum(?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10))
            """,
            values: [.text(item.id), .integer(revision)] + Self.columns(of: item)
        )
        let number = database.lastNumber
        try file(item, as: number)
        try index(number, item.indexTokens)
    }

    /// Writes the changed state of an item.
    func update(_ item: SavedItem, _ revision: Int64) throws(StorageError) {
        guard let row = try row(item.id) else { return }
        if let old = row.item { try unindex(row.number, old.indexTokens) }
        try replace(item, as: row.number, revision)
        try index(row.number, item.indexTokens)
    }

    /// Writes an item over the row with a number, whatever that row has; not its words.
    func replace(_ item: SavedItem, as number: Int64, _ revision: Int64) throws(StorageError) {
        try database.run(
            """
            UPDATE items SET id = ?11, revision = ?2, kind = ?3, source = ?4, genre = ?5, savedAt = ?6, published = ?7,
                rating = ?8, title = ?9, item = ?10,
                sum = checksum(?11, insertedBy, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            WHERE number = ?1
            """,
            values: [.integer(number), .integer(revision)] + Self.columns(of: item) + [.text(item.id)]
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

    /// Writes the tags of an item whose row has none.
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

    /// Removes an item, and remembers that for followers.
    func remove(_ id: String, _ revision: Int64) throws(StorageError) {
        guard let row = try row(id) else { return }
        if let item = row.item { try unindex(row.number, item.indexTokens) }
        try database.run("DELETE FROM items WHERE number = ?", .integer(row.number))
        try database.run("INSERT INTO removed (id, revision) VALUES (?, ?)", .text(id), .integer(revision))
    }

    /// Forgets the removed items that are too many, oldest first.
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

    // MARK: The index of words

    private func index(_ number: Int64, _ tokens: String) throws(StorageError) {
        try database.run("INSERT INTO words (rowid, tokens) VALUES (?, ?)", .integer(number), .text(tokens))
    }

    /// The index keeps no texts; it must be given what it was given.
    private func unindex(_ number: Int64, _ tokens: String) throws(StorageError) {
        try database.run(
            "INSERT INTO words (words, rowid, tokens) VALUES ('delete', ?, ?)",
            .integer(number),
            .text(tokens)
        )
    }

    /// Whether older programs have left no items out.
    func isIndexComplete() throws(StorageError) -> Bool {
        try database.first("SELECT indexed FROM state") { $0.integer(0) == .max } ?? false
    }

    /// Indexes the items that an older program had left for later.
    func completeIndex() throws(StorageError) {
        guard try !isIndexComplete() else { return }
        try database.transaction { () throws(StorageError) in
            try database.run(
                "SELECT number, item FROM items WHERE number > (SELECT indexed FROM state) ORDER BY number"
            ) { row throws(StorageError) in
                guard let item = try? JSONDocument(row.blob(1)).root else { return }
                let texts = [SavedItem.title(of: item)] + SavedItem.otherTexts(of: item)
                try index(row.integer(0), IndexTokens(texts).text)
            }
            try database.run("UPDATE state SET indexed = ?", .integer(Int64.max))
        }
    }
}

extension SavedItem {
    /// What the index is given of it.
    package var indexTokens: String { IndexTokens(texts).text }
}
