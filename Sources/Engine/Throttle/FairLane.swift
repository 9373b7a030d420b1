/// The calls of one priority that wait, and whose turn it is: users take turns, within each user its programs, and
/// among these the user's agents, who together are as one program.
///
/// A program may call itself as it likes, and come as a new one with each call: that costs the other programs of its
/// user at most a turn for each that waits, and other users nothing. Pure.
///
/// Invariant: `users` takes turns among those of `queues` with waiting calls, each user's `programs` and `agents` among
/// its clients with waiting calls; `count` is the number of those calls.
struct FairLane<Call: Hashable & Sendable>: Sendable {
    private typealias UserQueue = FairQueueOfUser<Call>

    private var users = RoundRobin<UInt32>()
    private var queues: [UInt32: UserQueue] = [:]
    private(set) var count = 0
    private(set) var clientCount = 0

    var isEmpty: Bool { count == 0 }

    func count(of client: ClientIdentity) -> Int {
        queues[client.userID]?.calls[client]?.count ?? 0
    }

    /// How many calls of all its programs wait.
    func count(ofUser user: UInt32) -> Int {
        queues[user]?.count ?? 0
    }

    mutating func add(_ call: Call, of client: ClientIdentity) {
        let user = client.userID
        if count(of: client) == 0 {
            clientCount += 1
            users.enter(user)
        }
        queues[user, default: UserQueue()].add(call, of: client)
        count += 1
        checkInvariants()
    }

    /// A call no longer waits in this client's name.
    ///
    /// - Complexity: O(n) in the client's calls.
    mutating func remove(_ call: Call, of client: ClientIdentity) {
        guard let index = queues[client.userID]?.calls[client]?.firstIndex(of: call) else { return }
        remove(at: index, of: client)
    }

    /// Takes the call whose turn it is.
    ///
    /// - Complexity: O(n) in the users with waiting calls, the programs of the one whose turn it is, and its calls.
    mutating func takeNext() -> (call: Call, client: ClientIdentity)? {
        guard let user = users.first, let client = queues[user]?.first, let call = queues[user]?.calls[client]?.first
        else { return nil }
        users.served(user)
        queues[user]?.served(client)
        remove(at: 0, of: client)
        return (call, client)
    }

    /// A call has cost one more than it was counted as.
    mutating func charge(_ client: ClientIdentity) {
        users.charge(client.userID)
        queues[client.userID]?.charge(client)
    }

    /// How many waiting calls would be served before a new one of this client.
    ///
    /// - Complexity: O(n) in the users with waiting calls and the programs of this one.
    func callsBefore(_ client: ClientIdentity) -> Int {
        let ofUser = (queues[client.userID] ?? UserQueue()).callsBefore(client)
        return ofUser + users.turnsOfOthers(before: client.userID, after: ofUser) { queues[$0]?.count ?? 0 }
    }

    /// The user with the most waiting calls.
    var longestUser: UInt32? {
        users.greediest { count(ofUser: $0) }
    }

    /// The program of a user with the most waiting calls.
    func longestClient(of user: UInt32) -> ClientIdentity? {
        queues[user]?.longestClient
    }

    /// The latest of a client's calls that is as the condition says.
    func lastCall(of client: ClientIdentity, where condition: (Call) -> Bool) -> Call? {
        queues[client.userID]?.calls[client]?.last(where: condition)
    }

    private mutating func remove(at index: Int, of client: ClientIdentity) {
        let user = client.userID
        queues[user]?.remove(at: index, of: client)
        count -= 1
        if count(of: client) == 0 { clientCount -= 1 }
        // One that is forgotten wants nothing, or it would not rest.
        if count(ofUser: user) == 0, let forgotten = users.leave(user) { queues[forgotten] = nil }
        checkInvariants()
    }

    /// The costly ones only while few wait.
    private func checkInvariants() {
        assert(users.count <= clientCount && clientCount <= count)
        guard count < 64 else { return }
        assert(queues.values.count { $0.count > 0 } == users.count)
        assert(queues.values.reduce(0) { $0 + $1.count } == count)
        assert(queues.values.reduce(0) { $0 + $1.calls.count } == clientCount)
        assert(queues.values.allSatisfy(\.isConsistent))
    }
}
