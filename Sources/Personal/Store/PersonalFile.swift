import EventLoop
import Storage

/// One user's file in use: opened when it is needed, and closed while it is mended on another thread.
///
/// Confined to the storage thread.
final class PersonalFile {
    /// What came of a use.
    enum Use<Value> {
        case done(Result<Value, StorageError>)
        /// The file is being mended: try again when `whenReady` calls back.
        case later
    }

    /// Work that needs the file closed, and has it to itself.
    typealias Work = @Sendable (FileKeeper) throws(StorageError) -> Void

    private enum State {
        case closed
        case open(PersonalTables)
        /// Others wait for the end of some work.
        case mending(waiting: [@Sendable () -> Void])
        /// It could not be mended.
        case broken(StorageError, until: Instant)
    }

    /// How long a file that could not be mended is left alone.
    private static let retryAfter = Duration.seconds(10)

    private let files: UserFiles
    private let loop: EventLoop
    private var state = State.closed
    /// The latest revision that anyone was told.
    private(set) var revision: Int64 = 0
    /// A file that is damaged again at once is left alone, too.
    private var mendedAt: Instant?

    init(_ files: UserFiles, on loop: EventLoop) {
        (self.files, self.loop) = (files, loop)
    }

    /// Reads or writes the file.
    ///
    /// - Returns: `later` when it is being mended, or must be; `mend` is called with the reason then.
    func use<Value>(
        _ body: (PersonalTables) throws(StorageError) -> Value,
        mend: (StorageError) -> Void
    ) -> Use<Value> {
        switch state {
        case .mending: return .later
        case .broken(let error, let until) where loop.now < until: return .done(.failure(error))
        case .closed, .open, .broken: break
        }
        do throws(StorageError) {
            let tables = try tables()
            let value = try body(tables)
            revision = max(revision, try tables.library.revision())
            return .done(.success(value))
        } catch {
            // It is opened again at the next use.
            state = .closed
            let isTooSoon = mendedAt.map { $0.duration(to: loop.now) < Self.retryAfter } ?? false
            let isWritable = PrivateFile.isWritable(PrivateFile.directory(of: files.file))
            guard error.isMendable, isWritable, !isTooSoon else { return .done(.failure(error)) }
            if error.code != .olderSchema { mendedAt = loop.now }
            mend(error)
            return .later
        }
    }

    private func tables() throws(StorageError) -> PersonalTables {
        if case .open(let tables) = state { return tables }
        let tables = try open()
        state = .open(tables)
        return tables
    }

    private func open() throws(StorageError) -> PersonalTables {
        guard PrivateFile.isWritable(PrivateFile.directory(of: files.file)) || !files.exist else {
            return try PersonalTables(Database(reading: files.file, on: loop))
        }
        try files.tidy()
        if !PrivateFile.isThere(files.file) {
            // It gets its name when it is complete: an empty file is a damaged one.
            try PrivateFile.remove(files.unfinished)
            try PersonalTables.complete(files.unfinished, on: loop).database.emptyLog()
            try files.place(files.unfinished)
        }
        guard PrivateFile.size(of: files.file) != 0 else { throw .empty(files.file) }
        // An older file is migrated on another thread.
        _ = try PersonalTables(Database(reading: files.file, on: loop))
        return try PersonalTables(Database(files.file, schema: PersonalSchema.schema, journal: .log, on: loop))
    }

    var isInWork: Bool { if case .mending = state { true } else { false } }

    /// Closes the file until the work under way ends; false when such work is under way already.
    func beginWork() -> Bool {
        guard !isInWork else { return false }
        state = .mending(waiting: [])
        return true
    }

    /// Work that has failed leaves the file alone for a while.
    func endWork(_ failure: StorageError?) {
        guard case .mending(let waiting) = state else { return }
        state = failure.map { .broken($0, until: loop.now.advanced(by: Self.retryAfter)) } ?? .closed
        for job in waiting { job() }
    }

    /// Calls back when work ends; at once when there is none.
    func whenReady(_ job: @escaping @Sendable () -> Void) {
        guard case .mending(let waiting) = state else { return job() }
        state = .mending(waiting: waiting + [job])
    }

    func close() {
        if case .open = state { state = .closed }
    }
}

extension StorageError {
    /// Whether there is something to be done about it while the file is closed.
    var isMendable: Bool { code.isCorrupt || code == .damagedRow || code == .olderSchema }

    static func empty(_ path: String) -> StorageError {
        StorageError(.empty, file: PrivateFile.name(of: path), message: "\(path) is empty", hint: "Restore a copy.")
    }
}
