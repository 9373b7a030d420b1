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

    struct Position: Equatable, Sendable {
        let ahead: Int
        let slotWait: Duration
        let isBehindOthers: Bool
    }

    func position(of claims: Set<Claim>, slots: Int) -> Position {
        let (total, own) = claims.map(callsBefore).min { $0.total < $1.total } ?? (waiting.count, 0)
        let ends = max(0, total + running.count - slots + 1)
        return Position(
            ahead: total + running.values.count { $0.admittedAt == nil },
            slotWait: (usual ?? .zero) * ends / slots,
            isBehindOthers: total > own
        )
    }

    /// Counts the waiting calls that would start before a new call, and the client's own calls among them.
    private func callsBefore(_ claim: Claim) -> (total: Int, own: Int) {
        let before = self[claim.priority].callsBefore(claim.client)
        return claim.priority == .interactive ? before : (before.total + interactive.count, before.own)
    }
}

/// The waiting calls of one priority: users take turns, and so do the programs of one user.
private struct RoundRobin: Sendable {
    private struct Program: Sendable {
        let client: ClientIdentity
        var calls: [FairQueue.CallID]
    }

    private struct User: Sendable {
        let id: UInt32
        var programs: [Program]

        var count: Int { programs.reduce(0) { $0 + $1.calls.count } }
    }

    private var users: [User] = []

    var isEmpty: Bool { users.isEmpty }
    var count: Int { users.reduce(0) { $0 + $1.count } }

    func count(ofUser id: UInt32) -> Int { users.first { $0.id == id }?.count ?? 0 }

    func count(of client: ClientIdentity) -> Int {
        programs(ofUser: client.userID).first { $0.client == client }?.calls.count ?? 0
    }

    private func programs(ofUser id: UInt32) -> [Program] { users.first { $0.id == id }?.programs ?? [] }

    mutating func add(_ call: FairQueue.CallID, of client: ClientIdentity) {
        let user = users.firstIndex { $0.id == client.userID } ?? users.endIndex
        if user == users.endIndex { users.append(User(id: client.userID, programs: [])) }
        if let program = users[user].programs.firstIndex(where: { $0.client == client }) {
            users[user].programs[program].calls.append(call)
        } else {
            users[user].programs.append(Program(client: client, calls: [call]))
        }
    }

    mutating func remove(_ call: FairQueue.CallID, of client: ClientIdentity) {
        guard let user = users.firstIndex(where: { $0.id == client.userID }),
            let program = users[user].programs.firstIndex(where: { $0.client == client })
        else { return }
        users[user].programs[program].calls.removeAll { $0 == call }
        if users[user].programs[program].calls.isEmpty { users[user].programs.remove(at: program) }
        if users[user].programs.isEmpty { users.remove(at: user) }
    }

    mutating func takeTurn() -> FairQueue.CallID? {
        guard !users.isEmpty else { return nil }
        var user = users.removeFirst()
        let program = user.programs.removeFirst()
        user.programs.append(program)
        users.append(user)
        return program.calls.first
    }

    /// If the client has n waiting calls, each other program of its user gets at most n + 1 turns before the client's
    /// new call.
    func callsBefore(_ client: ClientIdentity) -> (total: Int, own: Int) {
        let own = count(of: client)
        let ofUser = programs(ofUser: client.userID).reduce(own) { sum, other in
            other.client == client ? sum : sum + min(other.calls.count, own + 1)
        }
        let total = users.reduce(ofUser) { sum, other in
            other.id == client.userID ? sum : sum + min(other.count, ofUser + 1)
        }
        return (total, own)
    }
}
