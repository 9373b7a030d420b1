import EventLoop
import Storage

/// One user's file while it is in use; opened when it is needed.
///
/// Confined to the storage thread.
final class PersonalFile {
    private let files: UserFiles
    private let loop: EventLoop
    private var tables: PersonalTables?
    /// The latest revision that anyone was told.
    private(set) var revision: Int64 = 0

    init(_ files: UserFiles, on loop: EventLoop) {
        (self.files, self.loop) = (files, loop)
    }

    /// Reads or writes the file.
    ///
    /// - Throws: Why that failed; the file is opened again at the next use.
    func use<Value>(_ body: (PersonalTables) throws(StorageError) -> Value) throws(StorageError) -> Value {
        do throws(StorageError) {
            let tables = if let tables { tables } else { try open() }
            self.tables = tables
            let value = try body(tables)
            revision = max(revision, try tables.library.revision())
            return value
        } catch {
            close()
            throw error
        }
    }

    func close() { tables = nil }

    private func open() throws(StorageError) -> PersonalTables {
        guard PrivateFile.isWritable(PrivateFile.directory(of: files.file)) || !files.exist else {
            return try PersonalTables(Database(reading: files.file, on: loop))
        }
        try files.tidy()
        if !PrivateFile.isThere(files.file) {
            // It gets its name when it is complete: an empty file is a damaged one.
            try PrivateFile.remove(files.unfinished)
            try PersonalTables.complete(files.unfinished, on: loop) { _ in }
            try files.place(files.unfinished)
        }
        guard PrivateFile.size(of: files.file) != 0 else { throw .empty(files.file) }
        // An older file is migrated on another thread.
        _ = try PersonalTables(Database(reading: files.file, on: loop))
        return try PersonalTables(Database(files.file, schema: PersonalSchema.schema, journal: .log, on: loop))
    }
}

extension StorageError {
    /// Whether something can be done about it while the file is closed.
    var isMendable: Bool { code.isCorrupt || code == .damagedRow || code == .olderSchema }

    static func empty(_ path: String) -> StorageError {
        StorageError(.empty, file: PrivateFile.name(of: path), message: "\(path) is empty", hint: "Restore a copy.")
    }
}
