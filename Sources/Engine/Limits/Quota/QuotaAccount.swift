import Catalogue
import SearchModel

/// What this process knows of one quota: units in hand, how much is used, how fast, and when to ask the ledger again.
///
/// Invariant: a unit that was granted is in one hand, or in a call, or was given back; `unsent` of them are in calls
/// that have not been sent, and would be lost with the process as those in hand would.
struct QuotaAccount: Sendable {
    /// Units that were granted together and are not in use.
    struct Hand: Sendable {
        let grant: QuotaGrant
        /// Distinguishes grants.
        let number: Int
        /// The quota's period in which it was granted.
        let period: Range<Int64>
        var count: Int
    }

    /// How often the ledger is read again for a quota that is used up: the clock may have been corrected.
    static let askAgainSeconds: Int64 = 60
    /// Background work leaves one part in so many.
    static let reservePart = 10

    let quota: Quota
    /// The oldest first.
    private var hands: [Hand] = []
    private(set) var unsent = 0
    private(set) var isAsking = false
    /// What the ledger said last of what is used, for the period that held that moment.
    private var total: (count: Int, period: Range<Int64>)?
    /// Until when there is nothing to have, by the steady clock; and when there is, by the wall clock.
    private var empty: (until: Int64, resetsAt: Int64)?
    /// The period of which the source says that nothing is left: whatever is granted of it is not used.
    private var writtenOff: Range<Int64>?
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

    /// The ledger has answered; what was in hand and can't be used any more goes back.
    mutating func received(_ grant: QuotaGrant, askedFor count: Int, number: Int, at time: QuotaTime) -> [Hand] {
        isAsking = false
        let period = quota.period(at: time.wall)
        total = (grant.total, period)
        guard count > 0 else { return [] }
        if isWrittenOff(at: time) {
            _ = grant.use(grant.count)
            stayEmpty(until: grant.resetsAt, at: time)
            return []
        }
        let rest = takeOut { !$0.grant.isGood(time) }
        if grant.count > 0 { hands.append(Hand(grant: grant, number: number, period: period, count: grant.count)) }
        empty = nil
        if grant.count == 0 { stayEmpty(until: grant.resetsAt, at: time) }
        return rest
    }

    private mutating func stayEmpty(until resetsAt: Int64, at time: QuotaTime) {
        empty = (time.steady + max(min(resetsAt - time.wall, Self.askAgainSeconds), 1), resetsAt)
    }

    // MARK: The source's word

    /// The source says that nothing is left of the present period: what is in hand counts as used, and so will the
    /// rest.
    mutating func saidUsedUp(at time: QuotaTime) {
        guard !isWrittenOff(at: time) else { return }
        writtenOff = quota.period(at: time.wall)
        for hand in hands { _ = hand.grant.use(hand.count) }
        hands = []
    }

    private func isWrittenOff(at time: QuotaTime) -> Bool {
        writtenOff?.contains(time.wall) == true
    }

    /// Everything in hand, which goes back to the ledger.
    mutating func handBack() -> [Hand] {
        takeOut { _ in true }
    }

    private mutating func takeOut(_ isOut: (Hand) -> Bool) -> [Hand] {
        let out = hands.filter(isOut)
        hands.removeAll(where: isOut)
        if let known = total {
            // What was granted in another period counts there.
            let back = out.reduce(0) { $0 + ($1.period == known.period ? $1.count : 0) }
            total = (known.count - back, known.period)
        }
        return out
    }

    /// How many units may be used without asking.
    func inHand(at time: QuotaTime) -> Int {
        hands.reduce(0) { $0 + ($1.grant.isGood(time) ? $1.count : 0) }
    }

    // MARK: Using

    /// How many units background work leaves.
    var reserve: Int { (quota.limit + Self.reservePart - 1) / Self.reservePart }

    /// Takes a unit from the oldest good hand.
    ///
    /// Nil without such a hand, or when the use can't be noted; then the rest of that hand counts as used.
    mutating func take(isBackground: Bool, at time: QuotaTime) -> (number: Int, grant: QuotaGrant)? {
        guard let index = hands.firstIndex(where: { $0.grant.isGood(time) }) else { return nil }
        let (number, grant) = (hands[index].number, hands[index].grant)
        guard grant.use(1) else {
            hands.remove(at: index)
            return nil
        }
        hands[index].count -= 1
        if hands[index].count == 0 { hands.remove(at: index) }
        unsent += 1
        var pace = pace ?? startingPace(used: used(at: time) - 1, at: time)
        pace.used(at: time.steady)
        self.pace = pace
        guard isBackground, forecast(at: time) != nil else { return (number, grant) }
        // What background work may have is spread over the rest of the period.
        let spare = max(left(at: time) - reserve, 0)
        backgroundAt = time.steady + (quota.period(at: time.wall).upperBound - time.wall) / Int64(spare + 1)
        return (number, grant)
    }

    /// A call that has taken a unit goes out.
    mutating func sent() {
        unsent = max(unsent - 1, 0)
    }

    /// A unit was not used; false when the next call can't use it either.
    mutating func takeBack(_ number: Int, of grant: QuotaGrant, at time: QuotaTime) -> Bool {
        unsent = max(unsent - 1, 0)
        if grant.isGood(time), isWrittenOff(at: time) { return true }
        // Where that can't be noted it would only be lost if this process were killed.
        _ = grant.use(-1)
        guard grant.isGood(time) else { return false }
        if let index = hands.firstIndex(where: { $0.number == number }) {
            hands[index].count += 1
        } else {
            hands.insert(Hand(grant: grant, number: number, period: quota.period(at: time.wall), count: 1), at: 0)
        }
        empty = nil
        return true
    }

    /// No hand is empty, and none holds more than it was granted.
    var isSound: Bool {
        unsent >= 0 && hands.allSatisfy { $0.count > 0 && $0.count <= $0.grant.count }
            && Set(hands.map(\.number)).count == hands.count
    }

    // MARK: Reporting

    func used(at time: QuotaTime) -> Int {
        guard let total, total.period.contains(time.wall) else { return 0 }
        return max(hands.reduce(total.count) { $0 - ($1.period == total.period ? $1.count : 0) }, 0)
    }

    func left(at time: QuotaTime) -> Int { max(quota.limit - used(at: time), 0) }

    /// Whether the ledger has said how much is used of the present period.
    func isKnown(at time: QuotaTime) -> Bool {
        total?.period.contains(time.wall) == true
    }

    /// Whether the ledger has nothing more, as it said last; something may still be in hand.
    func isUsedUp(at time: QuotaTime) -> Bool {
        empty.map { time.steady < $0.until } ?? false
    }

    /// When there is more, by the wall clock, if there is nothing now; and for how many seconds not.
    typealias Emptiness = (resetsAt: Int64, wait: Int64)

    func emptiness(at time: QuotaTime) -> Emptiness? {
        guard let empty, isUsedUp(at: time), inHand(at: time) == 0 else { return nil }
        return (empty.resetsAt, max(empty.resetsAt - time.wall, 1))
    }

    /// The same, also when the ledger has given its last unit and has not been asked for another: it may have got one
    /// back.
    func expectedEmptiness(at time: QuotaTime) -> Emptiness? {
        if let empty = emptiness(at: time) { return empty }
        guard isKnown(at: time), left(at: time) == 0, inHand(at: time) == 0 else { return nil }
        let end = quota.period(at: time.wall).upperBound
        return (end, max(end - time.wall, 1))
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
