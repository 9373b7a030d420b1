import Catalogue
import SearchModel

/// Both clocks at once, in seconds.
package struct QuotaTime: Equatable, Sendable {
    /// Of a clock that is never set and runs while the machine sleeps.
    package let steady: Int64
    /// Since 1970, as the machine believes at the moment.
    package let wall: Int64

    package init(steady: Int64, wall: Int64) {
        self.steady = steady
        self.wall = wall
    }
}

/// What this process knows of the quotas: who may make a call, and how long a quota lasts.
///
/// Pure. The store decides whether a quota has a call left; this decides for whom, from what the store said last and the
/// charges that are being written.
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
        /// What is left is kept for interactive work.
        case reserved
        /// The quota would not last; background work goes slower, so that it does.
        case paced
        /// The user has used half, and so many other users have called the account lately.
        case shared(others: Int)
    }

    private struct Entry: Sendable {
        let counted: CountedQuota
        var usage: QuotaUsage?
        /// Charges that are being written.
        var pending: [UInt32: Int] = [:]
        var pace: QuotaPace?
        /// When background work may go on, by the steady clock.
        var backgroundAt = Int64.min

        var quota: Quota { counted.quota }
        var pendingCount: Int { pending.values.reduce(0, +) }
        /// How many calls background work leaves.
        var reserve: Int { (quota.limit + QuotaBook.reservePart - 1) / QuotaBook.reservePart }

        /// What is used of the present window; a window that has ended is followed by an unused one.
        func usage(at time: QuotaTime) -> QuotaUsage {
            guard let usage, time.wall < usage.window.upperBound else {
                return QuotaUsage(window: quota.period(at: time.wall))
            }
            return usage
        }

        func left(at time: QuotaTime) -> Int { max(quota.limit - usage(at: time).total - pendingCount, 0) }

        /// The pace so far; before the first call of this process, that of the whole window.
        func pace(at time: QuotaTime, without newest: Int = 0) -> QuotaPace {
            let usage = usage(at: time)
            return pace
                ?? QuotaPace(
                    period: usage.window.upperBound - usage.window.lowerBound,
                    used: max(usage.total - newest, 0),
                    elapsed: time.wall - usage.window.lowerBound,
                    at: time.steady
                )
        }

        /// When the quota is used up, by the wall clock, if that is before the window ends.
        func forecast(at time: QuotaTime) -> Int64? {
            let left = left(at: time)
            if left == 0 { return time.wall }
            guard let seconds = pace(at: time).seconds(toUse: left, at: time.steady) else { return nil }
            let end = time.wall + seconds
            return end < usage(at: time).window.upperBound ? end : nil
        }

        /// A call was charged; background work is spread over the rest of the window if the quota would not last.
        mutating func noteCall(isBackground: Bool, at time: QuotaTime) {
            var pace = pace(at: time, without: 1)
            pace.used(at: time.steady)
            self.pace = pace
            guard isBackground, forecast(at: time) != nil else { return }
            let spare = max(left(at: time) - reserve, 0)
            backgroundAt = time.steady + (usage(at: time).window.upperBound - time.wall) / Int64(spare + 1)
        }
    }

    /// Background work leaves one part in so many.
    static let reservePart = 10
    /// A user who has called an account within this time keeps a share of its days.
    static let callerSeconds: Int64 = 7 * 86_400

    private var entries: [QuotaKey: Entry] = [:]
    /// By account, when its users called it last, by the wall clock.
    private var callers: [String: [UInt32: Int64]] = [:]

    /// Keeps a quota from now on, or changes one that is kept; what was used stays used.
    mutating func keep(_ quota: Quota, as key: QuotaKey) {
        guard entries[key]?.quota != quota else { return }
        // The store knows what is used if the windows are others now.
        entries[key] = Entry(counted: CountedQuota(key: key, quota: quota))
    }

    /// These quotas, without those that are not kept.
    func counted(_ keys: [QuotaKey]) -> [CountedQuota] { keys.compactMap { entries[$0]?.counted } }

    /// The kept quotas whose usage the store has not told yet.
    var unread: [CountedQuota] { entries.values.filter { $0.usage == nil }.map(\.counted) }

    /// Whether the store has told the usage of all of these.
    func isKnown(_ keys: [QuotaKey]) -> Bool { keys.allSatisfy { entries[$0].map { $0.usage != nil } ?? true } }

    var names: [String] { Set(entries.keys.map(\.name)).sorted() }

    /// The kept quotas with this name.
    func named(_ name: String) -> [CountedQuota] {
        entries.values.map(\.counted).filter { $0.key.name == name }
    }

    // MARK: Charging

    /// A charge is being written.
    mutating func begin(_ keys: [QuotaKey], for user: UInt32) {
        for key in keys { entries[key]?.pending[user, default: 0] += 1 }
    }

    /// The store's answer to a charge; by default, that it could not answer.
    struct ChargeEnd {
        var usages: [QuotaUsage] = []
        var isCharged = false
        var isBackground = false
    }

    mutating func ended(_ keys: [QuotaKey], for user: UInt32, _ end: ChargeEnd, at time: QuotaTime) {
        for key in keys {
            let count = entries[key]?.pending[user] ?? 0
            entries[key]?.pending[user] = count > 1 ? count - 1 : nil
        }
        received(end.usages, of: keys)
        guard end.isCharged else { return }
        for key in keys {
            callers[key.account, default: [:]][user] = time.wall
            entries[key]?.noteCall(isBackground: end.isBackground, at: time)
        }
    }

    /// A charge was refunded.
    mutating func refunded(_ charge: QuotaCharge) {
        for entry in charge.entries where entries[entry.key]?.usage?.window.lowerBound == entry.start {
            let used = entries[entry.key]?.usage?.users[charge.user] ?? 0
            entries[entry.key]?.usage?.users[charge.user] = max(0, used - 1)
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
    mutating func saidUsedUp(_ keys: [QuotaKey], for seconds: Int64, at time: QuotaTime) -> [CountedQuota] {
        let ended = keys.filter { key in
            guard let entry = entries[key], entry.quota.period != .minute, entry.left(at: time) > 0 else {
                return false
            }
            return entry.usage(at: time).window.upperBound - time.wall <= seconds
        }
        for key in ended {
            guard var usage = entries[key]?.usage(at: time), let left = entries[key]?.left(at: time) else { continue }
            usage.others += left
            entries[key]?.usage = usage
        }
        return counted(ended)
    }

    // MARK: Refusing

    /// Why a user can't make a call that uses these quotas now; nil when it may, as far as is known.
    func refusal(_ keys: [QuotaKey], for user: UInt32, isBackground: Bool, at time: QuotaTime) -> Refusal? {
        for key in keys {
            guard let entry = entries[key] else { continue }
            let window = entry.usage(at: time).window
            func refusal(_ reason: Reason, until end: Int64) -> Refusal {
                let wait = max(end - time.wall, 1)
                return Refusal(key: key, reason: reason, endsAt: entry.quota.date(end), wait: wait)
            }
            let left = entry.left(at: time)
            if left == 0 {
                let isUnknown = entry.usage(at: time).isGuess && entry.quota.period == .month
                return refusal(isUnknown ? .unknown : .used, until: window.upperBound)
            }
            if isBackground, entry.usage != nil {
                if left <= entry.reserve { return refusal(.reserved, until: window.upperBound) }
                if entry.backgroundAt > time.steady {
                    return refusal(.paced, until: time.wall + entry.backgroundAt - time.steady)
                }
            }
            if let share = share(entry, of: user, at: time) {
                return refusal(.shared(others: share.others), until: share.until)
            }
        }
        return nil
    }

    /// Until when a quota's other half is kept for other users; nil when this user may use it.
    private func share(_ entry: Entry, of user: UInt32, at time: QuotaTime) -> (others: Int, until: Int64)? {
        guard [.day, .month].contains(entry.quota.period) else { return nil }
        let usage = entry.usage(at: time)
        let own = (usage.users[user] ?? 0) + (entry.pending[user] ?? 0)
        let release = usage.window.upperBound - (usage.window.upperBound - usage.window.lowerBound) / 4
        guard own * 2 >= entry.quota.limit, time.wall < release else { return nil }
        let others = (callers[entry.counted.key.account] ?? [:]).count { caller in
            caller.key != user && caller.value > time.wall - Self.callerSeconds
        }
        return others > 0 ? (others, release) : nil
    }

    // MARK: Reporting

    /// For how many seconds the youngest window of these quotas has lasted; of those of a day or longer.
    func ageOfWindow(_ keys: [QuotaKey], at time: QuotaTime) -> Int64? {
        keys.compactMap { entries[$0] }.filter { [.day, .month].contains($0.quota.period) }
            .map { time.wall - $0.usage(at: time).window.lowerBound }.min()
    }

    /// How long the latest of these quotas' days still lasts; nil when none is of a day.
    func restOfDay(_ keys: [QuotaKey], at time: QuotaTime) -> Duration? {
        keys.compactMap { entries[$0] }.filter { $0.quota.period == .day }
            .map { .seconds($0.usage(at: time).window.upperBound - time.wall) }.max()
    }

    /// Whether a tenth or less is left of one of these quotas.
    func isNearlyUsed(_ keys: [QuotaKey], at time: QuotaTime) -> Bool {
        keys.compactMap { entries[$0] }.contains { $0.left(at: time) <= $0.reserve }
    }

    /// What is known of the present window; nil for a quota that is not kept.
    func usage(_ key: QuotaKey, at time: QuotaTime) -> QuotaUsage? { entries[key]?.usage(at: time) }

    /// The figures of a quota; nil for one that is not kept.
    func figures(_ key: QuotaKey, at time: QuotaTime) -> QuotaFigures? {
        guard let entry = entries[key] else { return nil }
        let usage = entry.usage(at: time)
        return QuotaFigures(
            name: key.name,
            limit: entry.quota.limit,
            used: usage.total + entry.pendingCount,
            left: entry.left(at: time),
            resetsAt: entry.quota.date(usage.window.upperBound),
            forecast: entry.forecast(at: time).map { entry.quota.date($0) },
            isGuess: usage.isGuess
        )
    }
}

extension Quota {
    /// An instant in the zone of the source's calendar.
    fileprivate func date(_ epochSeconds: Int64) -> PublishedDate {
        PublishedDate(
            epochSeconds: epochSeconds,
            offsetMinutes: zone.offsetMinutes(at: epochSeconds),
            precision: .second
        )
    }
}
