import EventLoop

/// The calls to one source: which starts next, and how long a new one would wait.
///
/// Users take turns, and each user's programs take turns within the user's: a program that uses many names delays the
/// other programs of its user by one call per name, and other users by nothing. Interactive calls go before background
/// calls. At most `slots` calls run at a time. Of those, at most one of each priority is at the gate: it has its slot,
/// and the `RateLimiter` has not let it go yet. So the order is decided as late as possible. Background calls start when
/// no interactive call waits or is at the gate, and leave one slot free. Pure.
///
/// Invariant: every call either waits, in the lines of all its claims, or runs; every line has a call, and every user in
/// `turns` a line.
struct FairQueue: Sendable {
    typealias Claim = CallDemand.Claim

    struct CallID: Hashable, Sendable {
        let number: UInt64
    }

    /// A user's calls of one priority.
    private struct User: Hashable, Sendable {
        let id: UInt32
        let priority: Priority

        init(_ claim: Claim) { (id, priority) = (claim.client.userID, claim.priority) }
    }

    /// The waiting calls of a program, in the order of their arrival.
    private struct Line: Sendable {
        /// Lines of a user with a lower number are next.
        var turn: UInt64
        var calls: [CallID] = []
    }

    private struct Running: Sendable {
        let priority: Priority
        /// When the rate limiter let it go; nil while it is at the gate.
        var passedAt: Instant?
    }

    private var waiting: [CallID: Set<Claim>] = [:]
    private var lines: [Claim: Line] = [:]
    /// Users with a lower number are next.
    private var turns: [User: UInt64] = [:]
    private var running: [CallID: Running] = [:]
    /// How long calls take from the gate to their end, each moving it a quarter of the way; nil before the first.
    private(set) var usual: Duration?
    private var lastNumber: UInt64 = 0

    var waitingCount: Int { waiting.count }
    var runningCount: Int { running.count }
    var isEmpty: Bool { waiting.isEmpty && running.isEmpty }

    func isWaiting(_ call: CallID) -> Bool { waiting[call] != nil }

    func count(of client: ClientIdentity) -> Int { count { $0.client == client } }

    func count(ofUser user: UInt32) -> Int { count { $0.client.userID == user } }

    private func count(where matches: (Claim) -> Bool) -> Int {
        lines.reduce(0) { matches($1.key) ? $0 + $1.value.calls.count : $0 }
    }

    // MARK: Waiting

    mutating func arrived(_ claims: Set<Claim>) -> CallID {
        let call = CallID(number: takeNumber())
        waiting[call] = []
        changed(call, to: claims)
        return call
    }

    /// Others wait for a call now, or more urgently; no effect on a call that runs.
    mutating func changed(_ call: CallID, to claims: Set<Claim>) {
        guard let before = waiting[call] else { return }
        // A client that wants it both ways wants it the more urgent one.
        let wanted = claims.filter { claim in
            claim.priority == .interactive || !claims.contains(Claim(client: claim.client, priority: .interactive))
        }
        for claim in before.subtracting(wanted) { remove(call, claim) }
        for claim in wanted.subtracting(before) {
            // A newcomer is the last of its round.
            let last = takeNumber()
            if turns[User(claim)] == nil { turns[User(claim)] = last }
            lines[claim, default: Line(turn: last)].calls.append(call)
        }
        waiting[call] = wanted
        checkInvariants()
    }

    /// Nobody wants a waiting call any more; false when it isn't waiting.
    mutating func left(_ call: CallID) -> Bool {
        guard let claims = waiting.removeValue(forKey: call) else { return false }
        for claim in claims { remove(call, claim) }
        checkInvariants()
        return true
    }

    private mutating func remove(_ call: CallID, _ claim: Claim) {
        lines[claim]?.calls.removeAll { $0 == call }
        guard lines[claim]?.calls.isEmpty == true else { return }
        lines[claim] = nil
        if !lines.keys.contains(where: { User($0) == User(claim) }) { turns[User(claim)] = nil }
    }

    private mutating func takeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Running

    /// Starts the next call; nil while none may start.
    mutating func next(slots: Int) -> CallID? {
        guard !waiting.isEmpty, running.count < slots else { return nil }
        let atGate = Set(running.values.lazy.filter { $0.passedAt == nil }.map(\.priority))
        let priority = turns.keys.contains { $0.priority == .interactive } ? Priority.interactive : .background
        switch priority {
        case .interactive: guard !atGate.contains(.interactive) else { return nil }
        case .background:
            let count = running.values.count { $0.priority == .background }
            guard atGate.isEmpty, count < max(1, slots - 1) else { return nil }
        }
        let user = turns.lazy.filter { $0.key.priority == priority }.min { $0.value < $1.value }?.key
        let next = lines.lazy.filter { User($0.key) == user }.min { $0.value.turn < $1.value.turn }
        guard let user, let (claim, line) = next, let call = line.calls.first else { return nil }
        let last = takeNumber()
        lines[claim]?.turn = last
        turns[user] = last
        _ = left(call)
        running[call] = Running(priority: priority)
        checkInvariants()
        return call
    }

    /// The rate limiter has let a running call go.
    mutating func passed(_ call: CallID, at now: Instant) {
        if running[call] != nil, running[call]?.passedAt == nil { running[call]?.passedAt = now }
    }

    mutating func ended(_ call: CallID, at now: Instant) {
        guard let passedAt = running.removeValue(forKey: call)?.passedAt else { return }
        let took = passedAt.duration(to: now)
        usual = usual.map { $0 + (took - $0) / 4 } ?? took
    }

    // MARK: Estimating

    /// What a new call with these claims would wait for.
    struct Position: Equatable, Sendable {
        /// How many calls the rate limiter lets go before it.
        let ahead: Int
        /// How long until it has a slot if calls take as long as usual.
        let slotWait: Duration
    }

    /// The position of a new call, or of one that waits.
    func position(of claims: Set<Claim>, isIn: Bool = false, slots: Int) -> Position {
        let ahead = max(0, (claims.map(callsBefore).min() ?? waiting.count) - (isIn ? 1 : 0))
        let ends = max(0, ahead + running.count - slots + 1)
        return Position(
            ahead: ahead + running.values.count { $0.passedAt == nil },
            slotWait: (usual ?? .zero) * ends / slots
        )
    }

    func position(of call: CallID, slots: Int) -> Position {
        position(of: waiting[call] ?? [], isIn: true, slots: slots)
    }

    /// How many waiting calls start before a new one of a claim: each of the others has at most one turn more than it.
    private func callsBefore(_ claim: Claim) -> Int {
        var ofUsers: [User: Int] = [:]
        for (claim, line) in lines { ofUsers[User(claim), default: 0] += line.calls.count }
        let (user, own) = (User(claim), lines[claim])
        let interactive = claim.priority == .interactive ? 0 : count { $0.priority == .interactive }
        let ofUser = lines.reduce(own?.calls.count ?? 0) { sum, other in
            guard other.key != claim, User(other.key) == user else { return sum }
            return sum + Self.turns(of: other.value.calls.count, other.value.turn, before: own?.calls.count, own?.turn)
        }
        let ownTurn = turns[user]
        return ofUsers.reduce(interactive + ofUser) { sum, other in
            guard other.key != user, other.key.priority == user.priority else { return sum }
            return sum + Self.turns(of: other.value, turns[other.key] ?? 0, before: ofUser, ownTurn)
        }
    }

    /// The turns of one with `count` calls before the turn after `own` of another, whose next turn is nil when it does
    /// not wait yet.
    private static func turns(of count: Int, _ turn: UInt64, before own: Int?, _ ownTurn: UInt64?) -> Int {
        let isBefore = ownTurn.map { turn < $0 } ?? true
        return min(count, (own ?? 0) + (isBefore ? 1 : 0))
    }

    /// Whether others' calls wait or run before a waiting call.
    func waitsForOthers(_ call: CallID) -> Bool {
        let clients = Set((waiting[call] ?? []).map(\.client))
        return waiting.values.contains { clients.isDisjoint(with: $0.map(\.client)) }
    }

    /// The costly ones only while few wait.
    private func checkInvariants() {
        guard waiting.count < 64 else { return }
        assert(waiting.keys.allSatisfy { running[$0] == nil } && waiting.values.allSatisfy { !$0.isEmpty })
        assert(waiting.values.reduce(0) { $0 + $1.count } == count { _ in true })
        assert(Set(lines.keys.map(User.init)) == Set(turns.keys))
    }
}
