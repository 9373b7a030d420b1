import EventLoop

/// The calls to one source: which starts next, and how long a new one would wait.
///
/// At most `slots` calls run at a time. Of those, at most one of each priority is at the gate: it has its slot, and the
/// `RateLimiter` has not let it go yet. So the order is decided as late as possible. Background calls start when no
/// interactive call waits or is at the gate, and leave one slot free. Pure.
///
/// Invariant: every call either waits, in the lanes of all its claims, or runs.
struct FairQueue: Sendable {
    typealias Claim = CallDemand.Claim

    struct CallID: Hashable, Sendable {
        let number: UInt64
    }

    private struct Running: Sendable {
        let priority: Priority
        /// When the rate limiter let it go; nil while it is at the gate.
        var passedAt: Instant?
    }

    private var interactive = FairLane<CallID>()
    private var background = FairLane<CallID>()
    private var waiting: [CallID: Set<Claim>] = [:]
    private var running: [CallID: Running] = [:]
    /// How long calls take from the gate to their end, each moving it a quarter of the way; nil before the first.
    private(set) var usual: Duration?
    private var nextNumber: UInt64 = 0

    var waitingCount: Int { waiting.count }
    var runningCount: Int { running.count }
    var isEmpty: Bool { waiting.isEmpty && running.isEmpty }

    func isWaiting(_ call: CallID) -> Bool { waiting[call] != nil }

    func count(of client: ClientIdentity) -> Int {
        interactive.count(of: client) + background.count(of: client)
    }

    func count(ofUser user: UInt32) -> Int {
        interactive.count(ofUser: user) + background.count(ofUser: user)
    }

    // MARK: Waiting

    mutating func arrived(_ claims: Set<Claim>) -> CallID {
        nextNumber += 1
        let call = CallID(number: nextNumber)
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
            switch claim.priority {
            case .interactive: interactive.add(call, of: claim.client)
            case .background: background.add(call, of: claim.client)
            }
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
        switch claim.priority {
        case .interactive: interactive.remove(call, of: claim.client)
        case .background: background.remove(call, of: claim.client)
        }
    }

    // MARK: Running

    /// Starts the next call; nil while none may start.
    mutating func next(slots: Int) -> CallID? {
        guard !waiting.isEmpty, running.count < slots else { return nil }
        let atGate = Set(running.values.lazy.filter { $0.passedAt == nil }.map(\.priority))
        let taken: CallID?
        let priority: Priority
        if !interactive.isEmpty {
            guard !atGate.contains(.interactive) else { return nil }
            (priority, taken) = (.interactive, interactive.takeNext()?.call)
        } else {
            let backgroundCount = running.values.count { $0.priority == .background }
            guard atGate.isEmpty, backgroundCount < max(1, slots - 1) else { return nil }
            (priority, taken) = (.background, background.takeNext()?.call)
        }
        guard let taken else { return nil }
        for claim in waiting.removeValue(forKey: taken) ?? [] { remove(taken, claim) }
        running[taken] = Running(priority: priority)
        checkInvariants()
        return taken
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
        let before =
            claims.map { claim in
                switch claim.priority {
                case .interactive: interactive.callsBefore(claim.client)
                case .background: interactive.count + background.callsBefore(claim.client)
                }
            }.min() ?? waiting.count
        let ahead = max(0, before - (isIn ? 1 : 0))
        let ends = max(0, ahead + running.count - slots + 1)
        return Position(
            ahead: ahead + running.values.count { $0.passedAt == nil },
            slotWait: (usual ?? .zero) * ends / slots
        )
    }

    func position(of call: CallID, slots: Int) -> Position {
        position(of: waiting[call] ?? [], isIn: true, slots: slots)
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
        assert(waiting.values.reduce(0) { $0 + $1.count } == interactive.count + background.count)
    }
}
