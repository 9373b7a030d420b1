import Storage

/// The words of rows in a full-text index, which keeps no texts itself; used within a transaction.
struct WordIndex {
    let database: Database
    let table: String

    func add(_ texts: [String], as number: Int64) throws(StorageError) {
        try database.run(
            "INSERT INTO \(table) (rowid, tokens) VALUES (?, ?)",
            .integer(number),
            .text(IndexTokens(texts).text)
        )
    }

    /// Removes the words of a row; the texts must be those that were added.
    func remove(_ texts: [String], of number: Int64) throws(StorageError) {
        try database.run(
            "INSERT INTO \(table) (\(table), rowid, tokens) VALUES ('delete', ?, ?)",
            .integer(number),
            .text(IndexTokens(texts).text)
        )
    }

    func removeAll() throws(StorageError) {
        try database.run("INSERT INTO \(table) (\(table)) VALUES ('delete-all')")
    }

    /// Merges its parts, which leaves no trace of removed words.
    func optimize() throws(StorageError) {
        try database.run("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
    }
}
