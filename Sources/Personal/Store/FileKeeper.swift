import EventLoop
import SearchModel
import Storage

/// Long-running work on one user's file: copies, migrations and repairs.
///
/// All except `backUp` need exclusive use of the file, so it is closed meanwhile.
struct FileKeeper: Sendable {
    let files: UserFiles
    /// The executor of this work.
    let executor: UserQueue
    /// Seconds since 1970.
    let now: Int64
    /// Cancels copying and erasing.
    let cancellation: Cancellation

    // MARK: Copies

    /// Makes a copy, which replaces the older one only after it was verified completely.
    ///
    /// - Throws: `damagedRow` when rows of the file itself are damaged.
    @discardableResult
    func backUp() throws(StorageError) -> PersonalCopy {
        try PrivateFile.remove(files.unfinishedCopy)
        do throws(StorageError) {
            let database = try Database(reading: files.file, isInUse: true, on: executor)
            try database.copy(to: files.unfinishedCopy) { cancellation.isCancelled }
            try verify(files.unfinishedCopy)
            try PrivateFile.setChanged(files.unfinishedCopy, at: now)
            try files.placeCopy()
        } catch {
            // The disk may be full.
            try? PrivateFile.remove(files.unfinishedCopy)
            throw error
        }
        guard let copy = copies().first else { throw .notCopied(files.file, "the copy is gone") }
        return copy
    }

    /// - Throws: When the file is not sound, or one of its rows is damaged.
    private func verify(_ path: String) throws(StorageError) {
        let database = try Database(reading: path, on: executor)
        try database.interruptible(by: cancellation) { () throws(StorageError) in
            guard try database.isSound() else { throw .notCopied(files.file, "SQLite's integrity check fails") }
            // An older version has no checksums.
            guard try database.isCurrent(PersonalSchema.schema) else { return }
            let tables = try PersonalTables(database, mayBeIncomplete: true)
            for table in CheckedTable.allCases {
                guard try tables.damagedRows(of: table).isEmpty else { throw .damagedRow(files.file) }
            }
        }
    }

    /// The readable copies, with their numbers of items, the newest first.
    func copies() -> [PersonalCopy] {
        files.copies().compactMap { copy in
            let database = try? Database(reading: copy.file, on: executor)
            let items = try? database?.first("SELECT count(*) FROM items") { $0.integer(0) }
            guard let items else { return nil }
            var copy = copy
            copy.items = Int(items)
            return copy
        }
    }

    // MARK: Mending

    /// Repairs the file after an error.
    ///
    /// - Parameters:
    ///   - error: Why the file can't be used as it is.
    ///   - known: The latest revision in any answer.
    /// - Returns: A log line if something may be missing; nil after a migration.
    /// - Throws: The reason if the repair fails.
    func mend(_ error: StorageError, after known: Int64) throws(StorageError) -> String? {
        do throws(StorageError) {
            switch error.code {
            case .olderSchema:
                try upgrade()
                return nil
            case .damagedRow: return try repair()
            default: throw error
            }
        } catch {
            guard error.code.isCorrupt else { throw error }
            return try restore(because: error, after: known)
        }
    }

    /// Migrates a file of an older version, after making a copy.
    private func upgrade() throws(StorageError) {
        do throws(StorageError) {
            try backUp()
        } catch {
            // An incomplete file is better than none.
            guard error.code == .notCopied else { throw error }
        }
        try PersonalTables.complete(files.file, on: executor) { _ in }
    }

    /// Moves a file that SQLite can't read aside, and replaces it with the newest intact copy or an empty file.
    ///
    /// After a crash there is either the old file or a complete new one. Returns a log line.
    private func restore(because error: StorageError, after known: Int64) throws(StorageError) -> String {
        let copy = try newestIntactCopy()
        let aside = files.freeName(at: now)
        var count = 0
        try PersonalTables.complete(files.new, on: executor) { tables throws(StorageError) in
            try tables.database.transaction { () throws(StorageError) in
                // No answer had a later revision.
                try tables.library.leap(after: max(known, now * 1000))
                try tables.add(PersonalLoss(at: now, file: aside, copyAt: copy?.at))
            }
            count = try tables.library.count()
        }
        try files.setAside(as: aside)
        try files.place(files.new)
        let source = copy.map { "the copy of \(RFC3339.text($0.at)) took its place, with \(count) items" }
        return """
            \(files.file) was damaged (\(error.message)); it is kept as \(aside), and \
            \(source ?? "there was no copy, so the library starts empty")
            """
    }

    /// Copies the newest intact copy to a new file name.
    private func newestIntactCopy() throws(StorageError) -> PersonalCopy? {
        for copy in files.copies() {
            try PrivateFile.remove(files.new)
            do throws(StorageError) {
                try verify(copy.file)
                try Database(reading: copy.file, on: executor).copy(to: files.new)
                return copy
            } catch {
                // For example, the disk is full.
                guard error.isMendable || error.code == .notCopied || error.code.isForeign else { throw error }
            }
        }
        try PrivateFile.remove(files.new)
        return nil
    }

    /// Restores damaged rows from the newest copy that has them intact, and removes the others.
    ///
    /// - Returns: A log line.
    private func repair() throws(StorageError) -> String {
        var loss = PersonalLoss(at: now, file: nil)
        try PersonalTables.complete(files.file, on: executor) { tables throws(StorageError) in
            var copies: [(database: Database, at: Int64)] = []
            for copy in files.copies() {
                guard let database = try? Database(reading: copy.file, on: executor),
                    (try? PersonalTables(database, mayBeIncomplete: true)) != nil
                else { continue }
                copies.append((database, copy.at))
            }
            try tables.database.transaction { () throws(StorageError) in
                for table in CheckedTable.allCases {
                    for number in try tables.damagedRows(of: table) {
                        try repair(number, of: table, in: tables.database, from: copies, &loss)
                    }
                }
                try tables.library.leap(after: 0)
                try tables.library.rebuildIndex()
                try tables.seen.rebuildIndex()
                try tables.add(loss)
            }
        }
        return """
            \(loss.restored + loss.lost) rows of \(files.file) were damaged: \(loss.restored) were taken from a copy, \
            perhaps as they were before their latest change, and \(loss.lost) were in no copy
            """
    }

    private func repair(
        _ number: Int64,
        of table: CheckedTable,
        in database: Database,
        from copies: [(database: Database, at: Int64)],
        _ loss: inout PersonalLoss
    ) throws(StorageError) {
        for copy in copies {
            let sql = "SELECT \(table.columns), sum FROM \(table.view) WHERE number = ? AND isIntact"
            let found = try? copy.database.first(sql, .integer(number)) { $0.values }
            guard let values = found ?? nil else { continue }
            let places = values.map { _ in "?" }.joined(separator: ", ")
            try database.run(
                "INSERT OR REPLACE INTO \(table.rawValue) (number, \(table.columns), sum) VALUES (?, \(places))",
                values: [.integer(number)] + values
            )
            loss.restored += 1
            loss.copyAt = min(loss.copyAt ?? .max, copy.at)
            return
        }
        loss.lost += 1
        try database.run("DELETE FROM \(table.rawValue) WHERE number = ?", .integer(number))
        if table == .seen { try database.run("DELETE FROM seenBy WHERE number = ?", .integer(number)) }
    }

    // MARK: Erasing

    /// Erases searches from the file, removes every other file that may contain them, and makes a new copy.
    ///
    /// - Returns: How many history entries were removed.
    func erase(_ selection: HistorySelection) throws(StorageError) -> Int {
        var count = 0
        guard files.exist else {
            try files.removeOthers()
            return 0
        }
        try PersonalTables.complete(files.file, on: executor) { tables throws(StorageError) in
            try tables.database.interruptible(by: cancellation) { () throws(StorageError) in
                try tables.database.transaction { () throws(StorageError) in
                    try tables.seen.erase(selection)
                    count = try tables.history.erase(selection)
                    try tables.database.run("DELETE FROM lostRows")
                    try tables.database.run("DELETE FROM losses")
                }
                // SQLite may keep copies of moved rows in free blocks, so the whole file is rewritten. This avoids
                // loading a large library into memory.
                try tables.database.script("PRAGMA temp_store = FILE; VACUUM")
            }
        }
        try files.removeOthers()
        // Having no copy risks less than an old copy.
        _ = try? backUp()
        return count
    }
}

extension StorageError {
    /// Whether a repair with the file closed may help.
    var isMendable: Bool { code.isCorrupt || code == .damagedRow || code == .olderSchema }

    static func empty(_ path: String) -> StorageError {
        StorageError(.empty, file: PrivateFile.name(of: path), message: "\(path) is empty", hint: "Restore a copy.")
    }

    static func notCopied(_ path: String, _ reason: String) -> StorageError {
        StorageError(
            .notCopied,
            file: PrivateFile.name(of: path),
            message: "no copy of \(path) was made: \(reason)",
            hint: "Export the library, and look for disk errors in the system log."
        )
    }
}
