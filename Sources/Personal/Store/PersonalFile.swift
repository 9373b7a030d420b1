import EventLoop
import Storage

/// One user's file: opened when it is needed, put back when it was removed, renewed when it is damaged.
///
/// What an open file holds is not lost when its name is taken from it: it stays open until its contents stand under the
/// name again. Confined to the loop of its owner.
final class PersonalFile {
    private let names: PersonalFileNames
    private let loop: EventLoop
    /// Gets a line for the log.
    private let report: @Sendable (String) -> Void
    private var tables: PersonalTables?
    /// Open, but no longer under its name.
    private var removed: PersonalTables?
    /// The latest revision that anyone was told of.
    private var revision: Int64 = 0

    init(_ path: String, on loop: EventLoop, report: @escaping @Sendable (String) -> Void) {
        names = PersonalFileNames(file: path)
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

    // MARK: Opening

    private func open() throws(StorageError) -> PersonalTables {
        if let tables, tables.database.isInPlace { return tables }
        if let removed, removed.database.isInPlace {
            // Its name has been given back to it.
            (tables, self.removed) = (removed, nil)
            return removed
        }
        if let tables { (removed, self.tables) = (tables, nil) }
        try putInPlace()
        let opened = try make(names.file)
        // Another file that stands there by now is the user's own choice.
        removed = nil
        tables = opened
        return opened
    }

    /// Makes sure that a whole file stands under the name.
    ///
    /// - Throws: Also when what stands there is damaged.
    private func putInPlace() throws(StorageError) {
        try names.tidy()
        if names.isThere {
            if let damage = DatabaseFile.damage(of: names.file) { throw damage }
            return
        }
        if let removed {
            try makeNew { made throws(StorageError) in _ = try made.takeOver(removed, after: revision) }
            try names.place(names.new)
            return report("\(names.file) was removed while it was in use; it has been written again")
        }
        // A log without its file holds what was saved.
        if let damage = DatabaseFile.damage(of: names.file) { throw damage }
        try makeNew { _ in }
        try names.place(names.new)
    }

    private func make(_ path: String) throws(StorageError) -> PersonalTables {
        try PersonalTables(Database(path, schema: PersonalSchema.schema, journal: .log, on: loop))
    }

    /// Makes a complete file under the name of a new one, and closes it.
    private func makeNew(_ fill: (PersonalTables) throws(StorageError) -> Void) throws(StorageError) {
        try DatabaseFile.remove(names.new)
        let tables = try make(names.new)
        try fill(tables)
        // It is moved without a log.
        try tables.database.emptyLog()
    }

    // MARK: Damage

    /// Sets the file aside, and makes another of what can be read of it.
    ///
    /// If this process ends on the way, the next one goes on or begins anew: the file is moved when the other is
    /// complete.
    private func renew(at now: Int64, because error: StorageError) throws(StorageError) {
        tables = nil
        let known = max(revision, now * 1000)
        var count = 0
        try Database.rescuing(names.file, at: names.copy, on: loop) { copy throws(StorageError) in
            let old = copy.flatMap { try? PersonalTables($0) }
            try makeNew { made throws(StorageError) in count = try made.takeOver(old, after: known) }
        }
        try DatabaseFile.move(names.new, to: names.rescued)
        let aside = try names.setAside(at: now)
        report("\(names.file) was damaged (\(error.message)): \(count) items could be read, and \(aside) has been kept")
    }

    /// Removes every file that was set aside: what can be read of them is in this one.
    func removeSetAside() throws(StorageError) {
        let count = try PersonalDamage.removeAll(of: names.file)
        guard count > 0 else { return }
        report("searches were erased from \(names.file); \(count) files have been removed that were kept after damage")
    }
}
