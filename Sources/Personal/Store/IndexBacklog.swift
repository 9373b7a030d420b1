import Storage

/// The newest items, which are not in the index of words yet.
///
/// To write the index costs a commit as much for one item as for dozens, and more than all else: so new items wait, and
/// share that. Before anyone reads the index, all are written. The file says which are in it, by their numbers.
struct IndexBacklog {
    /// So many don't wait any longer; for them a search waits a few milliseconds at most.
    static let itemsMax = 64

    private struct Item {
        let number: Int64
        let tokens: String
    }

    /// Items with higher numbers are not in the index; all others are.
    private(set) var indexed: Int64
    private var items: [Item] = []

    init(indexed: Int64) { self.indexed = indexed }

    var isEmpty: Bool { items.isEmpty }
    var isFull: Bool { items.count >= Self.itemsMax }

    /// Whether an item waits, or would have to.
    func holds(_ number: Int64) -> Bool { number > indexed }

    mutating func add(_ number: Int64, tokens: String) { items.append(Item(number: number, tokens: tokens)) }

    mutating func remove(_ number: Int64) { items.removeAll { $0.number == number } }

    /// Writes them into the index, and that they are there into the file; within a transaction.
    mutating func writeOut(to database: Database) throws(StorageError) {
        for item in items {
            try Self.index(item.number, item.tokens, in: database)
            indexed = max(indexed, item.number)
        }
        items = []
        try database.run("UPDATE state SET indexed = ? WHERE rowid = 1", .integer(indexed))
    }

    static func index(_ number: Int64, _ tokens: String, in database: Database) throws(StorageError) {
        try database.run("INSERT INTO words (rowid, tokens) VALUES (?, ?)", .integer(number), .text(tokens))
    }
}

extension LibraryTable {
    /// What waits: as the last transaction has left it, or as the file says.
    func backlog() throws(StorageError) -> IndexBacklog {
        if let backlog = memory.backlog { return backlog }
        let indexed = try database.first("SELECT indexed FROM state") { $0.integer(0) } ?? 0
        var backlog = IndexBacklog(indexed: indexed)
        try database.run(
            "SELECT number, item FROM items WHERE number > ? ORDER BY number",
            .integer(indexed)
        ) { row throws(StorageError) in
            guard let item = Self.item(row.blob(1)) else { return }
            backlog.add(row.integer(0), tokens: item.indexTokens)
        }
        memory.backlog = backlog
        return backlog
    }

    /// Lets a body read the index, in which all items are then.
    ///
    /// Where the disk doesn't take them, as when it is full, the body has seen them nevertheless; they go on waiting.
    func readIndex<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
        var backlog = try backlog()
        guard !backlog.isEmpty else { return try body() }
        var found: Value?
        do throws(StorageError) {
            let value = try database.transaction { () throws(StorageError) in
                try backlog.writeOut(to: database)
                let value = try body()
                found = value
                return value
            }
            memory.backlog = backlog
            return value
        } catch {
            guard let found else { throw error }
            return found
        }
    }
}
