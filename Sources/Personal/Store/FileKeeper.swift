import EventLoop
import SearchModel
import Storage

/// Backs up, migrates, repairs and erases one user's file; only `backUp` and `copies` may run while the file is open.
struct FileKeeper: Sendable {
    let files: UserFiles
    let executor: UserQueue
    /// In seconds since 1970.
    let now: Int64
    let cancellation: Cancellation

    /// Makes a copy, which replaces the older of two copies; throws `damagedRow` if rows are damaged.
    @discardableResult
    func backUp() throws(StorageError) -> PersonalCopy {
        try PrivateFile.remove(files.unfinishedCopy)
        do throws(StorageError) {
            let database = try Database(reading: files.file, isInUse: true, on: executor)
            try database.copy(to: files.unfinishedCopy) { cancellation.isCancelled }
            try verify(files.unfinishedCopy, as: files.file)
            try PrivateFile.setChanged(files.unfinishedCopy, at: now)
            try files.placeCopy()
        } catch {
            // The disk may be full, so the incomplete copy is removed.
            try? PrivateFile.remove(files.unfinishedCopy)
            throw error
        }
        guard let copy = copies().first else { throw .unsound(files.file) }
        return copy
    }

    /// Throws if a file is damaged or of a newer version; the error message contains `name`.
    private func verify(_ path: String, as name: String) throws(StorageError) {
        let database = try Database(reading: path, on: executor)
        try database.interruptible(by: cancellation) { () throws(StorageError) in
            guard try database.isSound() else { throw .unsound(name) }
            // A file of an older version has no checksums.
            guard try database.isCurrent(PersonalSchema.schema) else { return }
            _ = try PersonalTables(database)
            for table in CheckedTable.allCases {
                guard try database.first(table.damagedRows, read: { _ in true }) == nil else { throw .damagedRow(name) }
            }
        }
    }

    /// Returns the readable copies, the newest first.
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

    /// Repairs or migrates the file, and returns a log line, or nil if no row was damaged.
    ///
    /// After a crash, the file is either the old one or the complete new one.
    func mend(_ error: StorageError, after known: Int64) throws(StorageError) -> String? {
        if error.code.isCorrupt { return try restore(because: error, after: known) }
        do throws(StorageError) {
            if error.code == .olderSchema { try backUpOlder() }
            var loss = PersonalLoss(at: now, file: nil)
            try build(from: files.file) { tables throws(StorageError) in
                loss = try repair(tables)
                if !loss.isEmpty { try tables.record(loss, after: known) }
            }
            try files.place(files.new)
            guard !loss.isEmpty else { return nil }
            return """
                \(loss.restored + loss.lost) rows of \(files.file) were damaged: \(loss.restored) were restored \
                from a copy and may lack their latest change, and \(loss.lost) were lost
                """
        } catch {
            // Other errors, such as a full disk, may be temporary.
            guard error.code.isCorrupt else { throw error }
            return try restore(because: error, after: known)
        }
    }

    private func backUpOlder() throws(StorageError) {
        do throws(StorageError) {
            try backUp()
        } catch {
            // A file that fails the integrity check cannot be copied, but can still be migrated.
            guard error.code == .notCopied else { throw error }
        }
    }

    /// The new file is the newest intact copy, or empty if there is none.
    private func restore(because error: StorageError, after known: Int64) throws(StorageError) -> String {
        let (copy, skipped) = try newestIntactCopy()
        let aside = files.freeName(at: now)
        var count = 0
        try build(from: copy?.file) { tables throws(StorageError) in
            try tables.record(PersonalLoss(at: now, file: aside, copyAt: copy?.at), after: max(known, now * 1000))
            count = try tables.library.count()
        }
        try files.setAside(as: aside)
        try files.place(files.new)
        let source = copy.map { "was replaced by the copy of \(RFC3339.text($0.at)) with \(count) items" }
        return """
            \(files.file) was damaged (\(error.message)), is kept as \(aside), and \
            \(source ?? "could not be replaced by a copy, so the library is empty")
            """ + skipped.map { "; a copy was not used: \($0)" }.joined()
    }

    /// Builds a complete file under a new name; without `source`, the file has no rows.
    private func build(
        from source: String?,
        _ change: (PersonalTables) throws(StorageError) -> Void
    ) throws(StorageError) {
        try PrivateFile.remove(files.new)
        if let source { try Database(reading: source, on: executor).copy(to: files.new) }
        try PersonalTables.complete(files.new, on: executor) { tables throws(StorageError) in
            try change(tables)
            try tables.rebuildIndexes()
        }
    }

    private func newestIntactCopy() throws(StorageError) -> (copy: PersonalCopy?, skipped: [StorageError]) {
        var skipped: [StorageError] = []
        for copy in files.copies() {
            do throws(StorageError) {
                try verify(copy.file, as: copy.file)
                return (copy, skipped)
            } catch {
                guard error.isMendable || error.code.isForeign || error.isPermanent else { throw error }
                skipped.append(error)
            }
        }
        return (nil, skipped)
    }

    /// Restores damaged rows from the copies, and removes rows that are intact in no copy.
    private func repair(_ tables: PersonalTables) throws(StorageError) -> PersonalLoss {
        var loss = PersonalLoss(at: now, file: nil)
        let database = tables.database
        for copy in files.copies() {
            try database.run("ATTACH ? AS copy", .text(copy.file))
            for table in CheckedTable.allCases {
                do throws(StorageError) {
                    try database.run(table.restoration)
                } catch {
                    // The copy is unreadable or of another version.
                    guard error.code.isCorrupt || error.code.isForeign else { throw error }
                    continue
                }
                loss.restored += database.changes
                if database.changes > 0 { loss.copyAt = copy.at }
            }
            try database.run("DETACH copy")
        }
        for table in CheckedTable.allCases {
            try database.run("DELETE FROM \(table.rawValue) WHERE number IN (\(table.damagedRows))")
            loss.lost += database.changes
        }
        try database.run("DELETE FROM seenBy WHERE number NOT IN (SELECT number FROM seen)")
        return loss
    }

    /// Erases the selected searches, and removes the user's other files, which may also contain these searches.
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
                    try tables.database.run("DELETE FROM losses")
                }
                // VACUUM rewrites the file, because free blocks may contain rows. Temporary data may not fit in memory.
                try tables.database.script("PRAGMA temp_store = FILE; VACUUM")
            }
        }
        try files.removeOthers()
        // If the backup fails, there is no copy: the old copies were removed, because they contained the searches.
        _ = try? backUp()
        return count
    }
}

extension StorageError {
    var isMendable: Bool { code.isCorrupt || code == .damagedRow || code == .olderSchema }
    /// Whether a copy with this error can never be used.
    fileprivate var isPermanent: Bool { [.notCopied, .newerSchema, .unsafeFile].contains(code) }

    static func empty(_ path: String) -> StorageError {
        StorageError(.empty, file: PrivateFile.name(of: path), message: "\(path) is empty", hint: "Restore a copy.")
    }

    fileprivate static func unsound(_ path: String) -> StorageError {
        StorageError(
            .notCopied,
            file: PrivateFile.name(of: path),
            message: "SQLite's integrity check of \(path) fails",
            hint: "No copy was made. Export the library, and look for disk errors in the system log."
        )
    }
}
