import CSQLite

/// An open SQLite file.
///
/// It has one owner: an executor whose threads may block until the disk has done its part. The file is opened without
/// SQLite's own mutex: the executor runs one job at a time, and a call from anywhere else traps. The connection is
/// closed in deinit.
///
/// All files have an SQL function `checksum(value, …)`, with which tables tell whether a row is as it was written.
///
/// `@safe`: its pointer is its own from init to deinit.
@safe
package final class Database {
    /// What a commit has survived when it returns.
    ///
    /// Both write changes to a log first: readers never wait, and a crash undoes at most the transaction under way.
    package enum Journal: Sendable {
        /// Power loss undoes nothing that was committed.
        case log
        /// Power loss may undo the latest transactions, and never leaves half of one: for what may be lost.
        case unsyncedLog
    }

    /// The log is written back to the file when it has so many blocks of 4 KiB.
    private static let logBlocksMax = 1024
    /// How long to wait for another program, such as `sqlite3`, that has locked the file.
    private static let busyMilliseconds: Int32 = 5_000
    /// Blocks that `copy` copies at a time.
    private static let copiedBlocks: Int32 = 256

    package let path: String
    let file: String
    private let executor: any SerialExecutor
    private let connection: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// Opens the file, creates it when it is missing, and brings its tables up to date.
    ///
    /// Must be called on the executor.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - schema: Its tables.
    ///   - journal: What a commit survives.
    ///   - executor: The owner's.
    /// - Throws: Why the file can't be used.
    package convenience init(
        _ path: String,
        schema: Schema,
        journal: Journal,
        on executor: any SerialExecutor
    ) throws(StorageError) {
        try PrivateFile.prepare(path)
        try self.init(path, named: path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, on: executor)
        try script(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = \(journal == .log ? "FULL" : "NORMAL");
            PRAGMA secure_delete = ON;
            PRAGMA foreign_keys = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA journal_size_limit = \(2 * Self.logBlocksMax << 12);
            PRAGMA wal_autocheckpoint = \(Self.logBlocksMax);
            PRAGMA cache_size = -512;
            """
        )
        try migrate(to: schema)
    }

    /// Makes a database in memory, which is lost when it is closed.
    package convenience init(inMemory schema: Schema, on executor: any SerialExecutor) throws(StorageError) {
        try self.init("", named: ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, on: executor)
        try migrate(to: schema)
    }

    /// Opens an existing file to read it, also in a directory that can't be written.
    ///
    /// Must be called on the executor. A file that another connection may write meanwhile is `isInUse`.
    package convenience init(
        reading path: String,
        isInUse: Bool = false,
        on executor: any SerialExecutor
    ) throws(StorageError) {
        try PrivateFile.check(path)
        // A file without a log needs no locks, which SQLite could not take there. In a URI some marks mean more.
        let isPlain = !path.utf8.contains { [UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        let isImmutable = !isInUse && isPlain && (PrivateFile.size(of: path + "-wal") ?? 0) == 0
        let name = isImmutable ? "file:\(path)?immutable=1" : path
        try self.init(path, named: name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, on: executor)
    }

    private init(
        _ path: String,
        named name: String,
        _ flags: Int32,
        on executor: any SerialExecutor
    ) throws(StorageError) {
        executor.checkIsolated()
        (self.path, self.executor) = (path, executor)
        file = PrivateFile.name(of: path)
        var made: OpaquePointer?
        let result = unsafe sqlite3_open_v2(name, &made, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, nil)
        guard result == SQLITE_OK, let made = unsafe made else {
            // A connection that failed to open must be closed too.
            unsafe sqlite3_close_v2(made)
            throw StorageError(result: result, file: file)
        }
        unsafe connection = unsafe made
        unsafe sqlite3_extended_result_codes(made, 1)
        unsafe sqlite3_busy_timeout(made, Self.busyMilliseconds)
        _ = unsafe csqlite_add_checksum(made)
        try script("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }

    deinit {
        // Statements hold on to the connection.
        statements = [:]
        // Nothing else has the pointer. The last connection to close a file writes its log back and removes it.
        unsafe sqlite3_close_v2(connection)
    }

    // MARK: Statements

    /// Runs a statement; prepared at its first use and kept.
    ///
    /// - Parameters:
    ///   - sql: Made of constants of the program: there are as many kept statements as there are different texts.
    ///   - values: For its placeholders, in order.
    ///   - row: Called for every row.
    /// - Throws: The error of SQLite or of `row`; changes made before stay, unless it is in a transaction.
    package func run(
        _ sql: String,
        values: [SQLValue],
        row: (borrowing Row) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) {
        try statement(sql).run(values, row)
    }

    package func run(
        _ sql: String,
        _ values: SQLValue...,
        row: (borrowing Row) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) {
        try run(sql, values: values, row: row)
    }

    /// Returns what is read of every row.
    package func all<Value>(
        _ sql: String,
        _ values: SQLValue...,
        read: (borrowing Row) throws(StorageError) -> Value
    ) throws(StorageError) -> [Value] {
        var found: [Value] = []
        try run(sql, values: values) { row throws(StorageError) in found.append(try read(row)) }
        return found
    }

    /// Returns what is read of the first row; nil when there is no row.
    package func first<Value>(
        _ sql: String,
        _ values: SQLValue...,
        read: (borrowing Row) throws(StorageError) -> Value
    ) throws(StorageError) -> Value? {
        var found: Value?
        try run(sql, values: values) { row throws(StorageError) in
            if found == nil { found = try read(row) }
        }
        return found
    }

    /// Rows that the last statement changed.
    package var changes: Int { unsafe Int(sqlite3_changes64(connection)) }

    /// The number of the row that the last INSERT made.
    package var lastNumber: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

    private func statement(_ sql: String) throws(StorageError) -> Statement {
        executor.checkIsolated()
        if let kept = statements[sql] { return kept }
        let made = unsafe try Statement(sql, on: connection, file: file)
        statements[sql] = made
        return made
    }

    /// Runs a script that gives no rows and is not kept.
    package func script(_ sql: String) throws(StorageError) {
        executor.checkIsolated()
        // SQLite reads the text up to its NUL during the call.
        let result = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw StorageError(result: result, file: file) }
    }

    // MARK: Transactions

    /// Does all of the body or nothing of it, with the lock for writing from its beginning.
    ///
    /// It can't be nested.
    package func transaction<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
        try run("BEGIN IMMEDIATE")
        do throws(StorageError) {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // Some failures have ended the transaction already.
            if unsafe sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// Lets a body read the file as it is at the beginning, and for less than each statement would take alone.
    package func snapshot<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
        try run("BEGIN")
        defer { try? run("COMMIT") }
        return try body()
    }

    /// Writes the log back to the file and empties it: blocks as they were before the latest change are in it, too.
    ///
    /// - Throws: When another program reads the file all the while.
    package func emptyLog() throws(StorageError) {
        let isHeldUp = try first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) != 0 }
        if isHeldUp != false { throw StorageError(result: SQLITE_BUSY, file: file) }
    }

    // MARK: The version

    /// How many migrations the file has seen; 0 when it is new.
    package func version() throws(StorageError) -> Int64 {
        try first("PRAGMA user_version") { $0.integer(0) } ?? 0
    }

    /// Runs the migrations that the file has not seen, all of them or none.
    private func migrate(to schema: Schema) throws(StorageError) {
        guard try !isCurrent(schema) else { return }
        try transaction { () throws(StorageError) in
            for step in schema.migrations.dropFirst(Int(try version())) { try script(step) }
            try script("PRAGMA user_version = \(schema.version)")
        }
    }

    /// Whether the file has the tables of a schema; false for an older version.
    ///
    /// - Throws: `newerSchema` for a newer version.
    package func isCurrent(_ schema: Schema) throws(StorageError) -> Bool {
        let version = try version()
        guard version <= schema.version else {
            throw StorageError(
                .newerSchema,
                file: file,
                message: "\(path) has version \(version), and this searchd knows versions up to \(schema.version)",
                hint: "Use the newer searchd, or move the file away."
            )
        }
        return version == schema.version
    }

    // MARK: Copies

    /// Copies the file as it is now into a new one, step by step; writers need not wait, and their changes meanwhile
    /// are not in the copy.
    ///
    /// - Parameters:
    ///   - path: The new file, which nobody has open.
    ///   - isCancelled: Called between steps.
    /// - Throws: Why it can't be copied; `cancelled` when it was cancelled.
    package func copy(to path: String, isCancelled: () -> Bool = { false }) throws(StorageError) {
        try PrivateFile.prepare(path)
        let copy = try Database(path, named: path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, on: executor)
        // What is read in a transaction stays the same until its end.
        try snapshot { () throws(StorageError) in
            _ = try version()
            guard let backup = unsafe sqlite3_backup_init(copy.connection, "main", connection, "main") else {
                throw StorageError(result: unsafe sqlite3_extended_errcode(copy.connection), file: copy.file)
            }
            var result = SQLITE_OK
            while result == SQLITE_OK, !isCancelled() { result = unsafe sqlite3_backup_step(backup, Self.copiedBlocks) }
            unsafe sqlite3_backup_finish(backup)
            guard result != SQLITE_OK else { throw StorageError(result: SQLITE_INTERRUPT, file: file) }
            guard result == SQLITE_DONE else { throw StorageError(result: result, file: copy.file) }
        }
        // Reading it makes SQLite notice that it has a log, without which the copy is one file.
        _ = try copy.version()
        try copy.run("PRAGMA journal_mode = DELETE")
    }

    /// Whether SQLite finds the whole file sound.
    ///
    /// - Complexity: O(n) in the file, all of which is read.
    package func isSound() throws(StorageError) -> Bool {
        try all("PRAGMA integrity_check(1)") { $0.text(0) } == ["ok"]
    }

    /// Runs a body whose statements can be interrupted; then it throws `cancelled`.
    package func interruptible(
        by cancellation: Cancellation,
        _ body: () throws(StorageError) -> Void
    ) throws(StorageError) {
        let address = unsafe Int(bitPattern: connection)
        cancellation.begin(address)
        defer { cancellation.end(address) }
        guard !cancellation.isCancelled else { throw StorageError(result: SQLITE_INTERRUPT, file: file) }
        try body()
    }
}

/// The tables of one kind of file, as the steps that made them.
///
/// `PRAGMA user_version` counts the steps that a file has seen. A released step is never changed: changes are new steps
/// at the end.
package struct Schema: Sendable {
    /// Each a script of SQL.
    package let migrations: [String]

    package var version: Int64 { Int64(migrations.count) }

    package init(migrations: [String]) { self.migrations = migrations }
}
