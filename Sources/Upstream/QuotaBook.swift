import Catalogue
package import SearchModel

/// What this process knows of the quotas: who may make a call, and how long a quota lasts.
///
/// Pure. The store decides whether a quota has a call left; this decides for whom, from the store's latest answers and
/// the charges that are being written. All times are seconds since 1970.
struct QuotaBook: Sendable {
    struct Refusal: Equatable, Sendable {
        let key: QuotaKey
        let reason: Reason
        /// When that ends, in the zone of the source's calendar, and in how many seconds.
        let endsAt: PublishedDate
        let wait: Int64
    }

    enum Reason: Equatable, Sendable {
        /// All is used.
        case used
        /// The ledger was damaged, so nobody knows what is left.
        case unknown
        /// The last tenth is kept for interactive work.
        case reserved
        /// The user has used half, and so many other users have called the account lately.
        case shared(others: Int)
    }

    struct Entry: Sendable {
        let counted: CountedQuota
        var usage: QuotaUsage?
        /// Charges that are being written.
        var pending: [UInt32: Int] = [:]

        var quota: Quota { counted.quota }
        /// How many calls background work leaves.
        var reserve: Int { (quota.limit + 9) / 10 }

        /// What is used of the present window; a window that has ended is followed by an unused one.
        func usage(at wall: Int64) -> QuotaUsage {
            guard let usage, wall < usage.window.upperBound else { return QuotaUsage(window: quota.period(at: wall)) }
            return usage
        }

        func used(at wall: Int64) -> Int { pending.values.reduce(usage(at: wall).total, +) }

        func left(at wall: Int64) -> Int { max(quota.limit - used(at: wall), 0) }

        /// When the quota is used up at the pace of its window so far, if that is before the window ends.
        func forecast(at wall: Int64) -> Int64? {
            let (window, left) = (usage(at: wall).window, left(at: wall))
            if left == 0 { return wall }
            // The first minutes of a day say little about its pace.
            let elapsed = max(wall - window.lowerBound, (window.upperBound - window.lowerBound) / 24)
            let end = Double(wall) + Double(elapsed) * Double(left) / Double(used(at: wall))
            return end < Double(window.upperBound) ? Int64(end) : nil
        }
    }

    /// A user who has called an account within this time keeps a share of its days.
    static let callerSeconds: Int64 = 7 * 86_400

    private(set) var entries: [QuotaKey: Entry] = [:]
    /// By account, when its users called it last.
    private var callers: [String: [UInt32: Int64]] = [:]

    /// Keeps a quota from now on, or changes one that is kept; what was used stays used.
    mutating func keep(_ quota: Quota, as key: QuotaKey) {
        guard entries[key]?.quota != quota else { return }
        // The store knows what is used if the windows are others now.
        entries[key] = Entry(counted: CountedQuota(key: key, quota: quota))
    }

    /// These quotas, without those that are not kept.
    func counted(_ keys: [QuotaKey]) -> [CountedQuota] { keys.compactMap { entries[$0]?.counted } }

    /// The kept quotas whose usage the store has not answered yet.
    var unread: [CountedQuota] { entries.values.filter { $0.usage == nil }.map(\.counted) }

    var names: [String] { Set(entries.keys.map(\.name)).sorted() }

    /// The kept quotas with this name.
    func named(_ name: String) -> [CountedQuota] { entries.values.map(\.counted).filter { $0.key.name == name } }

    // MARK: Charging

    /// A charge is being written.
    mutating func begin(_ keys: [QuotaKey], for user: UInt32) {
        for key in keys { entries[key]?.pending[user, default: 0] += 1 }
    }

    /// A charge was answered, by default that it can't be written.
    mutating func ended(_ keys: [QuotaKey], for user: UInt32, _ answer: QuotaAnswer = .refused([]), at wall: Int64) {
        for key in keys {
            let count = entries[key]?.pending[user] ?? 0
            entries[key]?.pending[user] = count > 1 ? count - 1 : nil
        }
        switch answer {
        case .refused(let usages): received(usages, of: keys)
        case .charged(_, let usages):
            received(usages, of: keys)
            for key in keys { callers[key.account, default: [:]][user] = wall }
        }
    }

    /// A charge was refunded.
    mutating func refunded(_ charge: QuotaCharge) {
        for (key, start) in charge.entries where entries[key]?.usage?.window.lowerBound == start {
            let used = entries[key]?.usage?.users[charge.user] ?? 0
            entries[key]?.usage?.users[charge.user] = max(0, used - 1)
        }
    }

    mutating func received(_ usages: [QuotaUsage], of keys: [QuotaKey]) {
        for (key, usage) in zip(keys, usages) { entries[key]?.usage = usage }
    }

    mutating func received(_ callers: [String: [UInt32: Int64]]) {
        self.callers.merge(callers) { $0.merging($1, uniquingKeysWith: max) }
    }

    /// The source reports these as used up for at least so many seconds; returns those that end within that time, which
    /// count as used up from now on.
    mutating func reportedUsedUp(_ keys: [QuotaKey], for seconds: Int64, at wall: Int64) -> [CountedQuota] {
        let ended = keys.filter { key in
            guard let entry = entries[key], entry.quota.period != .minute, entry.left(at: wall) > 0 else {
                return false
            }
            return entry.usage(at: wall).window.upperBound - wall <= seconds
        }
        for key in ended {
            guard var usage = entries[key]?.usage(at: wall), let left = entries[key]?.left(at: wall) else { continue }
            usage.others += left
            entries[key]?.usage = usage
        }
        return counted(ended)
    }

    // MARK: Refusing

    /// Why none of these users can make a call that uses these quotas now; nil when one may, as far as is known.
    func refusal(
        _ keys: [QuotaKey],
        for users: some Collection<UInt32>,
        _ priority: Priority,
        at wall: Int64
    ) -> Refusal? {
        var first: Refusal?
        for user in users {
            guard let refusal = refusal(keys, for: user, priority, at: wall) else { return nil }
            first = first ?? refusal
        }
        return first
    }

    private func refusal(_ keys: [QuotaKey], for user: UInt32, _ priority: Priority, at wall: Int64) -> Refusal? {
        for key in keys {
            guard let entry = entries[key] else { continue }
            let (usage, left) = (entry.usage(at: wall), entry.left(at: wall))
            func refusal(_ reason: Reason, until end: Int64) -> Refusal {
                Refusal(key: key, reason: reason, endsAt: entry.quota.date(end), wait: max(end - wall, 1))
            }
            if left == 0 {
                let isUnknown = usage.isGuess && entry.quota.period == .month
                return refusal(isUnknown ? .unknown : .used, until: usage.window.upperBound)
            }
            if priority == .background, entry.usage != nil, left <= entry.reserve {
                return refusal(.reserved, until: usage.window.upperBound)
            }
            if let share = share(entry, of: user, at: wall) {
                return refusal(.shared(others: share.others), until: share.until)
            }
        }
        return nil
    }

    /// Until when a quota's other half is kept for other users; nil when this user may use it.
    private func share(_ entry: Entry, of user: UInt32, at wall: Int64) -> (others: Int, until: Int64)? {
        guard entry.quota.isLong else { return nil }
        let usage = entry.usage(at: wall)
        let own = (usage.users[user] ?? 0) + (entry.pending[user] ?? 0)
        let release = usage.window.upperBound - (usage.window.upperBound - usage.window.lowerBound) / 4
        guard own * 2 >= entry.quota.limit, wall < release else { return nil }
        let others = (callers[entry.counted.key.account] ?? [:]).count { caller in
            caller.key != user && caller.value > wall - Self.callerSeconds
        }
        return others > 0 ? (others, release) : nil
    }

    // MARK: Reporting

    /// For how many seconds the youngest window of these quotas has lasted; of those of a day or longer.
    func ageOfWindow(_ keys: [QuotaKey], at wall: Int64) -> Int64? {
        keys.compactMap { entries[$0] }.filter(\.quota.isLong).map { wall - $0.usage(at: wall).window.lowerBound }.min()
    }

    /// The figures of a quota; nil for one that is not kept.
    func figures(_ key: QuotaKey, at wall: Int64) -> QuotaFigures? {
        guard let entry = entries[key] else { return nil }
        let usage = entry.usage(at: wall)
        return QuotaFigures(
            name: key.name,
            limit: entry.quota.limit,
            used: entry.used(at: wall),
            left: entry.left(at: wall),
            resetsAt: entry.quota.date(usage.window.upperBound),
            forecast: entry.forecast(at: wall).map { entry.quota.date($0) },
            isGuess: usage.isGuess
        )
    }
}

/// How a quota stands.
package struct QuotaFigures: Equatable, Sendable {
    package let name: String
    package let limit: Int
    package let used: Int
    package let left: Int
    /// In the zone of the source's calendar.
    package let resetsAt: PublishedDate
    /// When it is used up at this pace; nil when it lasts.
    package let forecast: PublishedDate?
    /// Whether `used` is a guess, because the ledger was damaged during the window.
    package var isGuess = false
}

extension Quota {
    /// Whether its window is a day or longer: then users share it.
    fileprivate var isLong: Bool { period == .day || period == .month }

    /// What a ledger that was damaged during a window is taken to have held: half of the calls, of a month all.
    ///
    /// A few extra calls a day are better than an outage; a month's are too expensive.
    var guessAfterDamage: Int { period == .month ? limit : (limit + 1) / 2 }

    /// An instant in the zone of the source's calendar.
    fileprivate func date(_ epochSeconds: Int64) -> PublishedDate {
        PublishedDate(
            epochSeconds: epochSeconds,
            offsetMinutes: zone.offsetMinutes(at: epochSeconds),
            precision: .second
        )
    }
}
