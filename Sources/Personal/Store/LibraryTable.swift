import JSON
import SearchModel
import Storage

/// The rows of one user's library; used by its store only, within a transaction where anything is written.
///
/// Invariant: each revision has changed something, and is that of every item it changed and of every id it removed, until
/// a later one changes them again.
struct LibraryTable {
    static let itemsMax = 250_000
    /// Of removed items the latest are remembered for those who follow changes.
    static let removedMax = 10_000

    let database: Database

    init(_ database: Database) throws(StorageError) {
        self.database = database
        // What a listing has found while its page is read; in memory.
        try database.run(
            "CREATE TEMP TABLE IF NOT EXISTS found (number INTEGER PRIMARY KEY, position INTEGER NOT NULL)"
        )
    }

    func revision() throws(StorageError) -> Int64 {
        try database.first("SELECT revision FROM state") { $0.integer(0) } ?? 0
    }

    func count() throws(StorageError) -> Int {
        try database.first("SELECT count(*) FROM items") { Int($0.integer(0)) } ?? 0
    }

    func item(_ id: String) throws(StorageError) -> SavedItem? {
        try database.first("SELECT item FROM items WHERE id = ?", .text(id)) { Self.item($0.blob(0)) } ?? nil
    }

    func savedIDs() throws(StorageError) -> SavedIDs {
        var ids = SavedIDs()
        try database.run("SELECT id FROM items") { row throws(StorageError) in ids.insert(row.text(0)) }
        return ids
    }

    /// What is different from a revision on, as one change; nil when that is not known any more, or not yet.
    func changes(since revision: Int64) throws(StorageError) -> LibraryChange? {
        let forgotten = try database.first("SELECT forgotten FROM state") { $0.integer(0) } ?? 0
        let current = try self.revision()
        guard revision == 0 || (forgotten...max(forgotten, current)).contains(revision) else { return nil }
        return try changes(since: revision, current)
    }

    private func changes(since revision: Int64, _ current: Int64) throws(StorageError) -> LibraryChange {
        var change = LibraryChange(revision: current)
        try database.run(
            "SELECT insertedBy, item FROM items WHERE revision > ? ORDER BY revision, number",
            .integer(revision)
        ) { row throws(StorageError) in
            guard let item = Self.item(row.blob(1)) else { return }
            if row.integer(0) > revision { change.inserted.append(item) } else { change.updated.append(item) }
        }
        guard revision > 0 else { return change }
        try database.run(
            "SELECT id FROM removed WHERE revision > ? ORDER BY revision, id",
            .integer(revision)
        ) { row throws(StorageError) in change.deleted.append(row.text(0)) }
        return change
    }

    static func item(_ bytes: [UInt8]) -> SavedItem? {
        guard let document = try? JSONDocument(bytes) else { return nil }
        return try? SavedItem(document.root.value, savedNow: 0, path: "item")
    }
}
