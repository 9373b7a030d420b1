import CSQLite

/// A prepared statement; `@safe`: the pointer is private and valid from init to deinit.
@safe
final class Statement {
    private let pointer: OpaquePointer
    private let file: String

    init(_ sql: String, on connection: OpaquePointer, file: String) throws(StorageError) {
        var made: OpaquePointer?
        // SQLite reads the text up to its NUL during the call.
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let result = unsafe sqlite3_prepare_v3(connection, sql, -1, flags, &made, nil)
        guard result == SQLITE_OK, let made = unsafe made else { throw StorageError(result: result, file: file) }
        unsafe pointer = made
        self.file = file
    }

    deinit {
        // The database releases its statements before it closes the connection.
        unsafe sqlite3_finalize(pointer)
    }

    func run(_ values: [SQLValue], _ row: (borrowing Row) throws(StorageError) -> Void) throws(StorageError) {
        defer {
            unsafe sqlite3_reset(pointer)
            unsafe sqlite3_clear_bindings(pointer)
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        while true {
            switch unsafe sqlite3_step(pointer) {
            case SQLITE_DONE: return
            case SQLITE_ROW: try row(unsafe Row(statement: pointer))
            case let result: throw StorageError(result: result, file: file)
            }
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) throws(StorageError) {
        // SQLite copies texts and blobs during the call.
        let result =
            switch value {
            case .null: unsafe sqlite3_bind_null(pointer, index)
            case .integer(let number): unsafe sqlite3_bind_int64(pointer, index, number)
            case .text(let text): unsafe csqlite_bind_text(pointer, index, text, text.utf8.count)
            case .blob(let bytes): unsafe csqlite_bind_blob(pointer, index, bytes, bytes.count)
            }
        guard result == SQLITE_OK else { throw StorageError(result: result, file: file) }
    }
}

/// The current row of a statement; `@safe`, because it is valid only during the call that passes it.
@safe
package struct Row: ~Copyable {
    private let statement: OpaquePointer

    fileprivate init(statement: OpaquePointer) {
        unsafe self.statement = statement
    }

    package func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(statement, column)
    }

    package func bool(_ column: Int32) -> Bool { integer(column) != 0 }

    package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }

    package func text(_ column: Int32) -> String {
        String(decoding: blob(column), as: UTF8.self)
    }

    package func blob(_ column: Int32) -> [UInt8] {
        // Fetching the pointer may change the size, so the size is fetched last. Both are valid until the next step.
        guard let bytes = unsafe sqlite3_column_blob(statement, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}

package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    package static func integer(_ number: Int) -> SQLValue { .integer(Int64(number)) }
}
