import Catalogue
package import EventLoop
package import SearchModel
import Storage

/// The quota ledger: an SQLite file with its own thread, or memory if `path` is nil.
///
/// If the file was damaged, a quota per minute, hour or day counts as half used until its period ends. A quota per month
/// or in money counts as used up.
package actor SQLiteQuotaStore: QuotaStore, LoopActor {
    private typealias Change = (Database, Int64) throws(StorageError) -> Void

    package nonisolated let loop: EventLoop
    private let path: String?
    private let wallClock: @Sendable () -> Int64
    private let report: @Sendable (String) -> Void
    private var database: Database?
    private var damagedAt: Int64?
    private var waiting: [(change: Change, completion: (StorageError?) -> Void)] = []

    /// No other code may use `loop`, because commits block its thread until the data is on disk.
    package init(
        _ path: String?,
        on loop: EventLoop,
        wallClock: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.path, self.loop, self.wallClock, self.report) = (path, loop, wallClock, report)
    }

    package nonisolated func charge(_ quotas: [CountedQuota], for user: UInt32) async throws(SearchError) -> QuotaCharge
    {
        try await commit { store, database, wall throws(StorageError) in
            var usages = try quotas.map { quota throws(StorageError) in try store.usage(of: quota, at: wall, database) }
            let isAccepted = zip(quotas, usages).allSatisfy { $0.quota.limit - $1.total >= $0.quota.cost }
            for index in usages.indices where isAccepted {
                try database.add(quotas[index].quota.cost, to: &usages[index], user: user, at: wall)
            }
            return QuotaCharge(user: user, isAccepted: isAccepted, usages: usages, amounts: quotas.map(\.quota.cost))
        }
    }

    /// Records a call that another store has charged; in `totals`, `others` is the usage of all users in that store.
    package nonisolated func record(_ totals: [(CountedQuota, QuotaUsage)], for user: UInt32?) async throws(SearchError)
        -> [QuotaUsage]
    {
        try await commit { store, database, wall throws(StorageError) in
            try totals.map { quota, given throws(StorageError) in
                var usage = try store.usage(of: quota, at: given.window.lowerBound, database)
                guard usage.window == given.window else { return given }
                if usage.isGuess { (usage.others, usage.isGuess) = (0, false) }
                if let user { try database.add(quota.quota.cost, to: &usage, user: user, at: wall) }
                let rest = given.others - usage.total
                if rest > 0 { try database.add(rest, to: &usage, user: nil, at: wall) }
                return usage
            }
        }
    }

    package nonisolated func calls(of key: QuotaKey, since start: Int64) async throws(SearchError) -> Int {
        try await commit { _, database, _ throws(StorageError) in
            let sql = "SELECT sum(used) FROM usage WHERE owner = ? AND quota = ? AND start >= ? AND user >= 0"
            let (owner, quota) = (SQLValue.text(key.owner), SQLValue.text(key.countName))
            return try database.first(sql, owner, quota, .integer(start)) { Int($0.integer(0)) } ?? 0
        }
    }

    package nonisolated func correct(_ charge: QuotaCharge, by amounts: [Int]) {
        perform { store in
            store.add { database, _ throws(StorageError) in
                for (usage, amount) in zip(charge.usages, amounts) where amount != 0 {
                    let sql =
                        "UPDATE usage SET used = max(used + ?, 0) WHERE (owner, quota, start, user) = (?, ?, ?, ?)"
                    let values = [.integer(amount)] + usage.windowValues + [.integer(Int64(charge.user))]
                    try database.run(sql, values: values)
                }
            }
        }
    }

    package nonisolated func set(_ quota: CountedQuota, used: Int, isMinimum: Bool) async throws(SearchError)
        -> QuotaUsage
    {
        try await commit { store, database, wall throws(StorageError) in
            let kept = isMinimum ? try store.usage(of: quota, at: wall, database) : nil
            if let kept, kept.total >= used { return kept }
            var usage = kept ?? QuotaUsage(key: quota.key, window: quota.quota.period(at: wall))
            if usage.isGuess { (usage.others, usage.isGuess) = (0, false) }
            // Later periods can exist, because the clock may have been ahead.
            let sql = "DELETE FROM usage WHERE owner = ? AND quota = ? AND start >= ?"
            if !isMinimum { try database.run(sql, values: usage.windowValues) }
            try database.add(used - usage.total, to: &usage, user: nil, at: wall)
            return usage
        }
    }

    package nonisolated func usage(_ quotas: [CountedQuota]) async throws(SearchError) -> QuotaOverview {
        try await commit { store, database, wall throws(StorageError) in
            let usages = try quotas.map { quota throws(StorageError) in try store.usage(of: quota, at: wall, database) }
            var callers: QuotaCallers = [:]
            let sql =
                "SELECT owner, user, max(calledAt) FROM usage WHERE user >= 0 AND calledAt > ? GROUP BY 1, 2 ORDER BY 3"
            try database.run(sql, .integer(wall - QuotaBook.callerSeconds)) { row throws(StorageError) in
                let account = QuotaKey(owner: row.text(0), name: "").account
                callers[account, default: [:]][UInt32(truncatingIfNeeded: row.integer(1))] = row.integer(2)
            }
            return (usages, callers)
        }
    }

    package func close() {
        commitWaiting()
        database = nil
    }

    // MARK: Commits (methods that commit are not isolated, because isolated methods would change threads twice as often)

    private nonisolated func commit<Value: Sendable>(
        _ body: @escaping @Sendable (isolated SQLiteQuotaStore, Database, Int64) throws(StorageError) -> Value
    ) async throws(SearchError) -> Value {
        typealias Outcome = Result<Value, StorageError>
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            perform { store in
                var outcome = Outcome.failure(store.damaged)
                store.add { database, wall throws(StorageError) in
                    outcome = .success(try body(store, database, wall))
                } completion: {
                    continuation.resume(returning: $0.map(Outcome.failure) ?? outcome)
                }
            }
        }
        do throws(StorageError) { return try outcome.get() } catch {
            let message = "the quota ledger \(path ?? "in memory") can't be used: \(error.message)"
            throw SearchError(.unavailable, message, retryable: true, hint: error.hint)
        }
    }

    private func add(_ change: @escaping Change, completion: @escaping (StorageError?) -> Void = { _ in }) {
        waiting.append((change, completion))
        if waiting.count == 1 { performLater { $0.commitWaiting() } }
    }

    private func commitWaiting() {
        let batch = waiting
        guard !batch.isEmpty else { return }
        waiting = []
        let failure = Result { () throws(StorageError) in try apply(batch.map(\.change)) }.thrown
        for entry in batch { entry.completion(failure) }
    }

    private func apply(_ changes: [Change], replacesFile: Bool = true) throws(StorageError) {
        do throws(StorageError) {
            let database = try open()
            try database.transaction { () throws(StorageError) in
                for change in changes { try change(database, wallClock()) }
            }
        } catch {
            guard replacesFile else { throw error }
            try replaceFile(after: error)
            try apply(changes, replacesFile: false)
        }
    }

    // MARK: Rows

    /// If the clock was set back, returns the usage of the later period.
    private func usage(of quota: CountedQuota, at now: Int64, _ database: Database) throws(StorageError) -> QuotaUsage {
        var (usage, others) = (QuotaUsage(key: quota.key, window: quota.quota.period(at: now)), Int?.none)
        try database.run(
            #"SELECT start, "end", user, used FROM usage WHERE owner = ? AND quota = ? AND start >= ? ORDER BY start"#,
            values: usage.windowValues
        ) { row throws(StorageError) in
            let (start, used) = (row.integer(0), Int(row.integer(3)))
            if start > usage.window.lowerBound {
                (usage, others) = (QuotaUsage(key: quota.key, window: start..<max(start + 1, row.integer(1))), nil)
            }
            if let user = UInt32(exactly: row.integer(2)) { usage.users[user] = used } else { others = used }
        }
        usage.isGuess = others == nil && damagedAt.map(usage.window.contains) ?? false
        let guess = quota.quota.closesIfUnknown ? quota.quota.limit : (quota.quota.limit + 1) / 2
        usage.others = others ?? (usage.isGuess ? guess : 0)
        return usage
    }

    // MARK: The file

    /// Migration 1 creates the table of older versions, and migration 3 converts it.
    static let schema = Schema(migrations: [
        #"CREATE TABLE grants (account, quota, start, "end", granted)"#,
        "",
        """
        CREATE TABLE usage (
            owner TEXT NOT NULL, quota TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
            user INTEGER NOT NULL, used INTEGER NOT NULL CHECK (used >= 0), calledAt INTEGER NOT NULL,
            PRIMARY KEY (owner, quota, start, user)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE damage (at INTEGER NOT NULL) STRICT;
        INSERT INTO usage SELECT account, quota, start, "end", -1, max(granted), 0 FROM grants
            GROUP BY account, quota, start;
        DROP TABLE grants;
        """,
    ])

    private func replaceFile(after error: StorageError) throws(StorageError) {
        guard let path, error.code.isCorrupt || error.code.isForeign else { throw error }
        database = nil
        let wall = wallClock()
        try makeFile(path, damagedAt: wall)
        report(
            "\(error). The file was moved to \(path).damaged-\(wall). Until its period ends, a quota per day or less counts "
                + "as half used, and a quota per month or in money as used up. To correct: “searchctl quota NAME USED”."
        )
    }

    private func open() throws(StorageError) -> Database {
        if let database { return database }
        if let path, !PrivateFile.isThere(path) { try makeFile(path, damagedAt: nil) }
        if let path, PrivateFile.size(of: path) == 0 { throw damaged }
        let opened = if let path { try connect(to: path) } else { try Database(inMemory: Self.schema, on: loop) }
        guard try opened.first("PRAGMA quick_check(1)", read: { $0.text(0) }) == "ok" else { throw damaged }
        damagedAt = try opened.first("SELECT max(at) FROM damage HAVING max(at) > 0") { $0.integer(0) }
        // Rows of ended periods are kept for seven days, because they show who called.
        try opened.run(#"DELETE FROM usage WHERE "end" < ?"#, .integer(wallClock() - QuotaBook.callerSeconds))
        database = opened
        return opened
    }

    private func connect(to path: String) throws(StorageError) -> Database {
        try Database(path, schema: Self.schema, journal: .log, on: loop)
    }

    /// A crash never leaves an incomplete ledger, because only a complete file gets the name `path`.
    private func makeFile(_ path: String, damagedAt: Int64?) throws(StorageError) {
        let new = path + ".new"
        // An unfinished file can have the only record of damage, so it is removed only if a new record is written.
        if damagedAt != nil { try PrivateFile.remove(new) }
        do {
            let made = try connect(to: new)
            if let damagedAt { try made.run("INSERT INTO damage VALUES (?)", .integer(damagedAt)) }
            try made.emptyLog()
        }
        if let damagedAt {
            if PrivateFile.isThere(path) { try PrivateFile.move(path, to: "\(path).damaged-\(damagedAt)") }
            try PrivateFile.remove(path)
        }
        try PrivateFile.move(new, to: path)
    }

    private var damaged: StorageError {
        StorageError(.empty, file: PrivateFile.name(of: path ?? ""), message: "it is damaged", hint: "See the log.")
    }
}

extension QuotaUsage {
    fileprivate var windowValues: [SQLValue] {
        [.text(key.owner), .text(key.countName), .integer(window.lowerBound)]
    }
}

extension Database {
    /// The table stores the usage without a user as that of user -1.
    fileprivate func add(_ count: Int, to usage: inout QuotaUsage, user: UInt32?, at wall: Int64) throws(StorageError) {
        if let user { usage.users[user, default: 0] += count } else { usage.others += count }
        try run(
            """
            INSERT INTO usage (owner, quota, start, "end", user, used, calledAt) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET used = used + excluded.used, calledAt = excluded.calledAt
            """,
            values: usage.windowValues + [
                .integer(usage.window.upperBound), .integer(user.map(Int64.init) ?? -1), .integer(count),
                .integer(wall),
            ]
        )
    }
}
