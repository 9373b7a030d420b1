package import EventLoop

/// Reading what can be read of a file that is damaged.
extension Database {
    /// So many numbers of a damaged page are tried one by one; more a page hardly has.
    private static let triedMax: Int64 = 256

    /// Lends a copy of a damaged file, with what its log brings; neither of them is touched, and the copy is removed.
    ///
    /// In it a page may be older or newer than others: what indexes say of tables can't be relied on.
    ///
    /// - Parameters:
    ///   - file: The damaged one, which nobody has open.
    ///   - copy: Where the copy is made.
    ///   - loop: The caller's.
    ///   - body: Gets the copy; nil when SQLite can't make anything of it.
    /// - Returns: What the body returned.
    /// - Throws: Why the copy can't be made, or what the body says.
    package static func rescuing<Value>(
        _ file: String,
        at copy: String,
        on loop: EventLoop,
        _ body: (Database?) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        defer { PrivateFile.removeAll(of: copy) }
        try RescueCopy.make(of: file, at: copy)
        let database = try? Database(damaged: copy, on: loop)
        // Else each statement would lock and unlock the file.
        try? database?.script("BEGIN")
        return try body(database)
    }

    /// The numbers that rows have which can be read one by one, and perhaps others, in order; none when nothing can be
    /// read.
    ///
    /// A page that can't be read hides only the rows below it: the table is read leaf by leaf, and where a leaf can't
    /// be read from both its ends alike, each number that it may have is one to try.
    ///
    /// - Complexity: O(n) in the pages and rows of the table; a damaged leaf adds `triedMax` at most.
    package func numbersToTry(in table: String) -> [Int64] {
        guard let up = try? prepare(Self.list(table, "ASC")), let down = try? prepare(Self.list(table, "DESC")) else {
            return []
        }
        var numbers: [Int64] = []
        var first: Int64 = 1
        for last in leafEnds(of: table) + [.max] {
            let (rising, isWhole) = Self.run(up, first, last)
            let (falling, isWholeBackwards) = Self.run(down, first, last)
            if isWhole, isWholeBackwards, rising.elementsEqual(falling.reversed()) {
                numbers += rising
            } else {
                numbers += Self.numbersToTry(from: first, through: last, found: Set(rising).union(falling))
            }
            first = last &+ 1
        }
        return numbers
    }

    private static func numbersToTry(from first: Int64, through last: Int64, found: Set<Int64>) -> [Int64] {
        if last - first < triedMax { return Array(first...last) }
        guard let least = found.min(), let most = found.max() else { return [] }
        return most - least < triedMax ? Array(least...most) : found.sorted()
    }

    private static func list(_ table: String, _ order: String) -> String {
        "SELECT number FROM \(table) WHERE number BETWEEN ? AND ? ORDER BY number \(order)"
    }

    /// What can be read of a range, and whether that is all.
    private static func run(_ statement: Statement, _ first: Int64, _ last: Int64) -> (numbers: [Int64], isAll: Bool) {
        var numbers: [Int64] = []
        let result = Result { () throws(StorageError) in
            try statement.run([.integer(first), .integer(last)]) { row throws(StorageError) in
                numbers.append(row.integer(0))
            }
        }
        return (numbers, (try? result.get()) != nil)
    }

    private func leafEnds(of table: String) -> [Int64] {
        let root = try? first("SELECT rootpage FROM sqlite_master WHERE name = ?", .text(table)) { $0.integer(0) }
        guard isDamaged, let root = root ?? nil, let size = pageBytes() else { return [] }
        // To close it takes SQLite's locks away, but nobody else has the copy.
        guard let reader = RescueCopy.Reader(path) else { return [] }
        return TableTree.leafEnds(root: Int(root), pageCount: reader.count / size) { number in
            reader.bytes(at: (number - 1) * size, count: size)
        }
    }

    private func pageBytes() -> Int? {
        guard let size = try? first("PRAGMA page_size", read: { Int($0.integer(0)) }), size > 0 else { return nil }
        return size
    }
}
