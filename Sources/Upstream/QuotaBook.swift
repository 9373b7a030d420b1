package import Catalogue
package import SearchModel

/// Keeps the known usage of all quotas, and decides which user pays for a call; times are seconds since 1970.
struct QuotaBook: Sendable {
    struct Entry: Sendable {
        let counted: CountedQuota
        /// Includes charges that are being written; nil before the first response of the store.
        var usage: QuotaUsage?
        /// The times of the first and the last call that this daemon has made in the period.
        var calls: ClosedRange<Int64>?

        var quota: Quota { counted.quota }

        func usage(at wall: Int64) -> QuotaUsage {
            guard let usage, wall < usage.window.upperBound else {
                return QuotaUsage(key: counted.key, window: quota.period(at: wall))
            }
            return usage
        }

        func left(at wall: Int64) -> Int { max(quota.limit - usage(at: wall).total, 0) }

        /// Returns when the present pace will use up the quota; nil if it resets earlier, or if the pace is unknown.
        func forecast(at wall: Int64) -> Int64? {
            let (usage, left) = (usage(at: wall), left(at: wall))
            if left < quota.cost { return wall }
            guard !usage.isGuess, calls?.count ?? 0 > QuotaBook.paceSeconds else { return nil }
            // Early in a period, the pace is uncertain, so at least 1/24 of the period counts as elapsed.
            let elapsed = max(wall - usage.window.lowerBound, Int64(usage.window.count) / 24)
            let end = Double(wall) + Double(elapsed) * Double(left) / Double(usage.total)
            return end < Double(usage.window.upperBound) ? Int64(end) : nil
        }
    }

    /// Users who called an account within this time share its daily and monthly quotas.
    static let callerSeconds: Int64 = 7 * 86_400

    /// The pace is unknown until the calls span this time.
    private static let paceSeconds = 600

    private(set) var entries: [QuotaKey: Entry] = [:]
    private var callers: QuotaCallers = [:]

    mutating func keep(_ quota: Quota, as key: QuotaKey) {
        guard entries[key]?.quota != quota else { return }
        entries[key] = Entry(counted: CountedQuota(key: key, quota: quota))
    }

    func counted(_ keys: [QuotaKey]) -> [CountedQuota] { keys.compactMap { entries[$0]?.counted } }

    var unread: [CountedQuota] { entries.values.filter { $0.usage == nil }.map(\.counted) }

    var names: [String] { Set(entries.keys.map(\.name)).sorted() }

    func named(_ name: String) -> [CountedQuota] { entries.values.map(\.counted).filter { $0.key.name == name } }

    // MARK: Charging

    mutating func begin(_ keys: [QuotaKey], for user: UInt32, at wall: Int64) {
        for key in keys {
            guard let entry = entries[key] else { continue }
            let usage = entry.usage(at: wall)
            let first = entry.calls.map { usage.window.contains($0.lowerBound) ? $0.lowerBound : wall } ?? wall
            entries[key]?.usage = usage
            entries[key]?.calls = min(first, wall)...wall
            add(entry.quota.cost, to: key, for: user)
        }
    }

    mutating func add(_ amount: Int, to key: QuotaKey, for user: UInt32) {
        let used = entries[key]?.usage?.users[user] ?? 0
        entries[key]?.usage?.users[user] = max(0, used + amount)
    }

    mutating func received(_ charge: QuotaCharge, at wall: Int64) {
        received(charge.usages)
        guard charge.isAccepted else { return }
        for usage in charge.usages { callers[usage.key.account, default: [:]][charge.user] = wall }
    }

    mutating func received(_ usages: [QuotaUsage], _ callers: QuotaCallers = [:]) {
        for usage in usages { entries[usage.key]?.usage = usage }
        self.callers.merge(callers) { $0.merging($1, uniquingKeysWith: max) }
    }

    // MARK: Refusing

    /// Returns the first user who may call the source now, or the reason why the last user may not.
    ///
    /// Background calls must leave a part of each quota unused, and so must searches that name no source.
    func payer(
        _ source: SourceName,
        _ keys: [QuotaKey],
        _ users: Set<UInt32>,
        _ urgency: CallDemand.Caller,
        at wall: Int64
    ) -> Result<UInt32, Skip> {
        var answer = Result<UInt32, Skip>.success(0)
        for user in users.sorted() {
            guard let refusal = refusal(source, keys, for: user, urgency, at: wall) else { return .success(user) }
            answer = .failure(refusal)
        }
        return answer
    }

    private func refusal(
        _ source: SourceName,
        _ keys: [QuotaKey],
        for user: UInt32,
        _ urgency: CallDemand.Caller,
        at wall: Int64
    ) -> Skip? {
        for entry in keys.compactMap({ entries[$0] }) {
            let (quota, usage, left) = (entry.quota, entry.usage(at: wall), entry.left(at: wall))
            var (end, message, hint) = (usage.window.upperBound, "\(quota.name) is used up", String?.none)
            if left < quota.cost {
                if usage.isGuess, quota.closesIfUnknown {
                    message = "\(quota.name) allows no calls: the quota ledger was damaged, so the usage is unknown"
                    hint = "An administrator can set the usage: “searchctl quota \(quota.name) USED”."
                }
            } else if urgency.priority == .background, quota.currency != nil {
                message = "\(source) costs money, so it is never called in the background"
                hint = "Use an interactive search."
            } else if urgency.priority == .background, entry.usage != nil, left <= (quota.limit + 9) / 10 {
                message = "the rest of \(quota.name) is reserved for interactive searches"
            } else if !urgency.isNamed, left - quota.cost < quota.reserve {
                message =
                    "\(quota.text(quota.reserve)) of \(quota.name) are only for searches that select a source by name"
                hint = "To use them, select the source by its name."
            } else if let share = share(entry, of: user, at: wall) {
                (end, message) = (share.until, "you have used your half of \(quota.name)")
                let others = share.others == 1 ? "another user" : "\(share.others) other users"
                hint =
                    "The rest is reserved until \(quota.date(end).text) for \(others) who searched here in the last "
                    + "seven days."
            } else {
                continue
            }
            return .quota(source, message, until: quota.date(end).text, wait: .seconds(max(end - wall, 1)), hint: hint)
        }
        return nil
    }

    /// Returns the number of other users with a right to the rest of the quota, and the end of this right.
    private func share(_ entry: Entry, of user: UInt32, at wall: Int64) -> (others: Int, until: Int64)? {
        guard entry.quota.period == .day || entry.quota.period == .month else { return nil }
        let usage = entry.usage(at: wall)
        let release = usage.window.upperBound - Int64(usage.window.count) / 4
        guard usage.users[user, default: 0] * 2 >= entry.quota.limit, wall < release else { return nil }
        let others = callers[entry.counted.key.account, default: [:]].count { caller in
            caller.key != user && caller.value > wall - Self.callerSeconds
        }
        return others > 0 ? (others, release) : nil
    }

    // MARK: Reporting

    func figures(_ key: QuotaKey, at wall: Int64) -> QuotaFigures? {
        guard let entry = entries[key] else { return nil }
        let usage = entry.usage(at: wall)
        return QuotaFigures(
            name: key.name,
            quota: entry.quota,
            used: usage.total,
            left: entry.left(at: wall),
            resetsAt: entry.quota.date(usage.window.upperBound),
            forecast: entry.forecast(at: wall).map { entry.quota.date($0) },
            isGuess: usage.isGuess
        )
    }
}

package struct QuotaFigures: Equatable, Sendable {
    package let name: String
    package let quota: Quota
    /// In the unit of the quota.
    package let used: Int
    package fileprivate(set) var left: Int
    package fileprivate(set) var resetsAt: PublishedDate
    package let forecast: PublishedDate?
    /// Whether `used` is an assumption, because the ledger was damaged during this period.
    package var isGuess = false

    package var limit: Int { quota.limit }
    var isUsedUp: Bool { left < quota.cost }
}

extension [QuotaFigures] {
    mutating func noteUsedUp(until end: Int64, _ resetsAt: String?) {
        let index = firstIndex { $0.resetsAt.text == resetsAt } ?? indices.max { self[$0].limit < self[$1].limit }
        guard let index else { return }
        self[index].left = 0
        if self[index].resetsAt.text != resetsAt { self[index].resetsAt = self[index].quota.date(end) }
    }
}
