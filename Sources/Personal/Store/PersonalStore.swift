package import EventLoop
package import SearchModel
import Storage

/// One user's data in a file of its own.
///
/// A change is answered when it will survive power loss. Changes that come while the disk works share the next commit,
/// in the order in which they came, each whole or not at all. Followers are told of each, in the order of the
/// revisions.
package actor PersonalStore: LoopActor {
    /// Changes that wait for the disk at a time.
    package static let pendingMax = 4096
    /// How many share a commit.
    static let batchMax = 256
    /// No more join once they name so many items: those who read wait for a commit.
    static let batchItemsMax = 1000
    /// A file that is not used for so long is closed.
    package static let idleMax = Duration.seconds(60)
    /// When nothing was changed for so long, new items go into the index of words.
    static let quiet = Duration.milliseconds(100)

    private struct Pending: Sendable {
        let request: LibraryRequest
        let now: Int64
        let answer: CheckedContinuation<Result<LibraryOutcome, SearchError>, Never>
    }

    package nonisolated let loop: EventLoop
    private let userID: UInt32
    private let claim: PersonalClaim
    private let file: PersonalFile
    private let wallClock: @Sendable () -> Int64
    private let whenCommitted: @Sendable ([LibraryChange], _ answer: @escaping @Sendable () -> Void) -> Void
    private var usedAt: Instant
    private var closing: Timer?
    private nonisolated let queue = Locked<[Pending]>([])
    private var pace = CommitPace()
    /// Set while more changes are awaited; `awaited` is how many make an end of it.
    private var gathering: Timer?
    private nonisolated let awaited = Locked(Int.max)
    private nonisolated let failure = Locked<SearchError?>(nil)
    private var changedAt: Instant
    private var indexing: Timer?

    /// - Parameters:
    ///   - userID: Whose data it is.
    ///   - claim: The directory of the file, which is opened at its first use.
    ///   - loop: A loop for storage alone.
    ///   - wallClock: Seconds since 1970.
    ///   - report: Gets a line for the log when the file was damaged or removed.
    ///   - whenCommitted: Called on that loop with the changes of a commit; callers get their answers when it calls
    ///     `answer`, on whatever thread, which it must.
    package init(
        of userID: UInt32,
        in claim: PersonalClaim,
        on loop: EventLoop,
        wallClock: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String) -> Void = { _ in },
        whenCommitted: @escaping @Sendable ([LibraryChange], _ answer: @escaping @Sendable () -> Void) -> Void = {
            $1()
        }
    ) {
        (self.userID, self.claim) = (userID, claim)
        self.loop = loop
        self.wallClock = wallClock
        self.whenCommitted = whenCommitted
        file = PersonalFile(claim.file(of: userID), on: loop, report: report)
        usedAt = loop.now
        changedAt = loop.now
    }

    // MARK: Changing

    /// Changes the library; when this returns, the change is durable.
    ///
    /// - Throws: The user's mistake, `overloaded`, or `unavailable` when the file can't be written: then nothing of it
    ///   is done.
    package nonisolated func perform(_ request: LibraryRequest) async throws(SearchError) -> LibraryOutcome {
        let result = await withCheckedContinuation { answer in
            let count = queue.withLock { queue in
                guard queue.count < Self.pendingMax else { return 0 }
                queue.append(Pending(request: request, now: wallClock(), answer: answer))
                return queue.count
            }
            switch count {
            case 0: answer.resume(returning: .failure(Self.overloaded))
            // The one that finds the queue empty has it emptied.
            case 1: performLater { $0.gather() }
            default: if count == awaited.withLock({ $0 }) { performLater { $0.commit() } }
            }
        }
        return try result.get()
    }

    /// Why the latest changes could not be written; from any thread.
    package nonisolated var writeFailure: SearchError? { failure.withLock { $0 } }

    /// Commits what has come, or waits a little for what is likely to come with it.
    private func gather() {
        awaited.withLock { $0 = pace.expected }
        // Counted after that: whatever comes later finds how many are awaited.
        guard let wait = pace.wait(with: queue.withLock { $0.count }) else { return commit() }
        guard gathering == nil else { return }
        gathering = schedule(at: loop.now.advanced(by: wait)) { $0.commit() }
    }

    private func commit() {
        if let gathering = gathering.take() { loop.cancel(gathering) }
        awaited.withLock { $0 = .max }
        let begun = loop.now
        let batch = queue.withLock { queue in
            var (count, items) = (0, 0)
            while count < min(queue.count, Self.batchMax), items < Self.batchItemsMax {
                items += queue[count].request.count
                count += 1
            }
            let batch = Array(queue.prefix(count))
            queue.removeFirst(count)
            return batch
        }
        guard !batch.isEmpty else { return }
        let results = Result { () throws(SearchError) in
            try use { tables throws(StorageError) in
                try tables.library.write { writer throws(StorageError) in
                    var results: [Result<LibraryOutcome, SearchError>] = []
                    for pending in batch { results.append(try writer.perform(pending.request, at: pending.now)) }
                    return results
                }
            }
        }
        failure.withLock { $0 = if case .failure(let error) = results { error } else { nil } }
        changedAt = loop.now
        pace.committed(batch.count, in: begun.duration(to: changedAt))
        switch results {
        case .success(let results):
            whenCommitted(results.compactMap { (try? $0.get())?.change }) {
                for (pending, result) in zip(batch, results) { pending.answer.resume(returning: result) }
            }
        case .failure(let error):
            for pending in batch { pending.answer.resume(returning: .failure(error)) }
        }
        // What came meanwhile found the queue as it was, or empty.
        if queue.withLock({ !$0.isEmpty }) { performLater { $0.commit() } }
        indexLater()
    }

    /// Writes what waits for the index of words, once nothing is changed any more: a step at a time, so that whoever
    /// comes meanwhile waits for one of them at most.
    private func indexLater() {
        guard indexing == nil else { return }
        indexing = schedule(at: changedAt.advanced(by: Self.quiet)) { store in
            store.indexing = nil
            guard store.changedAt.duration(to: store.loop.now) >= Self.quiet else { return store.indexLater() }
            store.index(atLeast: IndexBacklog.worthMin)
        }
    }

    private func index(atLeast count: Int) {
        // Where the disk takes none, the next change or search tries again.
        let isMore = try? use { tables throws(StorageError) in try tables.library.indexStep(atLeast: count) }
        guard isMore == true else { return }
        performLater { store in
            if store.indexing == nil { store.index(atLeast: 1) }
        }
    }

    // MARK: Reading

    package func item(_ id: String) throws(SearchError) -> SavedItem? {
        try use { tables throws(StorageError) in try tables.library.item(id) }
    }

    package func page(_ query: LibraryQuery) throws(SearchError) -> LibraryPage {
        try use { tables throws(StorageError) in
            let listing = LibraryListing(table: tables.library)
            if query.words == nil {
                return try tables.database.snapshot { () throws(StorageError) in try listing.page(query) }
            }
            return try tables.library.readIndex { () throws(StorageError) in try listing.page(query) }
        }
    }

    package func overview() throws(SearchError) -> PersonalOverview {
        // A user who has saved nothing needs no file.
        guard hasFile else { return PersonalOverview(saved: SavedIDs(), damages: damages()) }
        let saved = try use { tables throws(StorageError) in try tables.library.savedIDs() }
        return PersonalOverview(saved: saved, damages: damages())
    }

    /// Removes the files that were set aside, within a use of the file.
    func removeSetAside() throws(StorageError) { try file.removeSetAside() }

    /// The files that were set aside, the latest first.
    package func damages() -> [PersonalDamage] { PersonalDamage.latest(of: claim.file(of: userID)) }

    package func revision() throws(SearchError) -> Int64 {
        try use { tables throws(StorageError) in try tables.library.revision() }
    }

    /// A part of what is different from a position on; nil when its revision is not known any more, so that all must be
    /// read again.
    package func changes(
        after position: LibraryPosition,
        bytesMax: Int = LibraryChanges.bytesMax
    ) throws(SearchError) -> LibraryChanges? {
        try use { tables throws(StorageError) in try tables.library.changes(after: position, bytesMax: bytesMax) }
    }

    /// The sources of which items are to be looked up again.
    package func refreshSources() throws(SearchError) -> [SourceName] {
        guard hasFile else { return [] }
        return try use { tables throws(StorageError) in try tables.library.refreshes.sources() }
    }

    /// The next item of a source that is to be looked up again, in turn after the one with a number.
    package func nextRefresh(of source: SourceName, after number: Int64) throws(SearchError) -> QueuedRefresh? {
        try use { tables throws(StorageError) in try tables.library.refreshes.next(of: source, after: number) }
    }

    // MARK: The file

    /// A user of whom nothing is kept needs no file.
    var hasFile: Bool { claim.hasFile(of: userID) }

    /// Seconds since 1970.
    nonisolated var now: Int64 { wallClock() }

    /// Lets go of the file; it is opened again when it is needed.
    package func close() {
        for timer in [closing.take(), indexing.take()].compactMap(\.self) { loop.cancel(timer) }
        file.close()
    }

    func use<Value>(_ body: (PersonalTables) throws(StorageError) -> Value) throws(SearchError) -> Value {
        do throws(StorageError) {
            try claim.hold()
            usedAt = loop.now
            closeLater()
            return try file.use(at: wallClock(), body)
        } catch {
            throw SearchError(
                .unavailable,
                "Your library can't be used: \(error.message).",
                retryable: error.code != .newerSchema,
                hint: error.hint
            )
        }
    }

    private func closeLater() {
        guard closing == nil else { return }
        closing = schedule(at: usedAt.advanced(by: Self.idleMax)) { store in
            store.closing = nil
            if store.usedAt.duration(to: store.loop.now) < Self.idleMax {
                store.closeLater()
            } else {
                store.file.close()
            }
        }
    }

    private static let overloaded = SearchError(
        .overloaded,
        "Too many changes wait for the disk.",
        retryable: true,
        retryAfter: .seconds(1)
    )
}
