import EventLoop

/// The queue of calls to one source: chooses the next call, and estimates the wait of a new call.
struct FairQueue: Sendable {
    typealias Claim = CallDemand.Claim
    typealias CallID = UInt64

    private struct Running: Sendable {
        let priority: Priority
        var admittedAt: Instant?
    }

    private var waiting: [CallID: Set<Claim>] = [:]
    private var interactive = RoundRobin()
    private var background = RoundRobin()
    private var running: [CallID: Running] = [:]
    private(set) var usual: Duration?

    var waitingCount: Int { waiting.count }
    var runningCount: Int { running.count }
    var isEmpty: Bool { waiting.isEmpty && running.isEmpty }

    func count(of client: ClientIdentity) -> Int { interactive.count(of: client) + background.count(of: client) }

    func count(ofUser user: UInt32) -> Int { interactive.count(ofUser: user) + background.count(ofUser: user) }

    private subscript(priority: Priority) -> RoundRobin {
        get { priority == .interactive ? interactive : background }
        _modify { if priority == .interactive { yield &interactive } else { yield &background } }
    }

    // MARK: Waiting

    mutating func arrived(_ call: CallID, for claims: Set<Claim>) {
        waiting[call] = []
        changed(call, to: claims)
    }

    mutating func changed(_ call: CallID, to claims: Set<Claim>) {
        guard let before = waiting[call] else { return }
        for claim in before.subtracting(claims) { self[claim.priority].remove(call, of: claim.client) }
        for claim in claims.subtracting(before) { self[claim.priority].add(call, of: claim.client) }
        waiting[call] = claims
    }

    mutating func left(_ call: CallID) -> Bool {
        guard let claims = waiting.removeValue(forKey: call) else { return false }
        for claim in claims { self[claim.priority].remove(call, of: claim.client) }
        return true
    }

    // MARK: Running

    /// Returns the next call if it may start.
    ///
    /// At most one running call of each priority waits for the `RateLimiter`.
    mutating func next(slots: Int) -> CallID? {
        guard !waiting.isEmpty, running.count < slots else { return nil }
        let arriving = running.values.lazy.filter { $0.admittedAt == nil }
        let priority: Priority = interactive.isEmpty ? .background : .interactive
        switch priority {
        case .interactive: guard !arriving.contains(where: { $0.priority == .interactive }) else { return nil }
        case .background:
            let count = running.values.count { $0.priority == .background }
            guard arriving.isEmpty, count < max(1, slots - 1) else { return nil }
        }
        guard let call = self[priority].takeTurn() else { return nil }
        _ = left(call)
        running[call] = Running(priority: priority)
        return call
    }

    mutating func admitted(_ call: CallID, at now: Instant) {
        if running[call] != nil, running[call]?.admittedAt == nil { running[call]?.admittedAt = now }
    }

    mutating func ended(_ call: CallID, at now: Instant) {
        guard let admittedAt = running.removeValue(forKey: call)?.admittedAt else { return }
        let took = admittedAt.duration(to: now)
        usual = usual.map { $0 + (took - $0) / 4 } ?? took
    }

    // MARK: Estimating

    typealias Position = (ahead: Int, slotWait: Duration, isBehindOthers: Bool)

    func position(of claims: Set<Claim>, slots: Int) -> Position {
        let (total, own) = claims.map(callsBefore).min { $0.total < $1.total } ?? (waiting.count, 0)
        let ends = max(0, total + running.count - slots + 1)
        let arriving = running.values.count { $0.admittedAt == nil }
        return (ahead: total + arriving, slotWait: (usual ?? .zero) * ends / slots, isBehindOthers: total > own)
    }

    /// Counts the waiting calls that would start before a new call, and the client's own calls among them.
    private func callsBefore(_ claim: Claim) -> (total: Int, own: Int) {
        let before = self[claim.priority].callsBefore(claim.client)
        return claim.priority == .interactive ? before : (before.total + interactive.count, before.own)
    }
}

/// The waiting calls of one priority: users take turns, and so do the programs of one user.
private struct RoundRobin: Sendable {
    private typealias Program = (client: ClientIdentity, calls: [FairQueue.CallID])

    /// Only users and programs that have waiting calls, in the order of their turns.
    private var users: [UInt32] = []
    private var programs: [Program] = []

    var isEmpty: Bool { users.isEmpty }
    var count: Int { programs.reduce(0) { $0 + $1.calls.count } }

    func count(ofUser user: UInt32) -> Int { programs(of: user).reduce(0) { $0 + $1.calls.count } }

    func count(of client: ClientIdentity) -> Int { programs.first { $0.client == client }?.calls.count ?? 0 }

    private func programs(of user: UInt32) -> some Sequence<Program> {
        programs.lazy.filter { $0.client.userID == user }
    }

    mutating func add(_ call: FairQueue.CallID, of client: ClientIdentity) {
        if !users.contains(client.userID) { users.append(client.userID) }
        if let program = programs.firstIndex(where: { $0.client == client }) {
            programs[program].calls.append(call)
        } else {
            programs.append((client, [call]))
        }
    }

    mutating func remove(_ call: FairQueue.CallID, of client: ClientIdentity) {
        guard let program = programs.firstIndex(where: { $0.client == client }) else { return }
        programs[program].calls.removeAll { $0 == call }
        if programs[program].calls.isEmpty { programs.remove(at: program) }
        if !programs.contains(where: { $0.client.userID == client.userID }) { users.removeAll { $0 == client.userID } }
    }

    mutating func takeTurn() -> FairQueue.CallID? {
        guard let user = users.first, let next = programs.firstIndex(where: { $0.client.userID == user }) else {
            return nil
        }
        users.append(users.removeFirst())
        let program = programs.remove(at: next)
        programs.append(program)
        return program.calls.first
    }

    /// If the client has n waiting calls, each other program of its user gets at most n + 1 turns before the client's
    /// new call.
    func callsBefore(_ client: ClientIdentity) -> (total: Int, own: Int) {
        let own = count(of: client)
        let ofUser = programs(of: client.userID).reduce(own) { sum, other in
            other.client == client ? sum : sum + min(other.calls.count, own + 1)
        }
        let total = users.reduce(ofUser) { sum, other in
            other == client.userID ? sum : sum + min(count(ofUser: other), ofUser + 1)
        }
        return (total, own)
    }
}
