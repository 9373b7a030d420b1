import Catalogue
import SearchModel

/// What this process knows of one quota: units in hand, how much is used, how fast, and when to ask the ledger again.
struct QuotaAccount: Sendable {
    /// How often the ledger is asked again about a quota that is used up: somebody may have corrected the clock.
    static let askAgainSeconds: Int64 = 60

    let quota: Quota
    private(set) var grant: QuotaGrant?
    /// Tells one grant from another.
    private(set) var grantNumber = 0
    private(set) var inHand = 0
    private(set) var isAsking = false
    /// What the ledger said last of what is used, for the period that held that moment.
    private var total: (count: Int, period: Range<Int64>)?
    /// Until when there is nothing to have, by the steady clock; and when there is, by the wall clock.
    private var empty: (until: Int64, resetsAt: Int64)?
    private var pace: QuotaPace?
    /// When background work may go on, by the steady clock.
    private(set) var backgroundAt = Int64.min

    init(_ quota: Quota) {
        self.quota = quota
    }

    // MARK: Asking the ledger

    mutating func asks() {
        isAsking = true
    }

    mutating func askingFailed() {
        isAsking = false
    }

    /// The ledger has answered; what was in hand until now and goes back.
    mutating func received(_ grant: QuotaGrant, askedFor count: Int, at time: QuotaTime) -> (
        grant: QuotaGrant, count: Int
    )? {
        isAsking = false
        total = (grant.total, quota.period(at: time.wall))
        guard count > 0 else { return nil }
        let rest = handBack()
        self.grant = grant
        grantNumber += 1
        inHand = grant.count
        let wait = min(grant.resetsAt - time.wall, Self.askAgainSeconds)
        empty = grant.count == 0 ? (time.steady + max(wait, 1), grant.resetsAt) : nil
        return rest
    }

    /// Everything in hand, which goes back to the ledger.
    mutating func handBack() -> (grant: QuotaGrant, count: Int)? {
        guard let grant, inHand > 0 else { return nil }
        defer { inHand = 0 }
        if let known = total { total = (known.count - inHand, known.period) }
        return (grant, inHand)
    }

    /// Whether a unit may be used without asking.
    func hasUnit(at time: QuotaTime) -> Bool {
        inHand > 0 && grant?.isGood(time) == true
    }

    // MARK: Using

    mutating func take(isBackground: Bool, reserve: Int, at time: QuotaTime) {
        inHand -= 1
        var pace = pace ?? startingPace(used: used(at: time) - 1, at: time)
        pace.used(at: time.steady)
        self.pace = pace
        guard isBackground, forecast(at: time) != nil else { return }
        // What background work may have is spread over the rest of the period.
        let spare = max(left(at: time) - reserve, 0)
        backgroundAt = time.steady + (quota.period(at: time.wall).upperBound - time.wall) / Int64(spare + 1)
    }

    /// A unit was not used; false when the next call can't use it either.
    mutating func takeBack(unitOf grant: QuotaGrant, at time: QuotaTime) -> Bool {
        guard grant.isGood(time), self.grant?.isGood(time) == true else { return false }
        inHand += 1
        empty = nil
        return true
    }

    // MARK: Telling

    func used(at time: QuotaTime) -> Int {
        guard let total, total.period.contains(time.wall) else { return 0 }
        return total.count - inHand
    }

    func left(at time: QuotaTime) -> Int { max(quota.limit - used(at: time), 0) }

    /// Whether the ledger has said how much is used of the present period.
    func isKnown(at time: QuotaTime) -> Bool {
        total?.period.contains(time.wall) == true
    }

    /// When there is more, by the wall clock, if there is nothing now; and for how many seconds not.
    func emptiness(at time: QuotaTime) -> (resetsAt: Int64, wait: Int64)? {
        guard let empty, time.steady < empty.until else { return nil }
        return (empty.resetsAt, max(empty.resetsAt - time.wall, 1))
    }

    /// When the quota is used up, by the wall clock, if that is before it begins anew.
    func forecast(at time: QuotaTime) -> Int64? {
        let left = left(at: time)
        if left == 0 { return time.wall }
        let pace = pace ?? startingPace(used: used(at: time), at: time)
        guard let seconds = pace.seconds(toUse: left, at: time.steady) else { return nil }
        let end = time.wall + seconds
        return end < quota.period(at: time.wall).upperBound ? end : nil
    }

    /// The pace so far, where only the ledger knows of it.
    private func startingPace(used: Int, at time: QuotaTime) -> QuotaPace {
        let period = quota.period(at: time.wall)
        return QuotaPace(
            period: period.upperBound - period.lowerBound,
            used: used,
            elapsed: time.wall - period.lowerBound,
            at: time.steady
        )
    }
}
