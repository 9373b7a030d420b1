/// The calls of one priority that wait, and whose turn it is: deficit round robin, counted in rounds.
///
/// A client's turn is the round in which its next call is due; a call served moves it on by one, one that cost more by
/// more. The earliest turn is served first, equal ones in the order they came about. A client that asks for less than
/// its share has a turn behind the round: it is served before all others until it has caught up, at most
/// `roundsBehindMax` calls long. Pure.
///
/// Invariant: `active` has exactly the clients with waiting calls, each at its place in `places`; `count` is the number
/// of those calls; no client is both in `places` and in `resting`.
struct FairLane<Call: Hashable & Sendable>: Sendable {
    /// How many calls a client may be ahead of the others after it has asked for nothing.
    static var roundsBehindMax: Int { 8 }
    /// How many clients without waiting calls are remembered; beyond, all of them are as new.
    static var restingMax: Int { 4096 }

    private struct Active: Sendable {
        let client: ClientIdentity
        var turn: Int
        /// Since when it has this turn, among all.
        var since: Int
        var calls: [Call] = []
    }

    private var active: [Active] = []
    private var places: [ClientIdentity: Int] = [:]
    /// Turns of clients that have lately been served and want nothing now.
    private var resting: [ClientIdentity: Int] = [:]
    private var round = 0
    private var changes = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var clientCount: Int { active.count }

    func count(of client: ClientIdentity) -> Int {
        places[client].map { active[$0].calls.count } ?? 0
    }

    mutating func add(_ call: Call, of client: ClientIdentity) {
        count += 1
        if let place = places[client] {
            active[place].calls.append(call)
        } else {
            let turn = max(resting.removeValue(forKey: client) ?? .min, round - Self.roundsBehindMax)
            places[client] = active.count
            active.append(Active(client: client, turn: turn, since: takeChange(), calls: [call]))
        }
        checkInvariants()
    }

    /// A call no longer waits in this client's name.
    ///
    /// - Complexity: O(n) in the client's calls.
    mutating func remove(_ call: Call, of client: ClientIdentity) {
        guard let place = places[client], let index = active[place].calls.firstIndex(of: call) else { return }
        removeCall(at: index, of: place)
    }

    /// Takes the call whose turn it is.
    ///
    /// - Complexity: O(n) in the clients with waiting calls.
    mutating func takeNext() -> (call: Call, client: ClientIdentity)? {
        let next = active.indices.min { left, right in
            (active[left].turn, active[left].since) < (active[right].turn, active[right].since)
        }
        guard let next else { return nil }
        let (call, client) = (active[next].calls[0], active[next].client)
        round = max(round, active[next].turn)
        active[next].turn += 1
        active[next].since = takeChange()
        removeCall(at: 0, of: next)
        return (call, client)
    }

    /// A call has cost one more than it was counted as.
    mutating func charge(_ client: ClientIdentity) {
        if let place = places[client] {
            active[place].turn += 1
            active[place].since = takeChange()
        } else if let turn = resting[client] {
            resting[client] = turn + 1
        }
    }

    /// How many waiting calls would be served before a new one of this client.
    ///
    /// - Complexity: O(n) in the clients with waiting calls.
    func callsBefore(_ client: ClientIdentity) -> Int {
        let own = places[client]
        let first = own.map { active[$0].turn } ?? max(resting[client] ?? .min, round - Self.roundsBehindMax)
        let ownCount = own.map { active[$0].calls.count } ?? 0
        let turn = first + ownCount
        return active.reduce(ownCount) { sum, other in
            other.client == client ? sum : sum + min(other.calls.count, max(0, turn - other.turn + 1))
        }
    }

    /// The client with the most waiting calls.
    var longest: (client: ClientIdentity, count: Int)? {
        active.max { $0.calls.count < $1.calls.count }.map { ($0.client, $0.calls.count) }
    }

    /// The latest of a client's calls that is as the condition says.
    func lastCall(of client: ClientIdentity, where condition: (Call) -> Bool) -> Call? {
        places[client].flatMap { active[$0].calls.last(where: condition) }
    }

    private mutating func removeCall(at index: Int, of place: Int) {
        active[place].calls.remove(at: index)
        count -= 1
        if active[place].calls.isEmpty { rest(place) }
        checkInvariants()
    }

    /// A client has no more waiting calls; its turn is remembered while it says more than none would.
    private mutating func rest(_ place: Int) {
        let (client, turn) = (active[place].client, active[place].turn)
        places[client] = nil
        let last = active.removeLast()
        if place < active.count {
            active[place] = last
            places[last.client] = place
        }
        if resting.count >= Self.restingMax { resting = resting.filter { $0.value > round - Self.roundsBehindMax } }
        if resting.count >= Self.restingMax { resting = [:] }
        if turn > round - Self.roundsBehindMax { resting[client] = turn }
    }

    private mutating func takeChange() -> Int {
        changes += 1
        return changes
    }

    /// The costly ones only while few wait.
    private func checkInvariants() {
        assert(active.count == places.count && active.count <= count && resting.count <= Self.restingMax)
        guard count < 64 else { return }
        assert(active.indices.allSatisfy { places[active[$0].client] == $0 && !active[$0].calls.isEmpty })
        assert(active.reduce(0) { $0 + $1.calls.count } == count)
        assert(active.allSatisfy { resting[$0.client] == nil })
    }
}
