import Catalogue
package import EventLoop

/// Counts calls for as long as the process lives.
package actor MemoryQuotaStore: QuotaStore, LoopActor {
    package nonisolated let loop: EventLoop
    private var usages: [QuotaKey: QuotaUsage] = [:]
    private var callers: [String: [UInt32: Int64]] = [:]

    package init(on loop: EventLoop) {
        self.loop = loop
    }

    package func charge(_ quotas: [CountedQuota], for user: UInt32, at wall: Int64) -> QuotaAnswer {
        var current = quotas.map { usage(of: $0, at: wall) }
        guard zip(quotas, current).allSatisfy({ $0.quota.limit > $1.total }) else { return .refused(current) }
        for (index, quota) in quotas.enumerated() {
            current[index].users[user, default: 0] += 1
            usages[quota.key] = current[index]
            callers[quota.key.account, default: [:]][user] = wall
        }
        let entries = zip(quotas, current).map { QuotaCharge.Entry(key: $0.key, start: $1.window.lowerBound) }
        return .charged(QuotaCharge(user: user, entries: entries), current)
    }

    package func refund(_ charge: QuotaCharge) {
        for entry in charge.entries where usages[entry.key]?.window.lowerBound == entry.start {
            usages[entry.key]?.users[charge.user, default: 1] -= 1
        }
    }

    package func usage(_ quotas: [CountedQuota], at wall: Int64) -> QuotaOverview {
        QuotaOverview(usages: quotas.map { usage(of: $0, at: wall) }, callers: callers)
    }

    package func set(_ quota: CountedQuota, used: Int, at wall: Int64) -> QuotaUsage {
        var usage = QuotaUsage(window: quota.quota.period(at: wall))
        usage.others = used
        usages[quota.key] = usage
        return usage
    }

    private func usage(of quota: CountedQuota, at wall: Int64) -> QuotaUsage {
        let window = quota.quota.period(at: wall)
        guard let known = usages[quota.key], known.window.lowerBound >= window.lowerBound else {
            return QuotaUsage(window: window)
        }
        return known
    }
}
