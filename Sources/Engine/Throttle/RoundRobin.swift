/// Members that want something, and whose turn it is: one turn each a round.
///
/// A newcomer is the last of the round. A member that was here before and has wanted nothing since the next round began
/// comes back to where it left: it passes those that began to wait after that, but none that was passed before. Pure.
///
/// Invariant: while one waits, every other has one turn at most, and they have no more turns in all than there were
/// members when it began to wait, and one more; however often members come, go, or are replaced by new ones.
struct RoundRobin<Member: Hashable & Sendable>: Sendable {
    /// How many that want nothing now are known; beyond, the one that left longest ago is as new.
    static var restingMax: Int { 64 }

    private struct Turn: Comparable, Sendable {
        var round: Int
        /// Among those of one round; no two have the same.
        var number: Int

        static func < (left: Turn, right: Turn) -> Bool {
            (left.round, left.number) < (right.round, right.number)
        }
    }

    private var waiting: [Member: Turn] = [:]
    private var resting: [Member: Turn] = [:]
    /// The latest that has been served.
    private var round = 0
    private var lastNumber = 0
    /// A waiter with a turn before this one has been passed by a member that came back, or may have been.
    private var passed = Turn(round: 0, number: 0)

    /// How many want something.
    var count: Int { waiting.count }

    /// Whose turn it is.
    ///
    /// - Complexity: O(n) in the waiters.
    var first: Member? { waiting.min { $0.value < $1.value }?.key }

    /// Who of those that wait wants most; of equals the one whose turn is the last.
    func greediest(_ wanted: (Member) -> Int) -> Member? {
        waiting.max { (wanted($0.key), $0.value) < (wanted($1.key), $1.value) }?.key
    }

    /// A member wants something; nothing for one that does already.
    mutating func enter(_ member: Member) {
        guard waiting[member] == nil else { return }
        let last = newTurn()
        let turn = resting.removeValue(forKey: member).map { turnOfReturn($0, last) } ?? last
        waiting[member] = turn
        if turn < last { passed = last }
    }

    /// A member has had its turn, and waits for the next.
    mutating func served(_ member: Member) {
        guard let turn = waiting[member] else { return }
        round = max(round, turn.round)
        waiting[member] = newTurn()
    }

    /// A member's turn has cost one more: it sits one round out.
    mutating func charge(_ member: Member) {
        waiting[member]?.round += 1
        resting[member]?.round += 1
    }

    /// A member wants nothing any more; the one that is forgotten for its sake, if one is.
    ///
    /// - Complexity: O(n) in the resting ones.
    mutating func leave(_ member: Member) -> Member? {
        guard let turn = waiting.removeValue(forKey: member) else { return nil }
        var forgotten: Member?
        if resting.count >= Self.restingMax, let oldest = resting.min(by: { $0.value < $1.value })?.key {
            resting[oldest] = nil
            forgotten = oldest
        }
        resting[member] = turn
        return forgotten
    }

    /// How many turns others have, each of which wants so many, before a member that has had `own` more.
    ///
    /// - Complexity: O(n) in the waiters.
    func turnsOfOthers(before member: Member, after own: Int, wanted: (Member) -> Int) -> Int {
        let next = Turn(round: round + 1, number: lastNumber + 1)
        let mine = waiting[member] ?? resting[member].map { turnOfReturn($0, next) } ?? next
        let mineRound = max(mine.round, round)
        return waiting.reduce(0) { sum, other in
            guard other.key != member else { return sum }
            let otherRound = max(other.value.round, round)
            // Whose turn came about earlier is the last of the two to get its next one.
            let isBefore = otherRound > mineRound || (otherRound == mineRound && other.value < mine)
            let turns = mineRound + own - otherRound + (isBefore ? 1 : 0)
            return sum + min(wanted(other.key), max(0, turns))
        }
    }

    /// Where a member comes back to that left with a turn, when a newcomer would have the last one.
    private func turnOfReturn(_ left: Turn, _ last: Turn) -> Turn {
        left.round <= round ? max(left, passed) : max(left, last)
    }

    /// The last of the next round.
    private mutating func newTurn() -> Turn {
        lastNumber += 1
        return Turn(round: round + 1, number: lastNumber)
    }
}
