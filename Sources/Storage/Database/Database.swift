import CSQLite

/// An open SQLite file, which is used only on one executor.
///
/// The executor's threads may block on the disk. A call on another thread traps, so the file is opened without SQLite's
/// own mutex. The SQL function `checksum(value, …)` is available to detect changed rows.
///
/// `@safe`: the pointer is private and valid from init to deinit.
@safe
package final class Database {
    /// How durable a commit is when it returns.
    ///
    /// In both modes, readers never wait, and a crash of the process undoes at most the current transaction.
    package enum Journal: Sendable {
        /// Commits survive a loss of power.
        case log
        /// A loss of power may damage the file, and removed data stays in it until `erase` is called.
        case unsyncedLog
    }

    /// SQLite writes the log back to the file when the log has this many blocks of 4 KiB.
    private static let logBlocksMax = 4096
    /// How long a statement waits for the lock of another program.
    private static let busyMilliseconds: Int32 = 5_000
    private static let copiedBlocks: Int32 = 256

    package let path: String
    let file: String
    private let executor: any SerialExecutor
    private let connection: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// Opens a file, creates it if missing, and runs the missing migrations.
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
            PRAGMA synchronous = \(journal == .log ? "FULL" : "OFF");
            PRAGMA secure_delete = \(journal == .log ? "ON" : "OFF");
            PRAGMA foreign_keys = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA journal_size_limit = \(2 * Self.logBlocksMax << 12);
            PRAGMA wal_autocheckpoint = \(Self.logBlocksMax);
            PRAGMA cache_size = -512;
            """
        )
        try migrate(to: schema)
    }

    package convenience init(inMemory schema: Schema, on executor: any SerialExecutor) throws(StorageError) {
        try self.init("", named: ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, on: executor)
        try migrate(to: schema)
    }

    /// Opens an existing file for reading; if it has no log, its directory need not be writable.
    ///
    /// `isInUse` must be true if another connection may write to the file.
    package convenience init(
        reading path: String,
        isInUse: Bool = false,
        on executor: any SerialExecutor
    ) throws(StorageError) {
        try PrivateFile.check(path)
        // SQLite cannot lock a file in a directory that is not writable, and a file without a log needs no locks. The
        // three characters are special in a URI.
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
            // A connection must be closed even if opening failed.
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
        // SQLite does not close a connection that has statements.
        statements = [:]
        // The pointer is used nowhere else. SQLite writes the log back and removes it with the last connection to a
        // file.
        unsafe sqlite3_close_v2(connection)
    }

    // MARK: Statements

    /// Runs a statement and keeps it prepared, so `sql` must be one of a few fixed texts.
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

    package func all<Value>(
        _ sql: String,
        _ values: SQLValue...,
        read: (borrowing Row) throws(StorageError) -> Value
    ) throws(StorageError) -> [Value] {
        var found: [Value] = []
        try run(sql, values: values) { row throws(StorageError) in found.append(try read(row)) }
        return found
    }

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

    /// The number of rows that the last statement changed.
    package var changes: Int { unsafe Int(sqlite3_changes64(connection)) }

    /// The rowid of the row that the last INSERT created.
    package var lastNumber: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

    private func statement(_ sql: String) throws(StorageError) -> Statement {
        executor.checkIsolated()
        if let kept = statements[sql] { return kept }
        let made = unsafe try Statement(sql, on: connection, file: file)
        statements[sql] = made
        return made
    }

    /// Runs SQL statements that return no rows, without keeping them prepared.
    package func script(_ sql: String) throws(StorageError) {
        executor.checkIsolated()
        // SQLite reads the text up to its NUL during the call.
        let result = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw StorageError(result: result, file: file) }
    }

    // MARK: Transactions

    /// Runs a body in a write transaction, which can't be nested; if it throws, all of its changes are undone.
    package func transaction<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
        try run("BEGIN IMMEDIATE")
        do throws(StorageError) {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // SQLite ends the transaction itself after some errors.
            if unsafe sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// Runs a body whose reads all see the same state of the file, at a lower cost than separate statements.
    package func snapshot<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
        try run("BEGIN")
        defer { try? run("COMMIT") }
        return try body()
    }

    /// Writes the log back to the file and truncates it, so that the log contains no older versions of blocks.
    ///
    /// - Throws: `SQLITE_BUSY` while another connection is using the file.
    package func emptyLog() throws(StorageError) {
        let isHeldUp = try first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) != 0 }
        if isHeldUp != false { throw StorageError(result: SQLITE_BUSY, file: file) }
    }

    /// Rewrites the file without the data that was removed; the time is proportional to the size of the file.
    package func erase() throws(StorageError) {
        try script("VACUUM")
        try emptyLog()
    }

    // MARK: The version

    /// The number of migrations that have run on the file; 0 for a new file.
    package func version() throws(StorageError) -> Int64 {
        try first("PRAGMA user_version") { $0.integer(0) } ?? 0
    }

    private func migrate(to schema: Schema) throws(StorageError) {
        guard try !isCurrent(schema) else { return }
        try transaction { () throws(StorageError) in
            for step in schema.migrations.dropFirst(Int(try version())) { try script(step) }
            try script("PRAGMA user_version = \(schema.version)")
        }
    }

    /// Whether all migrations of a schema have run on the file; throws `newerSchema` if the file has more migrations.
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

    /// Copies the current state of the file to a new file in steps, between which `isCancelled` is called.
    ///
    /// Other connections can write during the copy. The copy does not contain their changes.
    package func copy(to path: String, isCancelled: () -> Bool = { false }) throws(StorageError) {
        try PrivateFile.prepare(path)
        let copy = try Database(path, named: path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, on: executor)
        // All reads in one transaction see the same state.
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
        // The read makes SQLite notice the log of the copy. Without a log, the copy is a single file.
        _ = try copy.version()
        try copy.run("PRAGMA journal_mode = DELETE")
    }

    /// Returns whether SQLite's integrity check succeeds; its time is proportional to the size of the file.
    package func isSound() throws(StorageError) -> Bool {
        try all("PRAGMA integrity_check(1)") { $0.text(0) } == ["ok"]
    }

    /// Runs a body that `cancellation` can interrupt; throws `cancelled` if it does.
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

/// The tables of one kind of file, as a list of migrations.
///
/// `PRAGMA user_version` is the number of migrations that have run on a file. Never change a released migration, but
/// append a new migration.
package struct Schema: Sendable {
    package let migrations: [String]

    package var version: Int64 { Int64(migrations.count) }

    package init(migrations: [String]) { self.migrations = migrations }
}
