import Catalogue
package import SearchModel

/// The quota state of this process: who may make a call, and how long a quota lasts.
///
/// Pure. The store decides whether a quota has a call left. This decides for which user, from the store's latest
/// answers and the charges being written. All times are seconds since 1970.
struct QuotaBook: Sendable {
    struct Refusal: Error, Equatable, Sendable {
        let key: QuotaKey
        let reason: Reason
        /// When the obstacle ends, in the time zone of the source's calendar, and in how many seconds.
        let endsAt: PublishedDate
        let wait: Int64
    }

    enum Reason: Equatable, Sendable {
        /// The quota is used up.
        case used
        /// The ledger was damaged, and the remaining calls are unknown.
        case unknown
        /// The last tenth is reserved for interactive calls.
        case reserved
        /// The user has used half, and this many other users have called the account lately.
        case shared(others: Int)
    }

    struct Entry: Sendable {
        let counted: CountedQuota
        /// Includes charges being written.
        var usage: QuotaUsage?

        var quota: Quota { counted.quota }

        /// Returns the usage of the present window; an ended window is followed by an unused one.
        func usage(at wall: Int64) -> QuotaUsage {
            guard let usage, wall < usage.window.upperBound else { return QuotaUsage(window: quota.period(at: wall)) }
            return usage
        }

        func left(at wall: Int64) -> Int { max(quota.limit - usage(at: wall).total, 0) }

        /// When the quota runs out at the current pace, if that is before the window ends.
        func forecast(at wall: Int64) -> Int64? {
            let (usage, left) = (usage(at: wall), left(at: wall))
            if left == 0 { return wall }
            if usage.isGuess { return nil }
            // The first minutes of a day say little about its pace.
            let elapsed = max(wall - usage.window.lowerBound, Int64(usage.window.count) / 24)
            let end = Double(wall) + Double(elapsed) * Double(left) / Double(usage.total)
            return end < Double(usage.window.upperBound) ? Int64(end) : nil
        }
    }

    /// A user who has called an account within this time has a share of its daily quotas.
    static let callerSeconds: Int64 = 7 * 86_400

    private(set) var entries: [QuotaKey: Entry] = [:]
    /// By account: when each user last called it.
    private var callers: [String: [UInt32: Int64]] = [:]

    /// Adds or changes a quota; earlier calls still count.
    mutating func keep(_ quota: Quota, as key: QuotaKey) {
        guard entries[key]?.quota != quota else { return }
        // If the window changes, the store knows its usage.
        entries[key] = Entry(counted: CountedQuota(key: key, quota: quota))
    }

    /// Returns the known quotas with these keys.
    func counted(_ keys: [QuotaKey]) -> [CountedQuota] { keys.compactMap { entries[$0]?.counted } }

    /// The known quotas whose usage the store has not answered yet.
    var unread: [CountedQuota] { entries.values.filter { $0.usage == nil }.map(\.counted) }

    var names: [String] { Set(entries.keys.map(\.name)).sorted() }

    /// Returns the known quotas with this name.
    func named(_ name: String) -> [CountedQuota] { entries.values.map(\.counted).filter { $0.key.name == name } }

    // MARK: Charging

    /// Counts a charge that is being written.
    mutating func begin(_ keys: [QuotaKey], for user: UInt32, at wall: Int64) {
        for key in keys {
            var usage = entries[key]?.usage(at: wall)
            usage?.users[user, default: 0] += 1
            entries[key]?.usage = usage
        }
    }

    /// Removes a charge that failed or was refunded.
    mutating func takeBack(_ keys: [QuotaKey], for user: UInt32) {
        for key in keys {
            let used = entries[key]?.usage?.users[user] ?? 0
            entries[key]?.usage?.users[user] = max(0, used - 1)
        }
    }

    /// Records the store's answer to a charge.
    mutating func received(_ answer: QuotaAnswer, _ keys: [QuotaKey], for user: UInt32, at wall: Int64) {
        received(QuotaOverview(usages: answer.usages), of: keys)
        guard answer.charge != nil else { return }
        for key in keys { callers[key.account, default: [:]][user] = wall }
    }

    mutating func received(_ overview: QuotaOverview, of keys: [QuotaKey]) {
        for (key, usage) in zip(keys, overview.usages) { entries[key]?.usage = usage }
        callers.merge(overview.callers) { $0.merging($1, uniquingKeysWith: max) }
    }

    // MARK: Refusing

    /// Returns which of these users may call with these quotas now, as far as known, or why none may.
    func payer(
        _ keys: [QuotaKey],
        _ users: Set<UInt32>,
        _ priority: Priority,
        at wall: Int64
    ) -> Result<UInt32, Refusal> {
        var answer = Result<UInt32, Refusal>.success(0)
        for user in users.sorted() {
            guard let refusal = refusal(keys, for: user, priority, at: wall) else { return .success(user) }
            answer = .failure(refusal)
        }
        return answer
    }

    private func refusal(_ keys: [QuotaKey], for user: UInt32, _ priority: Priority, at wall: Int64) -> Refusal? {
        for entry in keys.compactMap({ entries[$0] }) {
            let (quota, usage, left) = (entry.quota, entry.usage(at: wall), entry.left(at: wall))
            var (reason, end) = (Reason.used, usage.window.upperBound)
            if left == 0 {
                if usage.isGuess, quota.period == .month { reason = .unknown }
            } else if priority == .background, entry.usage != nil, left <= (quota.limit + 9) / 10 {
                reason = .reserved
            } else if let share = share(entry, of: user, at: wall) {
                (reason, end) = (.shared(others: share.others), share.until)
            } else {
                continue
            }
            return Refusal(key: entry.counted.key, reason: reason, endsAt: quota.date(end), wait: max(end - wall, 1))
        }
        return nil
    }

    /// Until when half of a quota is reserved for other users; nil when this user may use it.
    private func share(_ entry: Entry, of user: UInt32, at wall: Int64) -> (others: Int, until: Int64)? {
        guard entry.quota.isLong else { return nil }
        let usage = entry.usage(at: wall)
        let release = usage.window.upperBound - Int64(usage.window.count) / 4
        guard usage.users[user, default: 0] * 2 >= entry.quota.limit, wall < release else { return nil }
        let others = callers[entry.counted.key.account, default: [:]].count { caller in
            caller.key != user && caller.value > wall - Self.callerSeconds
        }
        return others > 0 ? (others, release) : nil
    }

    // MARK: Reporting

    /// When the latest window of these quotas began; counts only quotas of a day or longer.
    func windowStart(of keys: [QuotaKey], at wall: Int64) -> Int64? {
        keys.compactMap { entries[$0] }.filter(\.quota.isLong).map { $0.usage(at: wall).window.lowerBound }.max()
    }

    /// The figures of a quota; nil for an unknown quota.
    func figures(_ key: QuotaKey, at wall: Int64) -> QuotaFigures? {
        guard let entry = entries[key] else { return nil }
        let usage = entry.usage(at: wall)
        return QuotaFigures(
            name: key.name,
            limit: entry.quota.limit,
            used: usage.total,
            left: entry.left(at: wall),
            resetsAt: entry.quota.date(usage.window.upperBound),
            forecast: entry.forecast(at: wall).map { entry.quota.date($0) },
            isGuess: usage.isGuess
        )
    }
}

/// The state of a quota.
package struct QuotaFigures: Equatable, Sendable {
    package let name: String
    package let limit: Int
    package let used: Int
    package let left: Int
    /// In the time zone of the source's calendar.
    package let resetsAt: PublishedDate
    /// When the quota runs out at the current pace; nil when it lasts.
    package let forecast: PublishedDate?
    /// Whether `used` is a guess, because the ledger was damaged during the window.
    package var isGuess = false
}

extension Quota {
    /// Whether the window is a day or longer; users share such quotas.
    fileprivate var isLong: Bool { period == .day || period == .month }
}
