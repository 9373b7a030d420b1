import CSQLite

/// An open SQLite file, used only on one executor, whose threads may block on the disk.
///
/// `@safe`: the pointer is private and valid from init to deinit.
@safe
package final class Database {
    /// In both modes, all commits survive a crash of the process.
    package enum Journal: Sendable {
        case log
        /// Faster for large values: they are written once instead of twice, and in large blocks.
        ///
        /// A loss of power may damage the file, and removed data stays in it until `erase`.
        case unsyncedUndo

        fileprivate var settings: String {
            switch self {
            case .log: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON"
            case .unsyncedUndo:
                "PRAGMA page_size = 32768; PRAGMA journal_mode = PERSIST; PRAGMA synchronous = OFF; PRAGMA secure_delete = OFF"
            }
        }
    }

    private static let logBlocksMax = 4096
    private static let busyMilliseconds: Int32 = 5_000
    private static let copiedBlocks: Int32 = 256

    package let path: String
    let file: String
    private let executor: any SerialExecutor
    private let connection: OpaquePointer
    private var statements: [String: Statement] = [:]

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
            \(journal.settings);
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

    /// `isInUse` must be true if another connection may write to the file.
    package convenience init(
        reading path: String,
        isInUse: Bool = false,
        on executor: any SerialExecutor
    ) throws(StorageError) {
        try PrivateFile.check(path)
        // SQLite can't lock a file in a read-only directory, so a file without a log is opened without a lock.
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
        // The pointer is used nowhere else.
        unsafe sqlite3_close_v2(connection)
    }

    // MARK: Statements

    /// Keeps the statement prepared, so `sql` must be one of a few fixed texts.
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

    package var changes: Int { unsafe Int(sqlite3_changes64(connection)) }

    package var lastNumber: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

    private func statement(_ sql: String) throws(StorageError) -> Statement {
        executor.checkIsolated()
        if let kept = statements[sql] { return kept }
        let made = unsafe try Statement(sql, on: connection, file: file)
        statements[sql] = made
        return made
    }

    package func script(_ sql: String) throws(StorageError) {
        executor.checkIsolated()
        // SQLite reads the text up to its NUL during the call.
        let result = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw StorageError(result: result, file: file) }
    }

    // MARK: Transactions

    /// Can't be nested; if the body throws, all of its changes are undone.
    package func transaction<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
        try run("BEGIN IMMEDIATE")
        do throws(StorageError) {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            if unsafe sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// All reads in the body see the same state of the file.
    package func snapshot<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
        try run("BEGIN")
        defer { try? run("COMMIT") }
        return try body()
    }

    /// Truncates the log; throws `SQLITE_BUSY` while another connection uses the file.
    package func emptyLog() throws(StorageError) {
        let isHeldUp = try first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) != 0 }
        if isHeldUp != false { throw StorageError(result: SQLITE_BUSY, file: file) }
    }

    /// Only for `unsyncedUndo`: overwrites removed data, in time proportional to the size of the file.
    package func erase() throws(StorageError) {
        try script("VACUUM; PRAGMA journal_mode = DELETE; PRAGMA journal_mode = PERSIST")
    }

    // MARK: The version

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

    /// Throws `newerSchema` if a newer program has changed the file.
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

    /// Copies the current state to a new file, while other connections can write; calls `isCancelled` between steps.
    package func copy(to path: String, isCancelled: () -> Bool = { false }) throws(StorageError) {
        try PrivateFile.prepare(path)
        let copy = try Database(path, named: path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, on: executor)
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
        // SQLite notices the log of the copy only after a read. DELETE removes the log, so the copy is a single file.
        _ = try copy.version()
        try copy.run("PRAGMA journal_mode = DELETE")
    }

    /// Takes time proportional to the size of the file.
    package func isSound() throws(StorageError) -> Bool {
        try all("PRAGMA integrity_check(1)") { $0.text(0) } == ["ok"]
    }

    /// Throws `cancelled` if `cancellation` interrupts the body.
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

/// The tables of one kind of file; to change them, append a migration, and never change a released one.
package struct Schema: Sendable {
    package let migrations: [String]

    package var version: Int64 { Int64(migrations.count) }

    package init(migrations: [String]) { self.migrations = migrations }
}
