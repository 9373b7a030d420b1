import CSQLite
package import EventLoop

/// One SQLite file, open.
///
/// It has one owner, an actor, on a loop whose thread does nothing but storage: calls block until the disk has done its
/// part, which the loop that serves clients must never wait for. It is opened without SQLite's own mutex, since that
/// thread is the mutex: a call from any other traps. It lets go of the file in its deinit.
///
/// `@safe`: its pointer is its own from init to deinit.
@safe
package final class Database {
    /// What makes a commit one step, and what it has survived when it returns.
    package enum Journal: Sendable {
        /// Changes go into a log ahead of the file, and the commit waits until the disk has them: power loss undoes
        /// nothing that was committed. Readers never wait.
        case log
        /// Blocks that are about to change are copied beside the file, and the next process that opens it puts them
        /// back if this process did not come to the commit: its end, whenever, costs at most the transaction under way.
        ///
        /// Nothing waits for the disk, so power loss may leave the file damaged, or as a mixture of what it was: for
        /// what can be lost, and tells itself whether it is whole. It costs a fraction of a log: new blocks are written
        /// once, and nothing of them is copied. Other processes wait while a commit is written. What is deleted stays
        /// in the file until its blocks are used again.
        case undo
    }

    /// The blocks of a new file, where its owner says nothing else.
    package static let blockBytesDefault = 4096
    /// How much may wait in the log until it is written back into the file.
    static let logBytesMax = 4 << 20
    /// How long another process may hold the lock.
    package static let busyMilliseconds: Int32 = 5_000

    package let path: String
    let file: String
    private let loop: EventLoop
    private let connection: OpaquePointer
    /// Whether it is a copy of a damaged file, which nobody else has open.
    let isDamaged: Bool
    /// Which files of a log were beside it when it was opened; as long as it is open they stay.
    private var logFiles: [UInt64?] = []
    /// By the addresses of their texts, which are constants of the program.
    private var statements: [Int: Statement] = [:]

    /// Opens the file, makes it when it is missing, and brings its tables up to date.
    ///
    /// On the loop.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - schema: Its tables.
    ///   - journal: What a commit survives.
    ///   - blockBytes: What a new file is read and written in; one that is there keeps its own.
    ///   - loop: The owner's.
    /// - Throws: Why it can't be used.
    package init(
        _ path: String,
        schema: Schema,
        journal: Journal,
        blockBytes: Int = Database.blockBytesDefault,
        on loop: EventLoop
    ) throws(StorageError) {
        loop.checkIsolated()
        self.path = path
        self.loop = loop
        file = PrivateFile.name(of: path)
        isDamaged = false
        try PrivateFile.prepare(path)
        unsafe connection = try Self.connect(path, file: file)
        try configure(journal, blockBytes: blockBytes, logBlocksMax: Self.logBytesMax / blockBytes)
        try migrate(to: schema)
        if case .log = journal { logFiles = Self.logFiles(of: path) }
    }

    /// Opens a copy of a damaged file as it is.
    ///
    /// - Throws: When SQLite can't make anything of it.
    init(damaged path: String, on loop: EventLoop) throws(StorageError) {
        loop.checkIsolated()
        self.path = path
        self.loop = loop
        file = PrivateFile.name(of: path)
        isDamaged = true
        unsafe connection = try Self.connect(path, file: file)
        // With the first of these SQLite reads a file that is shorter than its header says, and what it can of a
        // schema.
        try script("PRAGMA writable_schema = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY")
    }

    deinit {
        // Statements hold on to the connection.
        statements = [:]
        // Nothing else has the pointer. The last to close a file writes its log back and removes it.
        unsafe sqlite3_close_v2(connection)
    }

    private static func connect(_ path: String, file: String) throws(StorageError) -> OpaquePointer {
        var made: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        let result = unsafe sqlite3_open_v2(path, &made, flags, nil)
        guard result == SQLITE_OK, let made = unsafe made else {
            // A connection that failed to open must be closed too.
            unsafe sqlite3_close_v2(made)
            throw StorageError(result: result, file: file)
        }
        unsafe sqlite3_extended_result_codes(made, 1)
        unsafe sqlite3_busy_timeout(made, Self.busyMilliseconds)
        return unsafe made
    }

    /// Whether the file that is open is the one under its name, and has its log beside it.
    ///
    /// Otherwise what is written is lost for the next that opens it. It costs three system calls.
    package var isInPlace: Bool {
        loop.checkIsolated()
        var hasMoved: Int32 = 0
        // SQLite writes one number during the call.
        let result = unsafe sqlite3_file_control(connection, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        guard result == SQLITE_OK, hasMoved == 0 else { return false }
        return logFiles.isEmpty || (logFiles == Self.logFiles(of: path) && !logFiles.contains(nil))
    }

    private static func logFiles(of path: String) -> [UInt64?] {
        ["-wal", "-shm"].map { PrivateFile.number(of: path + $0) }
    }

    // MARK: Statements

    /// Runs a statement; prepared at its first use and kept.
    ///
    /// - Parameters:
    ///   - sql: One of the room's own constants: there are as many kept statements as there are different texts.
    ///   - values: For its placeholders, in order.
    ///   - row: Called for every row.
    /// - Throws: What SQLite or `row` says; what was changed before stays changed, unless it is in a transaction.
    package func run(
        _ sql: StaticString,
        _ values: SQLValue...,
        row: (borrowing Row) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) {
        try statement(sql).run(values, row)
    }

    /// The same with values in a list.
    package func run(
        _ sql: StaticString,
        values: [SQLValue],
        row: (borrowing Row) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) {
        try statement(sql).run(values, row)
    }

    /// Runs a statement that gives no rows, with many bytes for its last parameter: they are not copied.
    package func run(_ sql: StaticString, _ values: SQLValue..., lending bytes: [UInt8]) throws(StorageError) {
        try statement(sql).run(values, lending: bytes)
    }

    /// The first row's value; nil when there is no row.
    package func first<Value>(
        _ sql: StaticString,
        _ values: SQLValue...,
        read: (borrowing Row) -> Value
    ) throws(StorageError) -> Value? {
        var found: Value?
        try statement(sql).run(values) { row throws(StorageError) in
            if found == nil { found = read(row) }
        }
        return found
    }

    /// Rows that the last statement changed.
    package var changes: Int {
        loop.checkIsolated()
        return unsafe Int(sqlite3_changes64(connection))
    }

    /// The number of the row that the last INSERT has made.
    package var lastNumber: Int64 {
        loop.checkIsolated()
        return unsafe sqlite3_last_insert_rowid(connection)
    }

    private func statement(_ sql: StaticString) throws(StorageError) -> Statement {
        loop.checkIsolated()
        // Only the address is used: nothing is read there.
        let address = unsafe Int(bitPattern: sql.utf8Start)
        if let kept = statements[address] { return kept }
        let made = try prepare("\(sql)")
        statements[address] = made
        return made
    }

    /// A statement that is not kept; the caller must let go of it before the database.
    func prepare(_ sql: String) throws(StorageError) -> Statement {
        loop.checkIsolated()
        return unsafe try Statement(sql, on: connection, file: file)
    }

    /// Runs a script that gives no rows and is not kept.
    func script(_ sql: String) throws(StorageError) {
        loop.checkIsolated()
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
            rollBack()
            throw error
        }
    }

    /// Lets a body read the file as it is at its beginning, and for less than each statement would take alone.
    package func snapshot<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
        try run("BEGIN")
        defer { try? run("COMMIT") }
        return try body()
    }

    /// Lets a body see what it changes, and takes all of it back.
    package func undoing<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
        try run("BEGIN IMMEDIATE")
        defer { rollBack() }
        return try body()
    }

    private func rollBack() {
        // Some failures have ended the transaction already.
        if unsafe sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
    }
}
