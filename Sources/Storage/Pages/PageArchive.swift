package import EventLoop

/// The disk's tier of the cache: pages that survive the daemon, bounded.
///
/// Nothing here ever fails a search: what can't be read is not there, what can't be written is dropped and counted. A
/// file that is damaged, or that a newer program wrote, is set aside, and a new one made.
package actor PageArchive: LoopActor {
    package struct Figures: Equatable, Sendable {
        package var entries = 0
        package var bytes = 0
        /// The bound of the bytes.
        package var limit = 0
        package var hits = 0
        package var misses = 0
        package var evictions = 0
        /// Pages that came too fast for the disk, or that it would not take.
        package var dropped = 0
    }

    /// How long pages wait for others to be written with.
    package static let batchDelay = Duration.milliseconds(100)
    /// How long a file that can't be opened is left alone.
    package static let retryAfter = Duration.seconds(60)
    /// Lookups that wait at a time; past it the disk is too slow to be of help.
    package static let lookupsMax = 512
    private static let usedMax = 4096

    private enum State {
        case unopened
        case open(PageTable)
        case broken(until: Instant)
        case closed
    }

    private let path: String
    private let bytesMax: Int
    private let fileBytesMax: Int
    package nonisolated let loop: EventLoop
    private let wallClock: @Sendable () -> Int64
    private let report: @Sendable (String) -> Void
    private var state = State.unopened
    /// Rows that were read, and when; written with the next batch.
    private var used: [Int64: Int64] = [:]
    /// Whether something has gone wrong since the last batch that was written: told once.
    private var isFailing = false
    private nonisolated let queue = Locked(PageQueue())
    private nonisolated let shown = Locked(Figures())
    private nonisolated let lookups = Locked(0)
    /// The numbers of the pages in the file that is open; nil while none is.
    private nonisolated let known = Locked<Set<UInt64>?>(nil)

    /// An archive in a file, which is opened at its first use.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - bytesMax: How many bytes its pages may take.
    ///   - fileBytesMax: How large the file may ever be; nil for twice as much.
    ///   - loop: A loop for storage alone.
    ///   - wallClock: Nanoseconds since 1970.
    ///   - report: Gets a line for the log when the file can't be used, and when it can again.
    package init(
        _ path: String,
        bytesMax: Int,
        fileBytesMax: Int? = nil,
        on loop: EventLoop,
        wallClock: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.path = path
        self.bytesMax = bytesMax
        self.fileBytesMax = fileBytesMax ?? PageTable.fileBytesMax(for: bytesMax)
        self.loop = loop
        self.wallClock = wallClock
        self.report = report
        shown.withLock { $0.limit = bytesMax }
    }

    /// From any thread.
    package nonisolated var figures: Figures {
        var figures = shown.withLock { $0 }
        figures.dropped += queue.withLock { $0.dropped }
        return figures
    }

    // MARK: Reading

    /// Whether a page is certainly not there, which then counts as a miss; without waiting, from any thread.
    ///
    /// False until this process has opened the file. What another process has written since this one's last batch is
    /// taken for missing: that costs a call at most.
    package nonisolated func isMissing(_ key: [UInt8]) -> Bool {
        let number = PageNumber.of(key)
        guard known.withLock({ $0?.contains(number) == false }) else { return false }
        shown.withLock { $0.misses += 1 }
        return true
    }

    /// What a page is read as; nil when it is not there, can't be read, or the disk is too busy.
    ///
    /// - Parameters:
    ///   - key: The page.
    ///   - read: Makes it what the caller wants, on storage's thread; nil when it is not fit for that.
    /// - Returns: What `read` made of it.
    package nonisolated func page<Value: Sendable>(
        _ key: [UInt8],
        read: @escaping @Sendable (ArchivedPage) -> Value?
    ) async -> Value? {
        let mayLook = lookups.withLock { count in
            guard count < Self.lookupsMax else { return false }
            count += 1
            return true
        }
        guard mayLook else { return nil }
        defer { lookups.withLock { $0 -= 1 } }
        return await found(key, read: read)
    }

    /// The keys of a source's pages, those used last first.
    package func keys(of source: String, limit: Int) -> [[UInt8]] {
        use { table throws(StorageError) in try table.keys(of: source, limit: limit) } ?? []
    }

    /// What a page is read as, which does not count as a use of it.
    package func peek<Value>(_ key: [UInt8], read: @Sendable (ArchivedPage) -> Value?) -> Value? {
        let found = use { table throws(StorageError) in try table.page(key) } ?? nil
        return found.flatMap { read($0.page) }
    }

    private func found<Value>(_ key: [UInt8], read: (ArchivedPage) -> Value?) -> Value? {
        let found = use { table throws(StorageError) in try table.page(key) } ?? nil
        guard let found, let value = read(found.page) else {
            shown.withLock { $0.misses += 1 }
            return nil
        }
        shown.withLock { $0.hits += 1 }
        if used.count < Self.usedMax { used[found.id] = wallClock() }
        return value
    }

    // MARK: Writing

    /// Puts a page on its way to the disk, without waiting; from any thread.
    ///
    /// - Parameters:
    ///   - page: Its bytes are made on storage's thread.
    ///   - bytes: About how many it has.
    package nonisolated func put(_ page: UnwrittenPage, bytes: Int) {
        let pending = PageQueue.Pending(page: page, bytes: bytes)
        guard queue.withLock({ $0.append(pending) }) else { return }
        loop.perform { [self] in
            // Actions run on the loop, which is this actor's executor.
            onLoop { $0.scheduleBatch() }
        }
    }

    private func scheduleBatch() {
        _ = loop.schedule(at: loop.now.advanced(by: Self.batchDelay)) { [self] in
            // Timers fire on the loop, which is this actor's executor.
            onLoop { $0.writeBatch() }
        }
    }

    private func writeBatch() {
        let pending = queue.withLock { $0.takeAll() }
        let pages = pending.map(\.page)
        let bytes = pending.reduce(0) { $0 + $1.bytes }
        guard !pages.isEmpty || !used.isEmpty else { return }
        let now = wallClock()
        let used = used
        self.used = [:]
        let written: Void? = use { table throws(StorageError) in
            try table.write(pages, expectedBytes: bytes, used: used, at: now)
        }
        guard written != nil else { return shown.withLock { $0.dropped += pages.count } }
        if isFailing { report("pages are kept in \(path) again") }
        isFailing = false
    }

    /// Forgets the pages that match, of which only the bytes are missing, also those on their way to the disk; how many
    /// there were on disk.
    package func removeAll(where matches: @Sendable (ArchivedPage) -> Bool) -> Int {
        queue.withLock { queue in queue.removeAll(where: matches) }
        return use { table throws(StorageError) in try table.removeAll(where: matches) } ?? 0
    }

    /// Writes what waits and closes the file; later calls find and keep nothing.
    package func close() {
        if case .unopened = state, queue.withLock({ $0.pages.isEmpty }) { return letGo(.closed) }
        writeBatch()
        letGo(.closed)
    }

    // MARK: The file

    /// Does something with the table; nil when that is not possible.
    private func use<Value>(_ body: (inout PageTable) throws(StorageError) -> Value) -> Value? {
        switch attempt(body) {
        case nil: return nil
        case .success(let value): return value
        case .failure(let error):
            failed(error)
            return nil
        }
    }

    /// The same in a scope of its own: after a failure only the state refers to the file.
    private func attempt<Value>(
        _ body: (inout PageTable) throws(StorageError) -> Value
    ) -> Result<Value, StorageError>? {
        guard var table = table() else { return nil }
        let result = Result { () throws(StorageError) in try body(&table) }
        // What was found out about the room counts also when the rest failed.
        keep(table)
        return result
    }

    private func letGo(_ next: State) {
        state = next
        known.withLock { $0 = nil }
    }

    private func keep(_ table: PageTable) {
        state = .open(table)
        known.withLock { $0 = table.numbers }
        shown.withLock { figures in
            figures.entries = table.entries
            figures.bytes = table.bytes
            figures.evictions = table.evictions
        }
    }

    private func table() -> PageTable? {
        switch state {
        case .open(let table): return table
        case .closed: return nil
        case .broken(let until) where loop.now < until: return nil
        case .unopened, .broken: break
        }
        do throws(StorageError) {
            return try PageTable(path, bytesMax: bytesMax, fileBytesMax: fileBytesMax, on: loop)
        } catch {
            guard isLost(error) else {
                give(up: error)
                return nil
            }
            return rebuilt(error)
        }
    }

    private func failed(_ error: StorageError) {
        if error.code.isMoved {
            // Another process has set the file aside: the next use opens the new one.
            letGo(.unopened)
        } else if isLost(error) {
            // The file is let go of before it is moved.
            letGo(.unopened)
            if let table = rebuilt(error) { keep(table) }
        } else {
            tell("\(error); pages are not kept on disk. \(error.hint)")
        }
    }

    /// A new file instead of one that is set aside; nil when that is not possible either.
    private func rebuilt(_ error: StorageError) -> PageTable? {
        guard let aside = SetAside.move(path, at: wallClock() / 1_000_000_000) else {
            give(up: error)
            return nil
        }
        do throws(StorageError) {
            let table = try PageTable(path, bytesMax: bytesMax, fileBytesMax: fileBytesMax, on: loop)
            report("\(error); the cache file is set aside as \(aside), and begun anew")
            used = [:]
            return table
        } catch {
            give(up: error)
            return nil
        }
    }

    private func give(up error: StorageError) {
        letGo(.broken(until: loop.now.advanced(by: Self.retryAfter)))
        tell("\(error); pages are not kept on disk. \(error.hint)")
    }

    private func tell(_ line: String) {
        if !isFailing { report(line) }
        isFailing = true
    }

    /// Whether the file itself is beyond use: what lies in it is only a cache.
    private func isLost(_ error: StorageError) -> Bool {
        // A file that can't be opened may be a lack of descriptors.
        error.code.isCorrupt || error.code.isForeign || error.code.isContradictory || error.code == .newerSchema
            || error.code.isUnusable && !PrivateFile.isUsable(path)
    }
}
