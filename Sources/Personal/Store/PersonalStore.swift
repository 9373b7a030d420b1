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
    /// How many share a commit.
    static let batchMax = 256
    /// No more join once they name so many items: others wait for a commit.
    static let batchItemsMax = 1000
    /// A file that is not used for so long is closed.
    package static let idleMax = Duration.seconds(60)
    /// How often the file is copied, in seconds, and how often it is asked whether that is due.
    package static let copyEvery: Int64 = 86_400
    private static let askEvery = Duration.seconds(600)

    private struct Pending: Sendable {
        let request: LibraryRequest
        let now: Int64
        let answer: @Sendable (Result<LibraryOutcome, SearchError>) -> Void
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
    private let isClosing = Locked(false)

    private let file: PersonalFile
    private var usedAt: Instant
    private var closing: Timer?
    /// Of the latest query.
    private var ranking: LibraryRanking?
    private var seenRanking: SeenRanking?
    /// Who waits for the copy that is being made, and for one that begins after it.
    private var copying: [CopyAnswer]?
    private var copyingNext: [CopyAnswer] = []
    private var asksForCopyAt: Instant
    /// Nil when they may have changed.
    private var knownCopies: [PersonalCopy]?

    private var loop: EventLoop { place.turns.loop }

    /// - Parameters:
    ///   - userID: Whose data it is.
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
        asksForCopyAt = usedAt
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
        let (batch, isMore) = queue.withLock { queue in
            var (count, items) = (0, 0)
            while count < min(queue.count, Self.batchMax), items < Self.batchItemsMax {
                items += queue[count].request.count
                count += 1
            }
            let batch = Array(queue.prefix(count))
            queue.removeFirst(count)
            return (batch, !queue.isEmpty)
        }
        if isMore { place.turns.add(for: userID) { [self] in commit() } }
        attempt { tables throws(StorageError) in
            try tables.database.transaction { () throws(StorageError) in
                var writer = try LibraryWriter(tables.library)
                var results: [Result<LibraryOutcome, SearchError>] = []
                for pending in batch { results.append(try writer.perform(pending.request, at: pending.now)) }
                try writer.finish()
                return results
            }
        } answer: { [self] outcome in
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

    // MARK: Reading

    package func item(_ id: String) async throws(SearchError) -> SavedItem? {
        guard hasFile else { return nil }
        return try await use { tables throws(StorageError) in try tables.library.item(id) }
    }

    /// A part of the library; what its words find is ranked once for all pages.
    package func page(_ query: LibraryQuery) async throws(SearchError) -> LibraryPage {
        guard let words = query.words.flatMap({ TypedWords($0) }) else {
            return try await use { tables throws(StorageError) in
                try tables.database.snapshot { () throws(StorageError) in
                    try LibraryListing(table: tables.library).page(query, nil)
                }
            }
        }
        var ranking: LibraryRanking?
        while true {
            let (page, next) = try await use { [self, ranking] tables throws(StorageError) in
                let revision = try tables.library.revision()
                var ranking = ranking ?? self.ranking
                if ranking?.isOf(query, revision: revision) != true {
                    ranking = LibraryRanking(query, words, revision: revision)
                }
                try ranking?.advance(in: tables.database)
                guard ranking?.keys != nil else { return (LibraryPage?.none, ranking) }
                self.ranking = ranking
                return (try LibraryListing(table: tables.library).page(query, ranking), nil)
            }
            if let page { return page }
            ranking = next
        }
    }

    /// A part of what searches have brought, the best match first.
    func seenPage(_ query: OwnHitsQuery, _ words: TypedWords, since oldest: Int64) async throws(SearchError) -> OwnHits
    {
        try await use { [self] tables throws(StorageError) in
            if seenRanking?.isOf(query, since: oldest) != true {
                seenRanking = try SeenRanking(query, words, since: oldest, in: tables.seen)
            }
            return try seenRanking?.page(query, of: tables.seen) ?? OwnHits()
        }
    }

    /// What searches have brought has changed.
    func forgetSeenRanking() { seenRanking = nil }

    package func savedIDs() async throws(SearchError) -> SavedIDs {
        guard hasFile else { return SavedIDs() }
        return try await use { tables throws(StorageError) in try tables.library.savedIDs() }
    }

    package func revision() async throws(SearchError) -> Int64 {
        guard hasFile else { return 0 }
        return try await use { tables throws(StorageError) in try tables.library.revision() }
    }

    /// A part of what is different from a position on; nil when its revision is not known any more, so that all must be
    /// read again.
    package func changes(
        after position: LibraryPosition,
        bytesMax: Int = LibraryChanges.bytesMax
    ) async throws(SearchError) -> LibraryChanges? {
        try await use { tables throws(StorageError) in
            try tables.library.changes(after: position, bytesMax: bytesMax)
        }
    }

    /// The sources of which items are to be looked up again.
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

    /// What was damaged, and which copies there are.
    package func condition() async -> PersonalCondition {
        let losses = hasFile ? try? await use { tables throws(StorageError) in try tables.losses() } : nil
        return await withCheckedContinuation { continuation in
            place.turns.add(for: userID) { [self] in
                continuation.resume(returning: condition(losses ?? []))
            }
        }
    }

    private func condition(_ losses: [PersonalLoss]) -> PersonalCondition {
        var condition = PersonalCondition()
        condition.losses = files.damaged().map { file, at in
            losses.first { $0.file?.hasSameBytes(as: file) == true } ?? PersonalLoss(at: at, file: file)
        }
        // Single rows are reported for a month, files as long as they are kept.
        condition.losses += losses.filter { $0.file == nil && $0.at + 30 * Self.copyEvery > now }
        condition.losses.sort { $0.at > $1.at }
        condition.file = files.file
        // The directory is made with the first file.
        condition.freeBytes = PrivateFile.freeBytes(in: place.directory)
        let copies = knownCopies ?? keeper(on: loop).copies()
        (condition.copies, knownCopies) = (copies, copies)
        return condition
    }

    private func startCopy(_ answer: CopyAnswer? = nil) {
        let answers = answer.map { [$0] } ?? []
        guard copying == nil else { return copyingNext += answers }
        copying = answers
        keep { keeper throws(StorageError) in
            try keeper.backUp()
        } then: { [self] result in
            let answers = copying ?? []
            copying = nil
            if case .failure(let error) = result {
                if error.code == .damagedRow { return mendAndCopy(error, answers) }
                if error.code != .cancelled { report("\(error). \(error.hint)") }
            }
            for answer in answers { answer(result.mapError(error)) }
            guard !copyingNext.isEmpty else { return }
            let next = copyingNext
            copyingNext = []
            startCopy { result in for answer in next { answer(result) } }
        }
    }

    /// Repairs what kept a copy from being made, and makes one.
    private func mendAndCopy(_ error: StorageError, _ answers: [CopyAnswer]) {
        mend(error)
        file.whenReady { [self] in
            place.turns.add(for: userID) { [self] in
                startCopy { result in for answer in answers { answer(result) } }
            }
        }
    }

    /// Copies the file if the newest copy is a day old.
    private func copyIfDue() {
        guard loop.now >= asksForCopyAt, copying == nil else { return }
        asksForCopyAt = loop.now.advanced(by: Self.askEvery)
        if let newest = files.copies().first, abs(now - newest.at) < Self.copyEvery { return }
        if PrivateFile.isWritable(place.directory) { startCopy() }
    }

    /// Does what an error asks for; the file is closed meanwhile.
    private func mend(_ error: StorageError) {
        let known = file.revision
        let line = Locked<String?>(nil)
        work { keeper throws(StorageError) in
            let done = try keeper.mend(error, after: known)
            line.withLock { $0 = done }
        } then: { [self] result in
            if case .failure(let failure) = result {
                report("\(files.file) can't be mended: \(failure). \(failure.hint)")
                return file.endWork(failure)
            }
            file.endWork(nil)
            // The copies of an older version have no checksums.
            guard let line = line.withLock({ $0 }) else { return startCopy() }
            report(line)
            whenRenewed()
        }
    }

    /// Removes what is selected and leaves no trace of it in any file of the user.
    ///
    /// - Complexity: O(n) in all that is there.
    package func erase(_ selection: HistorySelection) async throws(SearchError) -> ErasedSearches {
        // A file that must be mended is mended before.
        _ = try await revision()
        let erased = Locked(ErasedSearches())
        try await withCheckedContinuation { continuation in
            place.turns.add(for: userID) { [self] in
                workWhenFree { keeper throws(StorageError) in
                    let found = try keeper.erase(selection)
                    erased.withLock { $0 = found }
                } then: { [self] in
                    file.endWork(nil)
                    continuation.resume(returning: $0.mapError(error))
                }
            }
        }.get()
        return erased.withLock { $0 }
    }

    // MARK: The keeper's thread

    /// Runs work on the keeper's thread, and something after it on the storage thread.
    private func keep<Value: Sendable>(
        _ work: @escaping @Sendable (FileKeeper) throws(StorageError) -> Value,
        then: @escaping @Sendable (Result<Value, StorageError>) -> Void
    ) {
        let keeper = keeper(on: place.keeping.loop)
        place.keeping.add(for: userID) { [self] in
            let result = Result { () throws(StorageError) in try work(keeper) }
            place.turns.add(for: userID) { [self] in
                knownCopies = nil
                then(result)
            }
        }
    }

    private func keeper(on loop: EventLoop) -> FileKeeper {
        FileKeeper(files: files, loop: loop, now: now) { [isClosing] in isClosing.withLock { $0 } }
    }

    /// Closes the file and runs work that has it to itself until `endWork`.
    private func work(
        _ work: @escaping PersonalFile.Work,
        then: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        guard file.beginWork() else { return }
        (ranking, seenRanking) = (nil, nil)
        keep(work, then: then)
    }

    private func workWhenFree(
        _ work: @escaping PersonalFile.Work,
        then: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        guard file.isInWork else { return self.work(work, then: then) }
        file.whenReady { [self] in
            place.turns.add(for: userID) { [self] in workWhenFree(work, then: then) }
        }
    }

    // MARK: The file

    /// Uses the file, in the user's turn.
    func use<Value: Sendable>(
        _ body: @escaping @Sendable (PersonalTables) throws(StorageError) -> Value
    ) async throws(SearchError) -> Value {
        try await withCheckedContinuation { continuation in
            place.turns.add(for: userID) { [self] in attempt(body) { continuation.resume(returning: $0) } }
        }.get()
    }

    /// Uses the file, or waits until it is mended.
    private func attempt<Value: Sendable>(
        _ body: @escaping @Sendable (PersonalTables) throws(StorageError) -> Value,
        answer: @escaping @Sendable (Result<Value, SearchError>) -> Void
    ) {
        usedAt = loop.now
        switch file.use(body, mend: mend) {
        case .done(let result):
            answer(result.mapError(error))
            closeLater()
            if case .success = result { copyIfDue() }
        case .later:
            file.whenReady { [self] in place.turns.add(for: userID) { [self] in attempt(body, answer: answer) } }
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
        (ranking, seenRanking) = (nil, nil)
        file.close()
    }

    /// Closes the file; it is opened again when it is needed.
    ///
    /// A copy under way is given up.
    package func close() async {
        isClosing.withLock { $0 = true }
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
        isClosing.withLock { $0 = false }
    }

    private static let overloaded = SearchError(
        .overloaded,
        "Too many changes wait for the disk.",
        retryable: true,
        retryAfter: .seconds(1)
    )
}
