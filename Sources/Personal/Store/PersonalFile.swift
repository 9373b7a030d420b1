import EventLoop
import Glibc
import Storage

/// One user's file: opened when it is needed, put back when it was removed, renewed when it is damaged.
///
/// What an open file holds is not lost when its name is taken from it: it stays open until its contents stand under the
/// name again. Confined to the loop of its owner.
final class PersonalFile {
    /// What SQLite puts beside a file.
    private static let companions = ["", "-wal", "-shm"]

    private let path: String
    private let loop: EventLoop
    /// Gets a line for the log.
    private let report: @Sendable (String) -> Void
    private var tables: PersonalTables?
    /// Open, but no longer under its name.
    private var removed: PersonalTables?
    /// The latest revision that anyone was told of.
    private var revision: Int64 = 0

    init(_ path: String, on loop: EventLoop, report: @escaping @Sendable (String) -> Void) {
        self.path = path
        self.loop = loop
        self.report = report
    }

    var isOpen: Bool { tables != nil }

    /// Lets go of the file, unless it holds what stands nowhere else.
    func close() {
        tables = nil
    }

    /// Reads or writes the file; when that shows it to be damaged, once more with what could be read of it.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970.
    ///   - body: Is called twice at most.
    /// - Returns: What the body returned.
    /// - Throws: Why it can't be used.
    func use<Value>(
        at now: Int64,
        _ body: (PersonalTables) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        do throws(StorageError) {
            return try attempt(body)
        } catch {
            guard error.code.isCorrupt else { throw error }
            try renew(at: now, because: error)
            return try attempt(body)
        }
    }

    private func attempt<Value>(_ body: (PersonalTables) throws(StorageError) -> Value) throws(StorageError) -> Value {
        let tables = try open()
        do throws(StorageError) {
            let value = try body(tables)
            revision = max(revision, tables.library.memory.revision)
            return value
        } catch {
            // It is opened again next time, unless it is all there is.
            if tables.database.isInPlace { self.tables = nil }
            throw error
        }
    }

    private func open() throws(StorageError) -> PersonalTables {
        if let tables, tables.database.isInPlace { return tables }
        if let removed, removed.database.isInPlace {
            // Its name has been given back to it.
            (tables, self.removed) = (removed, nil)
            return removed
        }
        if let tables { (removed, self.tables) = (tables, nil) }
        let isMissing = PrivateFile.number(of: path) == nil
        let opened = try make()
        if let removed {
            // Another file that stands there by now is the user's own choice.
            if isMissing {
                _ = try opened.takeOver(removed, after: revision)
                report("\(path) was removed while it was in use; it has been written again")
            }
            self.removed = nil
        }
        tables = opened
        return opened
    }

    private func make() throws(StorageError) -> PersonalTables {
        try PersonalTables(Database(path, schema: PersonalSchema.schema, journal: .log, on: loop))
    }

    /// Sets the file aside, and makes another of what can be read of it.
    private func renew(at now: Int64, because error: StorageError) throws(StorageError) {
        tables = nil
        let aside = PersonalDamage.name(of: path, at: now)
        for companion in Self.companions {
            let result = unsafe rename(path + companion, aside + companion)
            guard result == 0 || !companion.isEmpty else { throw error }
        }
        let made = try make()
        let count = try Database.rescuing(aside, at: "\(path).copy", on: loop) { old throws(StorageError) in
            guard let old = old.flatMap({ try? PersonalTables($0) }) else { return 0 }
            return try made.takeOver(old, after: revision)
        }
        report("\(path) was damaged (\(error.message)): \(count) items could be read, and \(aside) has been kept")
        tables = made
    }
}
