/// One user's waiting calls, and which of its clients is next: its programs take turns with one another, and with its
/// agents together, who take turns among themselves.
///
/// So ten agents take as many turns from a program at which the user waits as one does. Pure.
struct FairQueueOfUser<Call: Hashable & Sendable>: Sendable {
    /// Who takes a turn.
    private enum Party: Hashable {
        case program(ClientIdentity)
        case agents
    }

    private var parties = RoundRobin<Party>()
    private var agents = RoundRobin<ClientIdentity>()
    private(set) var calls: [ClientIdentity: [Call]] = [:]
    private(set) var count = 0
    private var agentCallCount = 0

    /// The client whose turn it is.
    var first: ClientIdentity? {
        switch parties.first {
        case .program(let client): client
        case .agents: agents.first
        case nil: nil
        }
    }

    /// The client with the most waiting calls.
    var longestClient: ClientIdentity? {
        switch parties.greediest(count(of:)) {
        case .program(let client): client
        case .agents: agents.greediest { calls[$0]?.count ?? 0 }
        case nil: nil
        }
    }

    /// Whether what is kept twice is kept alike.
    var isConsistent: Bool {
        let clients = calls.keys
        let agentCount = clients.count { $0.isAgent }
        return calls.values.reduce(0) { $0 + $1.count } == count && !calls.values.contains { $0.isEmpty }
            && agents.count == agentCount && parties.count == clients.count - agentCount + (agentCount > 0 ? 1 : 0)
            && calls.reduce(0) { $0 + ($1.key.isAgent ? $1.value.count : 0) } == agentCallCount
    }

    private static func party(of client: ClientIdentity) -> Party { client.isAgent ? .agents : .program(client) }

    private func count(of party: Party) -> Int {
        switch party {
        case .program(let client): calls[client]?.count ?? 0
        case .agents: agentCallCount
        }
    }

    mutating func add(_ call: Call, of client: ClientIdentity) {
        if calls[client] == nil {
            parties.enter(Self.party(of: client))
            if client.isAgent { agents.enter(client) }
        }
        calls[client, default: []].append(call)
        changeCount(of: client, by: 1)
    }

    mutating func remove(at index: Int, of client: ClientIdentity) {
        calls[client]?.remove(at: index)
        changeCount(of: client, by: -1)
        guard calls[client]?.isEmpty == true else { return }
        calls[client] = nil
        if client.isAgent { _ = agents.leave(client) }
        if !client.isAgent || agentCallCount == 0 { _ = parties.leave(Self.party(of: client)) }
    }

    private mutating func changeCount(of client: ClientIdentity, by difference: Int) {
        count += difference
        if client.isAgent { agentCallCount += difference }
    }

    mutating func served(_ client: ClientIdentity) {
        parties.served(Self.party(of: client))
        if client.isAgent { agents.served(client) }
    }

    /// A client's call has cost one more than it was counted as.
    mutating func charge(_ client: ClientIdentity) {
        parties.charge(Self.party(of: client))
        if client.isAgent { agents.charge(client) }
    }

    /// How many of the user's calls would be served before a new one of this client.
    func callsBefore(_ client: ClientIdentity) -> Int {
        let own = calls[client]?.count ?? 0
        let ofParty =
            client.isAgent
            ? own + agents.turnsOfOthers(before: client, after: own) { calls[$0]?.count ?? 0 } : own
        return ofParty + parties.turnsOfOthers(before: Self.party(of: client), after: ofParty, wanted: count(of:))
    }
}
