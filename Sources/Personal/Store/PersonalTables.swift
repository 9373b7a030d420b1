import Storage

/// All that one user's file holds.
struct PersonalTables {
    let database: Database
    let library: LibraryTable
    let history: HistoryTable
    let seen: SeenTable

    init(_ database: Database) throws(StorageError) {
        self.database = database
        library = try LibraryTable(database)
        history = HistoryTable(database: database)
        seen = SeenTable(database: database)
    }

    /// Takes over all that can be read of another file, under revisions that are later than any of its own.
    ///
    /// Followers of the other file can't resume from a revision of this one, so they read all again.
    ///
    /// - Parameters:
    ///   - other: A file that is damaged, or no longer under its name; nil when nothing of it can be read.
    ///   - known: No later revision was told to anyone that the file itself doesn't tell.
    /// - Returns: How many items there were.
    /// - Throws: When they can't be written here.
    func takeOver(_ other: PersonalTables?, after known: Int64) throws(StorageError) -> Int {
        try database.transaction { () throws(StorageError) in
            if let other {
                try history.takeOver(other.history)
                try seen.takeOver(other.seen)
            }
            return try library.takeOver(other?.library, after: known)
        }
    }
}
