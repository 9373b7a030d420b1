package import EventLoop

/// The cache's tier on disk: pages that survive the daemon, bounded.
///
/// Nothing here ever fails a search: a page that can't be read is missing, one that can't be written is dropped and
/// counted. A file that is damaged, or that a newer program wrote, is replaced by an empty one.
package actor PageArchive: LoopActor {
    package struct Figures: Equatable, Sendable {
        package var entries = 0
        package var bytes = 0
        /// The bound of the bytes.
        package var limit = 0
        package var hits = 0
        package var misses = 0
        package var evictions = 0
        /// Pages that came too fast for the disk, or that it did not take.
        package var dropped = 0
    }

    /// How long pages wait for others to share a commit with.
    package static let batchDelay = Duration.milliseconds(100)
    /// How long a file that can't be opened is left alone.
    package static let retryAfter = Duration.seconds(60)
    /// What waits to be written at a time; more is dropped, which costs a later call at most.
    static let (pendingMax, pendingBytesMax) = (1024, 8 << 20)

    /// What is read and written from any thread.
    private struct Shared {
        var figures = Figures()
        var pending: [(page: ArchivedPage, size: Int, bytes: @Sendable () -> [UInt8])] = []
        var pendingBytes: Int { pending.reduce(0) { $0 + $1.size } }
        /// The pages in the file by number; nil while it is not open.
        var known: [Int64: Int]?
    }

    private let path: String
    private let bytesMax: Int
    package nonisolated let loop: EventLoop
    private let report: @Sendable (String) -> Void
    /// Nil before the first use, and after a failure.
    private var table: PageTable?
    private var isClosed = false
    /// A file that can't be opened is left alone until then.
    private var retryAt = Instant(nanoseconds: .min)
    /// Whether the latest use of the file failed, which is reported once.
    private var isFailing = false
    private nonisolated let shared = Locked(Shared())

    /// An archive in a file, which is opened at its first use.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - bytesMax: How many bytes its pages may take.
    ///   - loop: A loop for storage alone.
    ///   - report: Gets a line for the log when the file can't be used, and when it can again.
    package init(_ path: String, bytesMax: Int, on loop: EventLoop, report: @escaping @Sendable (String) -> Void) {
        (self.path, self.bytesMax, self.loop, self.report) = (path, bytesMax, loop, report)
        shared.withLock { $0.figures.limit = bytesMax }
    }

    /// From any thread.
    package nonisolated var figures: Figures { shared.withLock { $0.figures } }

    // MARK: Reading

    /// Whether a page is certainly missing, which then counts as a miss; from any thread, without waiting.
    package nonisolated func isMissing(_ key: [UInt8]) -> Bool {
        let number = PageTable.number(of: key)
        return shared.withLock { shared in
            guard let known = shared.known, known[number] == nil else { return false }
            shared.figures.misses += 1
            return true
        }
    }

    /// Returns what `read` makes of a page, on the storage thread; nil when it is missing, unreadable or unfit.
    package func page<Value>(_ key: [UInt8], read: @Sendable (ArchivedPage) -> Value?) -> Value? {
        let value = peek(key, read: read)
        shared.withLock { if value == nil { $0.figures.misses += 1 } else { $0.figures.hits += 1 } }
        return value
    }

    /// Returns what a page is read as, without counting it.
    package func peek<Value>(_ key: [UInt8], read: @Sendable (ArchivedPage) -> Value?) -> Value? {
        let found = use { table throws(StorageError) in try table.page(key) } ?? nil
        return found.flatMap(read)
    }

    /// The keys of a source's pages, the latest first.
    package func keys(of source: String, limit: Int) -> [[UInt8]] {
        use { table throws(StorageError) in try table.keys(of: source, limit: limit) } ?? []
    }

    // MARK: Writing

    /// Queues a page to be written, without waiting; from any thread.
    ///
    /// - Parameters:
    ///   - page: All but its bytes.
    ///   - size: About how many bytes it has.
    ///   - bytes: Makes the bytes, on the storage thread.
    package nonisolated func put(_ page: ArchivedPage, size: Int, bytes: @escaping @Sendable () -> [UInt8]) {
        let isFirst = shared.withLock { shared in
            guard shared.pending.count < Self.pendingMax, shared.pendingBytes + size <= Self.pendingBytesMax else {
                shared.figures.dropped += 1
                return false
            }
            shared.pending.append((page, size, bytes))
            return shared.pending.count == 1
        }
        guard isFirst else { return }
        performLater { archive in
            _ = archive.schedule(at: archive.loop.now.advanced(by: Self.batchDelay)) { $0.writeBatch() }
        }
    }

    private func writeBatch() {
        let pending = shared.withLock { shared in
            defer { shared.pending = [] }
            return shared.pending
        }
        guard !pending.isEmpty else { return }
        let pages = pending.map { waiting in
            var page = waiting.page
            page.bytes = waiting.bytes()
            return page
        }
        let written: Void? = use { table throws(StorageError) in try table.write(pages) }
        guard written != nil else { return shared.withLock { $0.figures.dropped += pages.count } }
        if isFailing { report("pages are kept in \(path) again") }
        isFailing = false
    }

    /// Removes the pages that match, of which only the bytes are missing, also those still to be written; how many there
    /// were on disk.
    package func removeAll(where matches: @Sendable (ArchivedPage) -> Bool) -> Int {
        shared.withLock { shared in shared.pending.removeAll { matches($0.page) } }
        return use { table throws(StorageError) in try table.removeAll(where: matches) } ?? 0
    }

    /// Writes what waits and closes the file; later calls find and keep nothing.
    package func close() {
        writeBatch()
        (table, isClosed) = (nil, true)
        publish()
    }

    // MARK: The file

    /// Uses the file; nil when that fails.
    private func use<Value>(_ body: (inout PageTable) throws(StorageError) -> Value) -> Value? {
        guard !isClosed, retryAt <= loop.now else { return nil }
        defer { publish() }
        do throws(StorageError) {
            var used = if let table { table } else { try PageTable(path, bytesMax: bytesMax, on: loop) }
            table = used
            let value = try body(&used)
            table = used
            return value
        } catch {
            recover(from: error)
            return nil
        }
    }

    private func recover(from error: StorageError) {
        if error.code.isCorrupt || error.code.isForeign || error.code == .newerSchema {
            // The file is closed before it is removed.
            table = nil
            if (try? PrivateFile.remove(path)) != nil {
                return report("\(error); the cache starts empty in a new \(path)")
            }
        }
        if table == nil { retryAt = loop.now.advanced(by: Self.retryAfter) }
        if !isFailing { report("\(error); pages are not kept on disk. \(error.hint)") }
        isFailing = true
    }

    private func publish() {
        shared.withLock { shared in
            shared.known = table?.costs
            guard let table else { return }
            (shared.figures.entries, shared.figures.bytes) = (table.costs.count, table.bytes)
            shared.figures.evictions = table.evictions
        }
    }
}
