package import EventLoop
import JSON
package import SearchModel
import Storage

/// Where users' data is, and the threads that work on it.
package struct PersonalPlace: Sendable {
    package let directory: String
    /// Reads and writes the files.
    package let turns: UserTurns
    /// Makes copies and mends files, which takes long.
    package let keeping: UserTurns

    package init(_ directory: String, on loop: EventLoop, keeping: EventLoop) {
        (self.directory, turns, self.keeping) = (directory, UserTurns(on: loop), UserTurns(on: keeping))
    }
}

/// One user's data in a file of its own.
///
/// A change is answered when it will survive power loss. Changes that come while the disk works share the next commit,
/// in the order in which they came, each whole or not at all. Followers are told of each, in the order of the
/// revisions.
///
/// `@unchecked Sendable`: its variables are confined to the storage thread, where all jobs of `turns` run.
package final class PersonalStore: @unchecked Sendable {
    /// Changes that wait for the disk at a time.
    package static let pendingMax = 4096
    /// How many share a commit, and how long after its beginning more may join.
    private static let (batchMax, joiningMax) = (256, Duration.milliseconds(100))
    /// How long a commit goes on before other users have their turn.
    private static let turnMax = Duration.milliseconds(50)
    /// A file that is not used for so long is closed.
    package static let idleMax = Duration.seconds(60)
    /// How often the file is copied, in seconds, and how often the store checks whether a copy is due.
    package static let copyEvery: Int64 = 86_400
    private static let checkEvery = Duration.seconds(600)
    /// How long a file is left alone that could not be mended, or is damaged again at once.
    private static let mendEvery = Duration.seconds(10)

    private struct Pending: Sendable {
        let request: LibraryRequest
        let now: Int64
        let answer: @Sendable (Result<LibraryOutcome, SearchError>) -> Void
    }

    /// A commit under way, in one or several turns.
    private struct Commit {
        var writer: LibraryWriter
        var results: [Result<LibraryOutcome, SearchError>] = []
        let joinsUntil: Instant
    }

    private typealias CopyAnswer = @Sendable (Result<PersonalCopy, SearchError>) -> Void

    private let userID: UInt32
    private let place: PersonalPlace
    private let files: UserFiles
    private let wallClock: @Sendable () -> Int64
    private let report: @Sendable (String) -> Void
    private let whenRenewed: @Sendable () -> Void
    private let whenCommitted: @Sendable ([LibraryChange], _ answer: @escaping @Sendable () -> Void) -> Void
    private let queue = Locked<[Pending]>([])
    private let failure = Locked<SearchError?>(nil)
    /// Of copies that are being made.
    private let cancellation = Cancellation()

    private let file: PersonalFile
    private var usedAt: Instant
    private var closing: Timer?
    private var committing: Commit?
    /// Of the latest query.
    private var listing: LibraryListing?
    private var seenListing: SeenListing?
    private var isCopying = false
    private var checksForCopyAt: Instant
    /// Nil when they may have changed.
    private var knownCopies: [PersonalCopy]?
    /// When the file was mended last, and why it could not be.
    private var mended: (at: Instant, failure: StorageError?)?

    private var loop: EventLoop { place.turns.loop }

    /// - Parameters:
    ///   - userID: The owner of the data.
    ///   - place: Where the file is, which is opened at its first use.
    ///   - wallClock: Seconds since 1970.
    ///   - report: Gets a line for the log when something was damaged, or no copy can be made.
    ///   - whenRenewed: Called when items may be missing or older than before.
    ///   - whenCommitted: Called on the storage thread with the changes of a commit; callers get their answers when it
    ///     calls `answer`, on whatever thread, which it must.
    package init(
        of userID: UInt32,
        in place: PersonalPlace,
        wallClock: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String) -> Void = { _ in },
        whenRenewed: @escaping @Sendable () -> Void = {},
        whenCommitted: @escaping @Sendable ([LibraryChange], _ answer: @escaping @Sendable () -> Void) -> Void = {
            $1()
        }
    ) {
        (self.userID, self.place, self.wallClock, self.report) = (userID, place, wallClock, report)
        (self.whenRenewed, self.whenCommitted) = (whenRenewed, whenCommitted)
        files = UserFiles(of: userID, in: place.directory)
        file = PersonalFile(files, on: place.turns.loop)
        usedAt = place.turns.loop.now
        checksForCopyAt = usedAt
    }

    /// Whether anything is kept of the user; a user without data needs no file.
    var hasFile: Bool { files.exist }

    /// Seconds since 1970.
    var now: Int64 { wallClock() }

    // MARK: Changing

    /// Changes the library; when this returns, the change is durable.
    ///
    /// - Throws: The user's mistake, `overloaded`, or `unavailable` when the file can't be written: then nothing of it
    ///   is done.
    package func perform(_ request: LibraryRequest) async throws(SearchError) -> LibraryOutcome {
        try await withCheckedContinuation { continuation in
            let pending = Pending(request: request, now: wallClock()) { continuation.resume(returning: $0) }
            let count = queue.withLock { queue in
                guard queue.count < Self.pendingMax else { return 0 }
                queue.append(pending)
                return queue.count
            }
            switch count {
            case 0: pending.answer(.failure(Self.overloaded))
            // The one that finds the queue empty has it emptied.
            case 1: place.turns.add(for: userID) { [self] in commit() }
            default: break
            }
        }.get()
    }

    /// Why the latest changes could not be written; from any thread.
    package var writeFailure: SearchError? { failure.withLock { $0 } }

    /// Commits the changes that wait, which are one job and share its commit.
    private func commit() {
        attempt { [self] tables throws(StorageError) -> [Result<LibraryOutcome, SearchError>]? in
            let end = loop.now.advanced(by: Self.turnMax)
            var commit = if let committing { committing } else { try begin(in: tables) }
            committing = nil
            repeat {
                if try commit.writer.writeNext() { continue }
                let isFirst = commit.results.isEmpty
                guard let pending = pending(commit.results.count), isFirst || loop.now < commit.joinsUntil else {
                    try commit.writer.finish()
                    try tables.database.run("COMMIT")
                    return commit.results
                }
                commit.results.append(try commit.writer.perform(pending.request, at: pending.now))
            } while loop.now < end
            committing = commit
            return nil
        } answer: { [self] outcome in
            let (batch, isMore) = queue.withLock { queue in
                let batch = Array(queue.prefix((try? outcome.get().count) ?? Self.batchMax))
                queue.removeFirst(batch.count)
                return (batch, !queue.isEmpty)
            }
            if isMore { place.turns.add(for: userID) { [self] in commit() } }
            failure.withLock { $0 = if case .failure(let error) = outcome { error } else { nil } }
            switch outcome {
            case .success(let results):
                whenCommitted(results.compactMap { (try? $0.get())?.change }) {
                    for (pending, result) in zip(batch, results) { pending.answer(result) }
                }
            case .failure(let error):
                for pending in batch { pending.answer(.failure(error)) }
            }
        }
    }

    /// Begins a transaction, which an error ends by closing the file.
    private func begin(in tables: PersonalTables) throws(StorageError) -> Commit {
        try tables.database.run("BEGIN IMMEDIATE")
        return Commit(
            writer: try LibraryWriter(tables.library),
            joinsUntil: loop.now.advanced(by: Self.joiningMax)
        )
    }

    /// A change that waits; nil when no more may share a commit.
    private func pending(_ index: Int) -> Pending? {
        queue.withLock { index < min($0.count, Self.batchMax) ? $0[index] : nil }
    }

    private static let overloaded = SearchError(
        .overloaded,
        "Too many changes wait for the disk.",
        retryable: true,
        retryAfter: .seconds(1)
    )

    // MARK: Reading

    package func item(_ id: String) async throws(SearchError) -> SavedItem? {
        guard hasFile else { return nil }
        return try await use { tables throws(StorageError) in try tables.library.item(id) }
    }

    /// Returns a part of the library; the order is found once for all pages of a query.
    package func page(_ query: LibraryQuery) async throws(SearchError) -> LibraryPage {
        try await useInTurns { [self] tables throws(StorageError) in
            let table = tables.library
            if query.isPlain {
                return try table.database.snapshot { () throws(StorageError) in try LibraryPage(all: query, of: table) }
            }
            let revision = try table.revision()
            if listing?.isOf(query, revision) != true { listing = LibraryListing(query, revision) }
            guard try listing?.advance(in: table.database) == true else { return nil }
            return try listing?.page(query, of: table)
        }
    }

    /// Returns a part of what searches returned, the best match first.
    func seenPage(_ query: LibraryQuery, _ words: TypedWords, since oldest: Int64) async throws(SearchError) -> OwnHits
    {
        try await use { [self] tables throws(StorageError) in
            if seenListing?.isOf(query, since: oldest) != true {
                seenListing = try SeenListing(query, words, since: oldest, in: tables.seen)
            }
            return try seenListing?.page(query, of: tables.seen) ?? OwnHits()
        }
    }

    /// To be called on the storage thread when what searches returned has changed.
    func seenChanged() { seenListing = nil }

    package func savedIDs() async throws(SearchError) -> SavedIDs {
        guard hasFile else { return SavedIDs() }
        let reading = Locked((ids: SavedIDs(), last: ""))
        return try await useInTurns { tables throws(StorageError) in
            try reading.withLock { reading throws(StorageError) in
                try tables.library.readIDs(into: &reading.ids, after: &reading.last) ? reading.ids : nil
            }
        }
    }

    package func revision() async throws(SearchError) -> Int64 {
        guard hasFile else { return 0 }
        return try await use { tables throws(StorageError) in try tables.library.revision() }
    }

    /// Returns a part of what is different from a position on; nil when its revision is not known any more, so that all
    /// must be read again.
    package func changes(
        after position: LibraryPosition,
        bytesMax: Int = LibraryChanges.bytesMax
    ) async throws(SearchError) -> LibraryChanges? {
        try await use { tables throws(StorageError) in
            try tables.library.changes(after: position, bytesMax: bytesMax)
        }
    }

    /// The sources whose items are to be looked up again.
    package func refreshSources() async throws(SearchError) -> [SourceName] {
        guard hasFile else { return [] }
        return try await use { tables throws(StorageError) in try RefreshTable(database: tables.database).sources() }
    }

    /// The next item of a source that is to be looked up again, in turn after the one with a number.
    package func nextRefresh(of source: SourceName, after number: Int64) async throws(SearchError) -> QueuedRefresh? {
        try await use { tables throws(StorageError) in
            try RefreshTable(database: tables.database).next(of: source, after: number)
        }
    }

    // MARK: Copies and damage

    /// Makes a copy of the file as it is now.
    package func backUp() async throws(SearchError) -> PersonalCopy {
        // A file that is missing is created, and one that must be mended is mended.
        _ = try await use { tables throws(StorageError) in try tables.library.revision() }
        return try await withCheckedContinuation { continuation in
            place.turns.add(for: userID) { [self] in startCopy { continuation.resume(returning: $0) } }
        }.get()
    }

    /// Reports what was damaged, and which copies there are.
    package func condition() async -> PersonalCondition {
        let losses = hasFile ? try? await use { tables throws(StorageError) in try tables.losses() } : nil
        return await withCheckedContinuation { continuation in
            place.turns.add(for: userID) { [self] in
                let copies = knownCopies ?? keeper(on: loop).copies()
                knownCopies = copies
                continuation.resume(returning: PersonalCondition(files, losses ?? [], copies, now: now))
            }
        }
    }

    /// Copies the file without holding up its use.
    private func startCopy(_ answer: @escaping CopyAnswer = { _ in }) {
        isCopying = true
        let keeper = keeper(on: place.keeping.loop)
        place.keeping.add(for: userID) { [self] in
            let result = Result { () throws(StorageError) in try keeper.backUp() }
            place.turns.add(for: userID) { [self] in
                (isCopying, knownCopies) = (false, nil)
                switch result {
                case .failure(let error) where error.code == .damagedRow:
                    mend(error) { [self] failure in
                        guard let failure else { return startCopy(answer) }
                        answer(.failure(self.error(failure)))
                    }
                case .failure(let error):
                    if error.code != .cancelled { report("\(error). \(error.hint)") }
                    answer(.failure(self.error(error)))
                case .success(let copy): answer(.success(copy))
                }
            }
        }
    }

    /// Copies the file if the newest copy is a day old.
    private func copyIfDue() {
        guard loop.now >= checksForCopyAt, !isCopying else { return }
        checksForCopyAt = loop.now.advanced(by: Self.checkEvery)
        if let newest = files.copies().first, abs(now - newest.at) < Self.copyEvery { return }
        if PrivateFile.isWritable(place.directory) { startCopy() }
    }

    /// Does what an error asks for, and calls back with the error that remains, if any.
    private func mend(_ error: StorageError, then: @escaping @Sendable (StorageError?) -> Void) {
        guard error.isMendable, PrivateFile.isWritable(place.directory) else { return then(error) }
        if let mended, mended.at.duration(to: loop.now) < Self.mendEvery { return then(mended.failure ?? error) }
        let known = file.revision
        keep { keeper throws(StorageError) in
            try keeper.mend(error, after: known)
        } then: { [self] result in
            switch result {
            case .failure(let failure):
                mended = (loop.now, failure)
                report("\(files.file) can't be mended: \(failure). \(failure.hint)")
                then(failure)
            case .success(nil):
                // The copies of an older version have no checksums.
                startCopy()
                then(nil)
            case .success(let line?):
                mended = (loop.now, nil)
                report(line)
                whenRenewed()
                then(nil)
            }
        }
    }

    /// Removes what is selected and leaves no trace of it in any file of the user.
    ///
    /// - Returns: How many entries of the history that were.
    /// - Complexity: O(n) in all that is there.
    package func erase(_ selection: HistorySelection) async throws(SearchError) -> Int {
        // A file that must be mended is mended before.
        _ = try await revision()
        return try await withCheckedContinuation { continuation in
            place.turns.add(for: userID) { [self] in
                keep { keeper throws(StorageError) in
                    try keeper.erase(selection)
                } then: { [self] in
                    continuation.resume(returning: $0.mapError(error))
                }
            }
        }.get()
    }

    /// Closes the file and runs work that has it to itself on the keeper's thread; the user's other jobs wait.
    private func keep<Value: Sendable>(
        _ work: @escaping @Sendable (FileKeeper) throws(StorageError) -> Value,
        then: @escaping @Sendable (Result<Value, StorageError>) -> Void
    ) {
        closeFile()
        place.turns.pause(userID)
        let keeper = keeper(on: place.keeping.loop)
        place.keeping.add(for: userID) { [self] in
            let result = Result { () throws(StorageError) in try work(keeper) }
            place.turns.resume(userID) { [self] in
                knownCopies = nil
                then(result)
            }
        }
    }

    private func keeper(on loop: EventLoop) -> FileKeeper {
        FileKeeper(files: files, loop: loop, now: now, cancellation: cancellation)
    }

    // MARK: The file

    /// Uses the file, in the user's turn.
    func use<Value: Sendable>(
        _ body: @escaping @Sendable (PersonalTables) throws(StorageError) -> Value
    ) async throws(SearchError) -> Value {
        try await useInTurns { tables throws(StorageError) in .some(try body(tables)) }
    }

    /// Uses the file until the body returns something, in as many turns; the user's other jobs wait for its end.
    func useInTurns<Value: Sendable>(
        _ body: @escaping @Sendable (PersonalTables) throws(StorageError) -> Value?
    ) async throws(SearchError) -> Value {
        try await withCheckedContinuation { continuation in
            place.turns.add(for: userID) { [self] in attempt(body) { continuation.resume(returning: $0) } }
        }.get()
    }

    /// Uses the file; mends it first if it must be.
    private func attempt<Value: Sendable>(
        _ body: @escaping @Sendable (PersonalTables) throws(StorageError) -> Value?,
        answer: @escaping @Sendable (Result<Value, SearchError>) -> Void
    ) {
        usedAt = loop.now
        closeLater()
        do throws(StorageError) {
            guard let value = try file.use(body) else {
                return place.turns.addFirst(for: userID) { [self] in attempt(body, answer: answer) }
            }
            answer(.success(value))
            copyIfDue()
        } catch {
            (listing, seenListing) = (nil, nil)
            mend(error) { [self] failure in
                guard let failure else { return attempt(body, answer: answer) }
                answer(.failure(self.error(failure)))
            }
        }
    }

    @Sendable private func error(_ error: StorageError) -> SearchError {
        SearchError(
            .unavailable,
            "Your library can't be used: \(error).",
            retryable: error.code != .newerSchema,
            hint: error.hint
        )
    }

    private func closeLater() {
        guard closing == nil else { return }
        closing = loop.schedule(at: usedAt.advanced(by: Self.idleMax)) { [weak self] in
            guard let self else { return }
            closing = nil
            if usedAt.duration(to: loop.now) < Self.idleMax { closeLater() } else { closeFile() }
        }
    }

    private func closeFile() {
        (listing, seenListing) = (nil, nil)
        file.close()
    }

    /// Closes the file; it is opened again when it is needed.
    ///
    /// A copy under way is given up.
    package func close() async {
        cancellation.cancel()
        await withCheckedContinuation { continuation in
            place.keeping.add(for: userID) { continuation.resume() }
        }
        await withCheckedContinuation { continuation in
            place.turns.add(for: userID) { [self] in
                if let closing = closing.take() { loop.cancel(closing) }
                closeFile()
                continuation.resume()
            }
        }
        cancellation.reset()
    }
}
