import SearchModel
import Storage

/// Changes a library in one transaction; it must not be used after that.
///
/// What its requests have in common is read and written once for all of them.
struct LibraryWriter {
    let table: LibraryTable
    /// After the latest request.
    var revision: Int64
    private let revisionBefore: Int64
    /// No item has a higher number.
    private(set) var numberMax: Int64
    /// Whether removed items are remembered.
    private var hasRemoved: Bool
    private var hasRemovedMore = false
    private(set) var backlog: IndexBacklog
    private var indexesAll = false

    init(_ table: LibraryTable) throws(StorageError) {
        self.table = table
        revision = try table.revision()
        revisionBefore = revision
        numberMax = try table.numberMax()
        hasRemoved = try table.hasRemoved()
        backlog = try table.backlog()
    }

    mutating func insert(_ item: SavedItem, _ revision: Int64) throws(StorageError) {
        if hasRemoved { try table.unremove(item.id) }
        let number = try table.insert(item, revision)
        numberMax = max(numberMax, number)
        try index(item, as: number)
    }

    /// Writes what a change has made of an item.
    mutating func update(_ item: SavedItem, _ revision: Int64) throws(StorageError) {
        guard let number = try unindex(item.id) else { return }
        try table.update(item, number, revision)
        try index(item, as: number)
    }

    /// Removes an item, and remembers that.
    mutating func remove(_ id: String, _ revision: Int64) throws(StorageError) {
        guard let number = try unindex(id) else { return }
        try table.remove(id, number, revision)
        (hasRemoved, hasRemovedMore) = (true, true)
    }

    /// Notes how many items a request has inserted.
    ///
    /// Many share the writing of the index as it is. They don't wait, so that who imports is no faster than the index,
    /// and leaves the loop to others.
    mutating func inserted(_ count: Int) {
        if count >= IndexBacklog.worthMin { indexesAll = true }
    }

    /// To be called once, before the transaction ends.
    mutating func finish() throws(StorageError) {
        while indexesAll || backlog.count(numberMax: numberMax) > IndexBacklog.itemsMax {
            guard try backlog.writeStep(to: table.database) else { break }
        }
        guard revision != revisionBefore else { return }
        try table.setRevision(revision)
        if hasRemovedMore { try table.forget() }
    }

    private func index(_ item: SavedItem, as number: Int64) throws(StorageError) {
        guard !backlog.holds(number) else { return }
        try IndexBacklog.index(number, item.indexTokens, in: table.database)
    }

    /// Takes an item out of the index, while its row is as it was indexed; nil when there is no such item.
    private func unindex(_ id: String) throws(StorageError) -> Int64? {
        guard let row = try table.row(id) else { return nil }
        if !backlog.holds(row.number), let item = row.item {
            // The index keeps no texts; it must be given what it was given.
            try table.database.run(
                "INSERT INTO words (words, rowid, tokens) VALUES ('delete', ?, ?)",
                .integer(row.number),
                .text(item.indexTokens)
            )
        }
        return row.number
    }
}

extension LibraryTable {
    /// Changes the library in one transaction.
    func write<Value>(
        _ body: (inout LibraryWriter) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        let (value, writer) = try database.transaction { () throws(StorageError) -> (Value, LibraryWriter) in
            var writer = try LibraryWriter(self)
            let value = try body(&writer)
            try writer.finish()
            return (value, writer)
        }
        memory.backlog = writer.backlog
        memory.revision = writer.revision
        return value
    }
}
