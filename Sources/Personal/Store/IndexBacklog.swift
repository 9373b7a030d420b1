import JSON
import Storage

/// Which items are in the index of words: the newest are not yet.
///
/// To write the index costs more than all else of a change, and less for each item the more share it: so new items wait
/// until nobody changes anything, or someone searches. The file says which are in it, by their numbers.
struct IndexBacklog {
    /// So many wait at most, however many come: a search right after them takes half a second, once.
    static let itemsMax = 8192
    /// Fewer are not worth a commit of their own.
    static let worthMin = 64
    /// How many are written at a time; a change that comes meanwhile waits some 20 milliseconds.
    static let step = 256

    /// Items with higher numbers are not in the index; all others are.
    private(set) var indexed: Int64

    /// Whether an item waits, or would have to.
    func holds(_ number: Int64) -> Bool { number > indexed }

    /// How many wait, or less: items that were removed meanwhile count.
    func count(numberMax: Int64) -> Int { Int(max(0, numberMax - indexed)) }

    /// Writes the next step into the index, and that it is there into the file; within a transaction.
    ///
    /// - Returns: Whether others may still wait.
    mutating func writeStep(to database: Database) throws(StorageError) -> Bool {
        var count = 0
        try database.run(
            "SELECT number, item FROM items WHERE number > ? ORDER BY number LIMIT ?",
            .integer(indexed),
            .integer(Self.step)
        ) { row throws(StorageError) in
            count += 1
            indexed = row.integer(0)
            guard let item = try? JSONDocument(row.blob(1)).root else { return }
            try Self.index(indexed, SavedItem.indexTokens(of: item), in: database)
        }
        guard count > 0 else { return false }
        try database.run("UPDATE state SET indexed = ? WHERE rowid = 1", .integer(indexed))
        return count == Self.step
    }

    static func index(_ number: Int64, _ tokens: String, in database: Database) throws(StorageError) {
        try database.run("INSERT INTO words (rowid, tokens) VALUES (?, ?)", .integer(number), .text(tokens))
    }
}

extension LibraryTable {
    /// What waits: as the last transaction has left it, or as the file says.
    func backlog() throws(StorageError) -> IndexBacklog {
        if let backlog = memory.backlog { return backlog }
        let backlog = IndexBacklog(indexed: try database.first("SELECT indexed FROM state") { $0.integer(0) } ?? 0)
        memory.backlog = backlog
        return backlog
    }

    /// Writes some of what waits into the index, if so many wait.
    ///
    /// - Returns: Whether others may still wait.
    func indexStep(atLeast count: Int = 1) throws(StorageError) -> Bool {
        var backlog = try backlog()
        guard try backlog.count(numberMax: numberMax()) >= count else { return false }
        let isMore = try database.transaction { () throws(StorageError) in try backlog.writeStep(to: database) }
        memory.backlog = backlog
        return isMore
    }

    /// Lets a body read the index, in which all items are then.
    ///
    /// Where the disk doesn't take them, as when it is full, the body has seen them nevertheless; they go on waiting.
    func readIndex<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
        do throws(StorageError) {
            while try indexStep() {}
        } catch {
            return try readIndexUnwritten(body)
        }
        return try database.snapshot(body)
    }

    /// The same, and nothing is written.
    private func readIndexUnwritten<Value>(
        _ body: () throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        // Else SQLite writes what is too much for its cache, though nothing was committed.
        try database.run("PRAGMA cache_spill = OFF")
        defer { try? database.run("PRAGMA cache_spill = ON") }
        var backlog = try backlog()
        return try database.undoing { () throws(StorageError) in
            while try backlog.writeStep(to: database) {}
            return try body()
        }
    }
}
