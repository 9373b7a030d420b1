import Catalogue

@testable import Engine

/// A book of quotas with a ledger that answers at once; the ledger outlives the book.
struct QuotaLedger {
    var book = QuotaBook()
    private var pages = QuotaPages()
    /// How many units were given out and lost by crashes.
    private(set) var lost = 0
    private let quotas: [(quota: Quota, key: QuotaKey)]

    init(_ quotas: [(quota: Quota, key: QuotaKey)]) {
        self.quotas = quotas
        begin()
    }

    private mutating func begin() {
        book = QuotaBook()
        for (quota, key) in quotas { book.keep(quota, as: key) }
    }

    /// Takes a unit of each quota, asking the ledger as often as the book wants.
    mutating func take(_ keys: [QuotaKey], isBackground: Bool = false, at time: QuotaTime) -> QuotaBook.Taken {
        while true {
            let taken = book.take(keys, isBackground: isBackground, at: time)
            settle()
            guard case .wants(let wants) = taken, !wants.isEmpty else { return taken }
            for want in wants { answer(want, at: time) }
        }
    }

    mutating func answer(_ want: QuotaBook.Want, at time: QuotaTime) {
        let period = want.quota.period(at: time.wall)
        let count = pages.lease(want.count, of: want.key, period, limit: want.quota.limit)
        let grant = QuotaGrant(
            count: count,
            total: pages.total(of: want.key, period),
            resetsAt: period.upperBound,
            isGood: { period.contains($0.wall) },
            giveBack: { _ in }
        )
        book.received(grant, for: want, at: time)
    }

    /// Tells the ledger what comes back.
    private mutating func settle() {
        for unused in book.takeReturns() {
            guard let quota = quotas.first(where: { $0.key == unused.key })?.quota else { continue }
            pages.giveBack(unused.count, of: unused.key, quota.period(at: unused.grant.resetsAt - 1))
        }
    }

    /// The process ends without a word and begins anew.
    mutating func crash() {
        book.handBackAll()
        lost += book.takeReturns().reduce(0) { $0 + $1.count }
        begin()
    }

    /// The process ends as it should and begins anew.
    mutating func restart() {
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
