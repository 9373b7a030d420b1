import JSON
import SearchModel
import Storage

/// The rows of one user's library; used by its store only, within a transaction where anything is written.
///
/// Invariant: each revision has changed something, and is that of every item it changed and of every id it removed,
/// until a later one changes them again.
struct LibraryTable {
    static let itemsMax = 250_000
    /// Of removed items the latest are remembered for those who follow changes.
    static let removedMax = 10_000
    /// How many changed items are read at a time.
    private static let changesStep = 50

    let database: Database
    let memory = Memory()

    /// What is known of the file without reading it.
    final class Memory {
        var backlog: IndexBacklog?
        /// The latest that was read, or is committed.
        var revision: Int64 = 0
    }

    init(_ database: Database) throws(StorageError) {
        self.database = database
        // What a listing has found while its page is read; in memory.
        try database.run(
            "CREATE TEMP TABLE IF NOT EXISTS found (number INTEGER PRIMARY KEY, position INTEGER NOT NULL)"
        )
    }

    func revision() throws(StorageError) -> Int64 {
        memory.revision = try database.first("SELECT revision FROM state") { $0.integer(0) } ?? 0
        return memory.revision
    }

    func setRevision(_ revision: Int64) throws(StorageError) {
        try database.run("UPDATE state SET revision = ? WHERE rowid = 1", .integer(revision))
    }

    /// The highest number of an item; 0 when there is none.
    func numberMax() throws(StorageError) -> Int64 {
        try database.first("SELECT max(number) FROM items") { $0.integer(0) } ?? 0
    }

    /// Whether so many more items can be saved.
    func hasRoom(for count: Int, numberMax: Int64) throws(StorageError) -> Bool {
        // Numbers are given in order, so that there are no more items than the highest says.
        if Int(numberMax) + count <= Self.itemsMax { return true }
        return try self.count() + count <= Self.itemsMax
    }

    /// - Complexity: O(n) in the items.
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
                SELECT revision, number, insertedBy, item FROM items WHERE (revision, number) > (?, ?)
                ORDER BY revision, number LIMIT ?
                """,
                .integer(last.revision),
                .integer(last.number),
                .integer(Self.changesStep)
            ) { row throws(StorageError) in
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

    static func notSaved(_ id: String) -> SearchError {
        SearchError(
            .notFound,
            "No saved item has the id \(id).",
            hint: "Save it first; library/list lists what is saved."
        )
    }

    static func item(_ bytes: [UInt8]) -> SavedItem? {
        guard let document = try? JSONDocument(bytes) else { return nil }
        return try? SavedItem(document.root.value, savedNow: 0, path: "item")
    }
}
