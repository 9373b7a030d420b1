import Catalogue
import EventLoop

@testable import Engine

/// A book of quotas with a ledger that answers at once, or later what it was asked ahead; the ledger outlives the book.
struct QuotaLedger {
    var book = QuotaBook()
    private var pages = QuotaPages()
    /// What was asked ahead and has not been answered yet.
    private var asked: [QuotaWant] = []
    /// How many units of each quota the ledger counts as used, over all periods.
    private(set) var charged: [QuotaKey: Int] = [:]
    /// Grants of this process, by their receipts, with what of them has not come back.
    private var given: [Int: (key: QuotaKey, period: Range<Int64>, count: Int)] = [:]
    /// How many units of each grant were said to be used.
    private let used = Locked<[Int: Int]>([:])
    private var lastReceipt = 0
    /// How many units were given out and lost by crashes, and the most of one quota by one of them.
    private(set) var lost = 0
    private(set) var lostMost = 0
    private let quotas: [(quota: Quota, key: QuotaKey)]

    init(_ quotas: [(quota: Quota, key: QuotaKey)]) {
        self.quotas = quotas
        begin()
    }

    private mutating func begin() {
        book = QuotaBook()
        asked = []
        given = [:]
        for (quota, key) in quotas { book.keep(quota, as: key) }
    }

    /// Takes a unit of each quota, asking the ledger as often as the book wants; with `sends` for a call that goes out.
    mutating func take(
        _ keys: [QuotaKey],
        isBackground: Bool = false,
        sends: Bool = true,
        at time: QuotaTime
    ) -> QuotaBook.Taken {
        while true {
            let taken = book.take(keys, isBackground: isBackground, at: time)
            settle()
            switch taken {
            case .charged(let charge):
                if sends { book.sent(charge) }
                asked += book.ahead(keys, at: time)
                return taken
            case .wants(let wants):
                if wants.isEmpty, asked.isEmpty { return taken }
                answerAhead(at: time)
                for want in wants { answer(want, at: time) }
            case .refused: return taken
            }
        }
    }

    /// Answers what was asked ahead.
    mutating func answerAhead(at time: QuotaTime) {
        for want in asked { answer(want, at: time) }
        asked = []
        settle()
    }

    mutating func answer(_ want: QuotaWant, at time: QuotaTime) {
        let period = want.quota.period(at: time.wall)
        let count = pages.lease(want.count, of: want.key, period, limit: want.quota.limit)
        let total = pages.total(of: want.key, period)
        lastReceipt += 1
        given[lastReceipt] = (want.key, period, count)
        charged[want.key, default: 0] += count
        let grant = QuotaGrant(
            count: count,
            total: total,
            resetsAt: period.upperBound,
            receipt: lastReceipt,
            use: { [used, receipt = lastReceipt] count in
                used.withLock { $0[receipt, default: 0] += count }
                return true
            },
            isGood: { period.contains($0.wall) }
        )
        book.received(grant, for: want, at: time)
    }

    /// Tells the ledger what comes back.
    private mutating func settle() {
        for unused in book.takeReturns() { giveBack(unused.count, of: unused.grant.receipt as? Int ?? 0) }
    }

    private mutating func giveBack(_ count: Int, of receipt: Int) {
        guard let grant = given[receipt] else { return }
        pages.giveBack(count, of: grant.key, grant.period)
        charged[grant.key, default: 0] -= count
        given[receipt]?.count -= count
    }

    /// The process is killed, and the next takes up what was not used; the ledger has answered all that it was asked.
    mutating func kill(at time: QuotaTime) {
        answerAhead(at: time)
        for (receipt, grant) in given { giveBack(grant.count - used.withLock { $0[receipt] ?? 0 }, of: receipt) }
        begin()
    }

    /// The machine stops, with so many calls that have not been sent, and begins anew; the ledger has
    /// answered all that it was asked.
    mutating func crash(unsent: [QuotaKey: Int] = [:], at time: QuotaTime) {
        answerAhead(at: time)
        book.handBackAll()
        var losses = unsent
        for unused in book.takeReturns() { losses[unused.key, default: 0] += unused.count }
        lost += losses.values.reduce(0, +)
        lostMost = max(lostMost, losses.values.max() ?? 0)
        begin()
    }

    /// The process ends as it should and begins anew.
    mutating func restart(at time: QuotaTime) {
        answerAhead(at: time)
        book.handBackAll()
        settle()
        begin()
    }
}

extension QuotaBook.Taken {
    var charge: QuotaBook.Charge? {
        if case .charged(let charge) = self { charge } else { nil }
    }

    var refusal: QuotaBook.Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}

/// A quota of a day in UTC.
func dayQuota(_ name: String = "day", limit: Int, scope: Quota.Scope = .account) -> Quota {
    Quota(name: name, limit: limit, period: .day, scope: scope, zone: .fixed(minutes: 0))
}

/// Both clocks at a second of 2024-03-09, neither of them ever set.
func second(_ second: Int64) -> QuotaTime {
    QuotaTime(steady: second, wall: 1_709_942_400 + second)
}
