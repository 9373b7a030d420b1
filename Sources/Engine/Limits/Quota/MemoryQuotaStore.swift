import Catalogue
package import EventLoop

/// A ledger of quotas for as long as the process lives.
package actor MemoryQuotaStore: QuotaStore, LoopActor {
    package nonisolated let loop: EventLoop
    private var pages = QuotaPages()

    package init(on loop: EventLoop) {
        self.loop = loop
    }

    package func lease(_ wants: [QuotaWant], at time: QuotaTime) -> [QuotaGrant] {
        wants.map { want in
            let range = want.quota.period(at: time.wall)
            let granted = pages.lease(want.count, of: want.key, range, limit: want.quota.limit)
            let total = pages.total(of: want.key, range)
            return QuotaGrant(count: granted, total: total, resetsAt: range.upperBound, receipt: range) {
                range.contains($0.wall)
            }
        }
    }

    package func giveBack(_ returns: [QuotaReturn]) {
        for unused in returns {
            guard let range = unused.grant.receipt as? Range<Int64> else { continue }
            pages.giveBack(unused.count, of: unused.key, range)
        }
    }
}

/// What was written off of each period of each quota; pure.
struct QuotaPages: Sendable {
    private struct Period: Hashable {
        let key: QuotaKey
        let begin: Int64
    }

    /// How much longer than one period what is over is kept, in case the clock is set back.
    private static let keptSeconds: Int64 = 4 * 86_400

    private var totals: [Period: Int] = [:]

    func total(of key: QuotaKey, _ period: Range<Int64>) -> Int {
        totals[Period(key: key, begin: period.lowerBound), default: 0]
    }

    /// Writes off units; as many as were asked for, or as were left.
    mutating func lease(_ count: Int, of key: QuotaKey, _ period: Range<Int64>, limit: Int) -> Int {
        let entry = Period(key: key, begin: period.lowerBound)
        if totals[entry] == nil {
            // The period before may be longer than this one: a month is.
            let oldest = period.lowerBound - Int64(period.count) - Self.keptSeconds
            totals = totals.filter { $0.key.key != key || $0.key.begin >= oldest }
        }
        let granted = max(min(count, limit - totals[entry, default: 0]), 0)
        totals[entry, default: 0] += granted
        return granted
    }

    mutating func giveBack(_ count: Int, of key: QuotaKey, _ period: Range<Int64>) {
        totals[Period(key: key, begin: period.lowerBound), default: 0] -= count
    }
}
