package import EventLoop
import JSON
package import SearchModel
import Storage

/// The directory of users' data, and the threads that work on it.
package struct PersonalPlace: Sendable {
    package let directory: String
    let threads: UserThreads
    let copies: UserQueue
    let loop: EventLoop

    /// The threads of `loops` may block.
    package init(_ directory: String, on loops: [EventLoop]) {
        (self.directory, loop) = (directory, loops[0])
        threads = UserThreads(loops)
        copies = UserQueue(on: threads)
    }
}

/// One user's data in one file; a request is answered when its change is on disk.
package actor PersonalStore {
    /// The maximum number of changes in a commit, and the time in which changes can join the commit.
    private static let (batchMax, joiningMax) = (256, Duration.milliseconds(100))
    package static let idleMax = Duration.seconds(60)
    /// In seconds.
    package static let copyEvery: Int64 = 86_400
    private static let checkEvery = Duration.seconds(600)
    private static let mendEvery = Duration.seconds(10)

    private struct Pending: Sendable {
        let request: LibraryRequest
        let now: Int64
        let answer: CheckedContinuation<Result<LibraryOutcome, SearchError>, Never>
    }

    private nonisolated let queue: UserQueue
    // The actor keeps the queue alive.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }
    private nonisolated let place: PersonalPlace
    private nonisolated let files: UserFiles
    private nonisolated let wallClock: @Sendable () -> Int64
    private nonisolated let report: @Sendable (String) -> Void
    private nonisolated let whenRenewed: @Sendable () -> Void
    private nonisolated let whenCommitted: @Sendable ([LibraryChange], _ answer: @escaping @Sendable () -> Void) -> Void
    private nonisolated let waiting = Locked<[Pending]>([])
    private nonisolated let cancellation = Cancellation()

    private var writeFailure: SearchError?
    private var tables: PersonalTables?
    private var usedAt: Instant
    private var closing: Task<Void, Never>?
    private var answeredRevision: Int64 = 0
    private var listing: LibraryListing?
    private var seenListing: SeenListing?
    private var copying: Task<Result<PersonalCopy, StorageError>, Never>?
    private var checksForCopyAt: Instant
    private var mendsAt: Instant

    /// `wallClock` returns seconds since 1970; `whenCommitted` must call `answer`, on any thread.
    package init(
        of userID: UInt32,
        in place: PersonalPlace,
        wallClock: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String) -> Void,
        whenRenewed: @escaping @Sendable () -> Void,
        whenCommitted: @escaping @Sendable ([LibraryChange], _ answer: @escaping @Sendable () -> Void) -> Void
    ) {
        (self.place, self.wallClock, self.report) = (place, wallClock, report)
        (self.whenRenewed, self.whenCommitted) = (whenRenewed, whenCommitted)
        queue = UserQueue(on: place.threads)
        files = UserFiles(of: userID, in: place.directory)
        usedAt = place.loop.now
        (checksForCopyAt, mendsAt) = (usedAt, usedAt)
    }

    /// Entries before the returned time (milliseconds since 1970) are expired.
    package nonisolated func oldest(_ settings: HistorySettings) -> Int64 {
        wallClock() * 1000 - settings.keep.saturatingNanoseconds / 1_000_000
    }

    /// Throws an error of the request, or `unavailable` if the file cannot be written.
    package nonisolated func perform(_ request: LibraryRequest) async throws(SearchError) -> LibraryOutcome {
        try await withCheckedContinuation { continuation in
            let pending = Pending(request: request, now: wallClock(), answer: continuation)
            let isFirst = waiting.withLock { waiting in
                waiting.append(pending)
                return waiting.count == 1
            }
            // Later requests join the running commit, or another commit follows.
            if isFirst { commitLater() }
        }.get()
    }

    private nonisolated func commitLater() {
        queue.perform { [self] in assumeIsolated { $0.commit() } }
    }

    private func commit() {
        let outcome = Result { () throws(SearchError) in
            try use { tables throws(StorageError) in
                let joinsUntil = place.loop.now.advanced(by: Self.joiningMax)
                var results: [Result<LibraryOutcome, SearchError>] = []
                var writer = try LibraryWriter(tables.library)
                try tables.database.transaction { () throws(StorageError) in
                    while let next = waiting.withLock({ $0.dropFirst(results.count).first }),
                        results.isEmpty || results.count < Self.batchMax && place.loop.now < joinsUntil
                    {
                        results.append(try writer.perform(next.request, at: next.now))
                    }
                    try writer.finish()
                }
                answeredRevision = max(answeredRevision, writer.revision)
                return results
            }
        }
        writeFailure = if case .failure(let error) = outcome { error } else { nil }
        let (batch, isMore) = waiting.withLock { waiting in
            let batch = Array(waiting.prefix((try? outcome.get().count) ?? Self.batchMax))
            waiting.removeFirst(batch.count)
            return (batch, !waiting.isEmpty)
        }
        if isMore { commitLater() }
        switch outcome {
        case .success(let results):
            whenCommitted(results.compactMap { (try? $0.get())?.change }) {
                for (pending, result) in zip(batch, results) { pending.answer.resume(returning: result) }
            }
        case .failure(let error):
            for pending in batch { pending.answer.resume(returning: .failure(error)) }
        }
    }

    package func item(_ id: String) throws(SearchError) -> SavedItem? {
        try use(else: nil) { tables throws(StorageError) in try tables.library.item(id) }
    }

    package func page(_ query: LibraryQuery) throws(SearchError) -> LibraryPage {
        try use { tables throws(StorageError) in
            let table = tables.library
            if query.isPlain {
                return try table.database.snapshot { () throws(StorageError) in try LibraryPage(all: query, of: table) }
            }
            let revision = try table.revision()
            if listing?.isOf(query, revision) != true {
                listing = try LibraryListing(query, revision, in: table.database)
            }
            return try listing?.page(query, of: table) ?? LibraryPage()
        }
    }

    package func savedIDs() throws(SearchError) -> SavedIDs {
        try use(else: SavedIDs()) { tables throws(StorageError) in try tables.library.ids() }
    }

    package func revision() throws(SearchError) -> Int64 {
        try use(else: 0) { tables throws(StorageError) in try tables.library.revision() }
    }

    package func changes(
        after position: LibraryPosition,
        bytesMax: Int = LibraryChanges.bytesMax
    ) throws(SearchError) -> LibraryChanges? {
        try use { tables throws(StorageError) in try tables.library.changes(after: position, bytesMax: bytesMax) }
    }

    package func refreshSources() throws(SearchError) -> [SourceName] {
        try use(else: []) { tables throws(StorageError) in try RefreshTable(database: tables.database).sources() }
    }

    package func nextRefresh(of source: SourceName, after number: Int64) throws(SearchError) -> RefreshTable.Next? {
        try use { tables throws(StorageError) in
            try RefreshTable(database: tables.database).next(of: source, after: number)
        }
    }

    /// `searches` must be in the order of their arrival; returns the titles to suggest.
    @discardableResult
    package func record(
        _ searches: [HistorySearch],
        seen: [SeenHits] = [],
        _ settings: HistorySettings
    ) throws(SearchError) -> [SuggestionIndex.Change] {
        let oldest = oldest(settings)
        if !seen.isEmpty { seenListing = nil }
        return try use { tables throws(StorageError) in
            try tables.database.transaction { () throws(StorageError) in
                try tables.history.add(searches)
                try tables.history.expire(before: oldest)
                var titles: [SuggestionIndex.Change] = []
                for hits in seen { titles += try tables.seen.add(hits) }
                try tables.seen.expire(before: oldest)
                return titles
            }
        }
    }

    package func entries(_ query: HistoryQuery, _ settings: HistorySettings) throws(SearchError) -> [HistoryEntry] {
        let oldest = oldest(settings)
        return try use(else: []) { tables throws(StorageError) in try tables.history.entries(query, since: oldest) }
    }

    package func suggestions(_ settings: HistorySettings) throws(SearchError) -> SuggestionIndex {
        let oldest = oldest(settings)
        return try use(else: SuggestionIndex()) { tables throws(StorageError) in
            try SuggestionIndex(tables.database, since: oldest)
        }
    }

    package func saved(_ query: LibraryQuery) throws(SearchError) -> OwnHits {
        guard files.exist, query.words != nil else { return OwnHits() }
        let page = try page(query)
        return OwnHits(
            hits: page.items.compactMap { item in
                LibraryTable.item(item).map { ($0.hit, $0.savedAt) }
            },
            total: page.total
        )
    }

    package func seen(_ query: LibraryQuery, _ settings: HistorySettings) throws(SearchError) -> OwnHits {
        guard let words = query.words.flatMap({ TypedWords($0) }) else { return OwnHits() }
        let oldest = oldest(settings)
        return try use(else: OwnHits()) { tables throws(StorageError) in
            if seenListing?.isOf(query, since: oldest) != true {
                seenListing = try SeenListing(query, words, since: oldest, in: tables.seen)
            }
            return try seenListing?.page(query, of: tables.seen) ?? OwnHits()
        }
    }

    /// Returns the hit as saved or as a search returned it, whichever is longer.
    package func hit(_ id: String, _ settings: HistorySettings) throws(SearchError) -> OwnHits.Hit? {
        let oldest = oldest(settings)
        return try use(else: nil) { tables throws(StorageError) in
            let saved: OwnHits.Hit? = try tables.library.item(id).map { ($0.hit, $0.savedAt) }
            let seen = try tables.seen.hit(id, since: oldest)
            return [saved, seen].compactMap(\.self).max { $0.hit.bytes.count < $1.hit.bytes.count }
        }
    }

    /// Erases searches from all files of the user; takes time proportional to all stored data.
    package func erase(_ selection: HistorySelection) async throws(SearchError) -> Int {
        // The call repairs a damaged file.
        _ = try revision()
        await endCopying()
        closeFile()
        let erased = Result { () throws(StorageError) in try keeper(on: queue).erase(selection) }
        return try erased.mapError(error).get()
    }

    package func backUp() async throws(SearchError) -> PersonalCopy {
        // The call creates a missing file and repairs a damaged one.
        _ = try use { tables throws(StorageError) in try tables.library.revision() }
        do throws(StorageError) {
            return try await copy()
        } catch {
            throw self.error(error)
        }
    }

    package func condition() -> PersonalCondition {
        let losses = Result { () throws(SearchError) in
            try use(else: []) { tables throws(StorageError) in try tables.losses() }
        }
        let known = (try? losses.get()) ?? []
        var condition = PersonalCondition(files, known, keeper(on: queue).copies(), now: wallClock())
        condition.failure = if case .failure(let error) = losses { error } else { writeFailure }
        return condition
    }

    /// The file remains usable during the copy.
    private func copy(mayMend: Bool = true) async throws(StorageError) -> PersonalCopy {
        while let copying { _ = await copying.value }
        let task = Task { [queue = place.copies, keeper = keeper(on: place.copies)] in
            let result: Result<PersonalCopy, StorageError> = await withCheckedContinuation { continuation in
                queue.perform {
                    continuation.resume(returning: Result { () throws(StorageError) in try keeper.backUp() })
                }
            }
            copying = nil
            return result
        }
        copying = task
        do throws(StorageError) {
            return try await task.value.get()
        } catch {
            if error.code == .damagedRow, mayMend {
                closeFile()
                try mend(error)
                return try await copy(mayMend: false)
            }
            if error.code != .cancelled { report("\(error). \(error.hint)") }
            throw error
        }
    }

    private func copyIfDue() {
        guard place.loop.now >= checksForCopyAt, copying == nil else { return }
        checksForCopyAt = place.loop.now.advanced(by: Self.checkEvery)
        if let newest = files.copies().first, abs(wallClock() - newest.at) < Self.copyEvery { return }
        if PrivateFile.isWritable(place.directory) { Task { try? await copy() } }
    }

    private func endCopying() async {
        while let copying {
            cancellation.cancel()
            _ = await copying.value
        }
        cancellation.reset()
    }

    private func keeper(on queue: UserQueue) -> FileKeeper {
        FileKeeper(files: files, executor: queue, now: wallClock(), cancellation: cancellation)
    }

    private func use<Value>(
        else nothing: Value,
        _ body: (PersonalTables) throws(StorageError) -> Value
    ) throws(SearchError) -> Value {
        files.exist ? try use(body) : nothing
    }

    /// Creates a missing file; repairs a damaged file, and then runs the body again.
    func use<Value>(_ body: (PersonalTables) throws(StorageError) -> Value) throws(SearchError) -> Value {
        usedAt = place.loop.now
        closeLater()
        do throws(StorageError) {
            let value: Value
            do throws(StorageError) {
                value = try attempt(body)
            } catch {
                try mend(error)
                value = try attempt(body)
            }
            copyIfDue()
            return value
        } catch {
            throw self.error(error)
        }
    }

    private func attempt<Value>(_ body: (PersonalTables) throws(StorageError) -> Value) throws(StorageError) -> Value {
        do throws(StorageError) {
            let tables = if let tables { tables } else { try open() }
            self.tables = tables
            return try body(tables)
        } catch {
            closeFile()
            throw error
        }
    }

    private func open() throws(StorageError) -> PersonalTables {
        guard PrivateFile.isWritable(place.directory) || !files.exist else {
            return try PersonalTables(Database(reading: files.file, on: queue))
        }
        try files.tidy()
        if !PrivateFile.isThere(files.file) {
            // An empty file is treated as damaged, so only a complete file gets the name.
            try PrivateFile.remove(files.unfinished)
            try PersonalTables.complete(files.unfinished, on: queue) { _ in }
            try files.place(files.unfinished)
        }
        guard PrivateFile.size(of: files.file) != 0 else { throw .empty(files.file) }
        // Throws `olderSchema` for an older file. Then `mend` copies and migrates it.
        _ = try PersonalTables(Database(reading: files.file, on: queue))
        let tables = try PersonalTables(Database(files.file, schema: PersonalSchema.schema, journal: .log, on: queue))
        // If this fails, saving is only slower.
        try? tables.library.words.mergeRarely()
        answeredRevision = max(answeredRevision, try tables.library.revision())
        return tables
    }

    /// Repairs the closed file, or throws.
    private func mend(_ error: StorageError) throws(StorageError) {
        guard error.isMendable, PrivateFile.isWritable(place.directory) else { throw error }
        guard place.loop.now >= mendsAt else { throw error }
        mendsAt = place.loop.now.advanced(by: Self.mendEvery)
        do throws(StorageError) {
            guard let line = try keeper(on: queue).mend(error, after: answeredRevision) else {
                // The file was only migrated. Copies from before the migration have no checksums, so a new copy is made.
                Task { try? await copy() }
                return
            }
            report(line)
            whenRenewed()
        } catch {
            report("\(files.file) cannot be repaired: \(error). \(error.hint)")
            throw error
        }
    }

    private func error(_ error: StorageError) -> SearchError {
        SearchError(
            .unavailable,
            "Your library can't be used: \(error).",
            retryable: error.code != .newerSchema,
            hint: error.hint
        )
    }

    private func closeLater() {
        guard closing == nil else { return }
        let instant = usedAt.advanced(by: Self.idleMax)
        closing = Task(executorPreference: place.loop) { [weak self, loop = place.loop] in
            guard (try? await loop.sleep(until: instant)) != nil else { return }
            await self?.closeIfIdle()
        }
    }

    private func closeIfIdle() {
        closing = nil
        if usedAt.duration(to: place.loop.now) < Self.idleMax { closeLater() } else { closeFile() }
    }

    private func closeFile() { (tables, listing, seenListing) = (nil, nil, nil) }

    /// Closes the file, and cancels a copy in progress; the next use opens the file again.
    package nonisolated func close() async {
        cancellation.cancel()
        await end()
    }

    private func end() async {
        await endCopying()
        closing?.cancel()
        closing = nil
        closeFile()
    }
}
