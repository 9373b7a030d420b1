import CSQLite
import Glibc

extension Database {
    /// Between two tries to give a new file its log; the thread is storage's own.
    private static let busyPauseMicroseconds: useconds_t = 5_000

    func configure(_ journal: Journal, blockBytes: Int, logBlocksMax: Int) throws(StorageError) {
        // Before anything is written: later it would have no effect.
        try script("PRAGMA page_size = \(blockBytes)")
        switch journal {
        case .log:
            try useLog()
            // What is removed is overwritten, whatever the build of SQLite does by itself.
            try script("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
        case .undo:
            try useUndo()
            // Some builds of SQLite overwrite all that is deleted, which costs more than writing it did.
            try script("PRAGMA synchronous = OFF; PRAGMA secure_delete = OFF")
        }
        try script(
            """
            PRAGMA foreign_keys = ON;
            PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA journal_size_limit = \(2 * Self.logBytesMax);
            PRAGMA wal_autocheckpoint = \(logBlocksMax);
            PRAGMA cache_size = -512;
            """
        )
    }

    /// Write-ahead logging: readers never wait, and a commit is one write.
    ///
    /// Where two processes do it to the same new file, SQLite tells one of them "busy" at once, without its time to
    /// wait; so that is waited here.
    private func useLog() throws(StorageError) {
        var triesLeft = Int(Self.busyMilliseconds) * 1000 / Int(Self.busyPauseMicroseconds)
        while true {
            do throws(StorageError) {
                return try run("PRAGMA journal_mode = WAL")
            } catch {
                triesLeft -= 1
                guard error.code.isBusy, triesLeft > 0 else { throw error }
                usleep(Self.busyPauseMicroseconds)
            }
        }
    }

    /// Rollback, with a file beside this one that is kept from commit to commit: making one each time costs more.
    ///
    /// A file that another process has open with a log, an older program for one, stays so until the next start.
    private func useUndo() throws(StorageError) {
        try unlessBusy { () throws(StorageError) in try run("PRAGMA journal_mode = PERSIST") }
    }

    private func unlessBusy(_ body: () throws(StorageError) -> Void) throws(StorageError) {
        do throws(StorageError) {
            try body()
        } catch {
            guard error.code.isBusy else { throw error }
        }
    }

    /// Has what a body removes overwritten in the file; the undo journal may have it yet.
    func overwriting(_ body: () throws(StorageError) -> Void) throws(StorageError) {
        try script("PRAGMA secure_delete = ON")
        let result = Result { () throws(StorageError) in try body() }
        try script("PRAGMA secure_delete = OFF")
        try result.get()
    }

    /// Has what a body removes from a file with an undo journal overwritten, there and in the journal; otherwise it
    /// stays until something else takes its blocks.
    ///
    /// It can't be done within a transaction.
    func erasing(_ body: () throws(StorageError) -> Void) throws(StorageError) {
        try overwriting(body)
        // It has the blocks as they were; without it the next transaction makes another.
        try unlessBusy { () throws(StorageError) in try run("PRAGMA journal_mode = DELETE") }
        try useUndo()
    }

    /// Writes the log back into the file and empties it: blocks as they were before the latest change are in it, too.
    ///
    /// - Throws: When another process reads the file all the while.
    package func emptyLog() throws(StorageError) {
        let isHeldUp = try first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) != 0 }
        if isHeldUp != false { throw StorageError(result: SQLITE_BUSY, file: file) }
    }

    /// Takes the steps that the file has not seen, all of them or none.
    func migrate(to schema: Schema) throws(StorageError) {
        guard try version() != schema.version else { return }
        try transaction { () throws(StorageError) in
            // Another process may have been faster.
            let version = try version()
            guard version <= schema.version else {
                throw StorageError(
                    .newerSchema,
                    file: file,
                    message: "it has version \(version), and this program knows up to \(schema.version)",
                    hint: "Use the newer searchd, or move the file away."
                )
            }
            for step in schema.migrations.dropFirst(Int(version)) { try script(step) }
            try script("PRAGMA user_version = \(schema.version)")
        }
    }

    private func version() throws(StorageError) -> Int64 {
        try first("PRAGMA user_version") { $0.integer(0) } ?? 0
    }
}

/// The tables of one kind of file, as the steps that made them.
///
/// `PRAGMA user_version` counts the steps that a file has seen. A step that has once been released is never changed:
/// what is to differ is a new step at the end.
package struct Schema: Sendable {
    /// Each a script of SQL.
    package let migrations: [String]

    package init(migrations: [String]) {
        self.migrations = migrations
    }

    package var version: Int64 { Int64(migrations.count) }
}
