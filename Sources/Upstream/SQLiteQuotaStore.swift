import Catalogue
package import EventLoop
import Storage

/// The quota ledger: an SQLite file on a thread of its own.
///
/// Changes that arrive while a commit waits for the disk share the next one. A damaged file is renamed; in the new one
/// the windows of that moment begin with a guess of what was used.
package actor SQLiteQuotaStore: QuotaStore, LoopActor {
    private enum Change {
        case charge([CountedQuota], user: UInt32, at: Int64)
        case refund(QuotaCharge)
        case set(CountedQuota, used: Int, at: Int64)
    }

    private typealias Outcome = Result<QuotaAnswer, StorageError>

    /// Stands for users in rows of calls that nobody in particular made.
    private static let others: Int64 = -1
    /// The same for a guess.
    private static let guess: Int64 = -2
    /// How long rows are kept after their window: who called in the last seven days is known from them.
    private static let keepSeconds: Int64 = 8 * 86_400
    private static let callerSeconds: Int64 = 7 * 86_400
    private static let lockFilesOfOldVersions = 16

    package nonisolated let loop: EventLoop
    private let path: String
    private let wallClock: @Sendable () -> Int64
    private let report: @Sendable (String) -> Void
    private var database: Database?
    /// When the ledger was damaged, in seconds since 1970.
    private var damagedAt: Int64?
    private var waiting: [(change: Change, continuation: CheckedContinuation<Outcome, Never>)] = []
    private var isClosed = false
    /// How often changes were committed, several of them together.
    private(set) var commitCount = 0

    /// A ledger that is opened when it is first used.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - loop: A loop of its own: commits block its thread until the disk has them.
    ///   - wallClock: Reads seconds since 1970.
    ///   - report: Takes a line for the log when a damaged file was renamed.
    package init(
        _ path: String,
        on loop: EventLoop,
        wallClock: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.path = path
        self.loop = loop
        self.wallClock = wallClock
        self.report = report
    }

    package func charge(
        _ quotas: [CountedQuota],
        for user: UInt32,
        at wall: Int64
    ) async throws(QuotaStoreError) -> QuotaAnswer {
        try await commit(.charge(quotas, user: user, at: wall))
    }

    package func refund(_ charge: QuotaCharge) async {
        _ = try? await commit(.refund(charge))
    }

    package func set(_ quota: CountedQuota, used: Int, at wall: Int64) async throws(QuotaStoreError) -> QuotaUsage {
        try await commit(.set(quota, used: used, at: wall)).usages.first
            ?? QuotaUsage(window: quota.quota.period(at: wall))
    }

    package func usage(_ quotas: [CountedQuota], at wall: Int64) async throws(QuotaStoreError) -> QuotaOverview {
        do throws(StorageError) {
            return try repairing { database throws(StorageError) in
                var overview = QuotaOverview(usages: [], callers: [:])
                for quota in quotas { overview.usages.append(try usage(of: quota, at: wall, database)) }
                try database.run(
                    "SELECT owner, user, max(calledAt) FROM usage WHERE user >= 0 AND calledAt > ? GROUP BY owner, user",
                    .integer(wall - Self.callerSeconds)
                ) { row throws(StorageError) in
                    let account = QuotaKey(owner: row.text(0), name: "").account
                    let user = UInt32(truncatingIfNeeded: row.integer(1))
                    overview.callers[account, default: [:]][user] = row.integer(2)
                }
                return overview
            }
        } catch {
            throw QuotaStoreError(error, path)
        }
    }

    /// Commits what waits, and closes the file; every later call fails.
    package func close() {
        commitWaiting()
        database = nil
        isClosed = true
    }

    // MARK: Commits

    private func commit(_ change: Change) async throws(QuotaStoreError) -> QuotaAnswer {
        let outcome = await withCheckedContinuation { continuation in
            waiting.append((change, continuation))
            // Changes that the loop has received by then are in the same commit.
            if waiting.count == 1 { performLater { $0.commitWaiting() } }
        }
        do throws(StorageError) {
            return try outcome.get()
        } catch {
            throw QuotaStoreError(error, path)
        }
    }

    private func commitWaiting() {
        let batch = waiting
        guard !batch.isEmpty else { return }
        waiting = []
        commitCount += 1
        do throws(StorageError) {
            let answers = try repairing { database throws(StorageError) in
                try database.transaction { () throws(StorageError) in
                    var answers: [QuotaAnswer] = []
                    for entry in batch { answers.append(try perform(entry.change, database)) }
                    return answers
                }
            }
            for (entry, answer) in zip(batch, answers) { entry.continuation.resume(returning: .success(answer)) }
        } catch {
            for entry in batch { entry.continuation.resume(returning: .failure(error)) }
        }
    }

    private func perform(_ change: Change, _ database: Database) throws(StorageError) -> QuotaAnswer {
        switch change {
        case .charge(let quotas, let user, let wall): return try charge(quotas, user, at: wall, database)
        case .refund(let charge):
            for entry in charge.entries {
                try database.run(
                    """
                    UPDATE usage SET used = used - 1
                    WHERE owner = ? AND quota = ? AND start = ? AND user = ? AND used > 0
                    """,
                    .text(entry.key.owner),
                    .text(entry.key.name),
                    .integer(entry.start),
                    .integer(Int64(charge.user))
                )
            }
            return .refused([])
        case .set(let quota, let used, let wall):
            var usage = QuotaUsage(window: quota.quota.period(at: wall))
            // Later windows, too: the clock may have been ahead.
            try database.run(
                "DELETE FROM usage WHERE owner = ? AND quota = ? AND (start > ? OR start = ? AND user < 0)",
                .text(quota.key.owner),
                .text(quota.key.name),
                .integer(usage.window.lowerBound),
                .integer(usage.window.lowerBound)
            )
            try database.run(
                "UPDATE usage SET used = 0 WHERE owner = ? AND quota = ? AND start = ?",
                .text(quota.key.owner),
                .text(quota.key.name),
                .integer(usage.window.lowerBound)
            )
            usage.others = used
            try add(used, to: quota, Self.others, usage.window, at: 0, database)
            return .refused([usage])
        }
    }

    private func charge(
        _ quotas: [CountedQuota],
        _ user: UInt32,
        at wall: Int64,
        _ database: Database
    ) throws(StorageError) -> QuotaAnswer {
        var usages: [QuotaUsage] = []
        for quota in quotas { usages.append(try usage(of: quota, at: wall, database)) }
        guard zip(quotas, usages).allSatisfy({ $0.quota.limit > $1.total }) else { return .refused(usages) }
        for (index, quota) in quotas.enumerated() {
            let usage = usages[index]
            if usage.isGuess, !usage.isWritten {
                try add(usage.others, to: quota, Self.guess, usage.window, at: 0, database)
            }
            try add(1, to: quota, Int64(user), usage.window, at: wall, database)
            usages[index].users[user, default: 0] += 1
        }
        let entries = zip(quotas, usages).map { QuotaCharge.Entry(key: $0.key, start: $1.window.lowerBound) }
        return .charged(QuotaCharge(user: user, entries: entries), usages)
    }

    // MARK: Rows

    /// What is used in the present window, or in a later one if the clock has gone back.
    private func usage(of quota: CountedQuota, at wall: Int64, _ database: Database) throws(StorageError) -> QuotaUsage
    {
        let window = quota.quota.period(at: wall)
        var usage = QuotaUsage(window: window)
        try database.run(
            """
            SELECT start, "end", user, used FROM usage
            WHERE owner = ? AND quota = ? AND start >= ? ORDER BY start
            """,
            .text(quota.key.owner),
            .text(quota.key.name),
            .integer(window.lowerBound)
        ) { row throws(StorageError) in
            let (start, used) = (row.integer(0), Int(row.integer(3)))
            if !usage.isWritten || start != usage.window.lowerBound {
                usage = QuotaUsage(window: start..<max(start + 1, row.integer(1)))
                usage.isWritten = true
            }
            switch row.integer(2) {
            case Self.others: usage.others += used
            case Self.guess: (usage.others, usage.isGuess) = (usage.others + used, true)
            case let user: usage.users[UInt32(truncatingIfNeeded: user)] = used
            }
        }
        if !usage.isWritten, let damagedAt, window.contains(damagedAt) {
            (usage.others, usage.isGuess) = (quota.quota.guessAfterDamage, true)
        }
        return usage
    }

    private func add(
        _ count: Int,
        to quota: CountedQuota,
        _ user: Int64,
        _ window: Range<Int64>,
        at wall: Int64,
        _ database: Database
    ) throws(StorageError) {
        try database.run(
            """
            INSERT INTO usage (owner, quota, start, "end", user, used, calledAt) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET used = used + excluded.used, calledAt = excluded.calledAt
            """,
            .text(quota.key.owner),
            .text(quota.key.name),
            .integer(window.lowerBound),
            .integer(window.upperBound),
            .integer(user),
            .integer(count),
            .integer(wall)
        )
    }

    // MARK: The file

    /// Works on the ledger; once more on a new one if the file turns out to be damaged.
    private func repairing<Value>(_ body: (Database) throws(StorageError) -> Value) throws(StorageError) -> Value {
        do throws(StorageError) {
            return try body(open())
        } catch {
            guard error.code.isCorrupt || error.code.isForeign else { throw error }
            try replaceDamaged(because: error)
            return try body(open())
        }
    }

    private func open() throws(StorageError) -> Database {
        if let database { return database }
        guard !isClosed else {
            throw StorageError(.closed, file: path, message: "it has been closed", hint: "Start the daemon again.")
        }
        let isMissing = !PrivateFile.isThere(path)
        if PrivateFile.size(of: path) == 0 || (isMissing && (PrivateFile.size(of: path + "-wal") ?? 0) > 0) {
            throw Self.damaged(path)
        }
        // A new file gets its name when it is complete: an empty one under this name is damaged.
        if isMissing { try makeFile(damagedAt: nil) }
        let opened = try Database(path, schema: Self.schema, journal: .log, on: loop)
        let check = try opened.first("PRAGMA quick_check(1)") { $0.text(0) }
        guard check == "ok" else { throw Self.damaged(path) }
        damagedAt = try opened.first("SELECT at FROM damage ORDER BY at DESC") { $0.integer(0) }
        try opened.run(#"DELETE FROM usage WHERE "end" < ?"#, .integer(wallClock() - Self.keepSeconds))
        let locks = (0..<Self.lockFilesOfOldVersions).map { "\(path)-leases-\($0)" }
        for lock in locks where PrivateFile.isThere(lock) { try PrivateFile.remove(lock) }
        database = opened
        return opened
    }

    /// Makes a complete file and then gives it the ledger's name, so that no crash leaves half of one.
    private func makeFile(damagedAt: Int64?) throws(StorageError) {
        let new = path + ".new"
        // After a crash while a damaged ledger was replaced it knows of the damage.
        if damagedAt != nil { try PrivateFile.remove(new) }
        do {
            let made = try Database(new, schema: Self.schema, journal: .log, on: loop)
            if let damagedAt { try made.run("INSERT INTO damage VALUES (?)", .integer(damagedAt)) }
            try made.emptyLog()
        }
        if let damagedAt {
            if PrivateFile.isThere(path) { try PrivateFile.move(path, to: "\(path).damaged-\(damagedAt)") }
            try PrivateFile.remove(path)
        }
        try PrivateFile.move(new, to: path)
    }

    private func replaceDamaged(because error: StorageError) throws(StorageError) {
        database = nil
        let wall = wallClock()
        try makeFile(damagedAt: wall)
        report(
            "\(error); it was moved to \(path).damaged-\(wall). Until their windows end, quotas of a day or less "
                + "continue at half, and longer ones are closed; “searchctl quota NAME USED” sets what was used."
        )
    }

    private static func damaged(_ path: String) -> StorageError {
        // SQLITE_CORRUPT.
        StorageError(
            StorageError.Code(rawValue: 11),
            file: PrivateFile.name(of: path),
            message: "it is damaged",
            hint: "See the log."
        )
    }
}

extension QuotaStoreError {
    fileprivate init(_ error: StorageError, _ path: String) {
        self.init(message: "the quota ledger \(path) can't be used: \(error.message)", hint: error.hint)
    }
}
