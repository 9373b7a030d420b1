/// The waiting calls of one priority, in the order in which they start: users take turns, and each user's programs take
/// turns within the user's.
///
/// A program that uses many names delays the other programs of its user by one call per name, and other users by
/// nothing. Pure.
///
/// Invariant: every user has a program, and every program a call; the first of each list is the next.
struct FairLane<Call: Hashable & Sendable>: Sendable {
    private struct Program: Sendable {
        let client: ClientIdentity
        var calls: [Call]
    }

    private struct User: Sendable {
        let id: UInt32
        var programs: [Program]

        var count: Int { programs.reduce(0) { $0 + $1.calls.count } }
    }

    private var users: [User] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func count(of client: ClientIdentity) -> Int {
        users.first { $0.id == client.userID }?.programs.first { $0.client == client }?.calls.count ?? 0
    }

    func count(ofUser user: UInt32) -> Int { users.first { $0.id == user }?.count ?? 0 }

    /// Adds a call; a newcomer is the last of its round.
    mutating func add(_ call: Call, of client: ClientIdentity) {
        count += 1
        let program = Program(client: client, calls: [call])
        guard let user = users.firstIndex(where: { $0.id == client.userID }) else {
            users.append(User(id: client.userID, programs: [program]))
            return
        }
        if let known = users[user].programs.firstIndex(where: { $0.client == client }) {
            users[user].programs[known].calls.append(call)
        } else {
            users[user].programs.append(program)
        }
        checkInvariants()
    }

    /// Removes a call that no longer waits for this client.
    mutating func remove(_ call: Call, of client: ClientIdentity) {
        guard let user = users.firstIndex(where: { $0.id == client.userID }),
            let program = users[user].programs.firstIndex(where: { $0.client == client }),
            let index = users[user].programs[program].calls.firstIndex(of: call)
        else { return }
        count -= 1
        users[user].programs[program].calls.remove(at: index)
        if users[user].programs[program].calls.isEmpty { users[user].programs.remove(at: program) }
        if users[user].programs.isEmpty { users.remove(at: user) }
        checkInvariants()
    }

    /// Takes the next call; its user and its program go to the end of their lists.
    ///
    /// - Complexity: O(n) in the waiting users, and in the programs and calls of the one whose turn it is.
    mutating func takeNext() -> (call: Call, client: ClientIdentity)? {
        guard !users.isEmpty else { return nil }
        var user = users.removeFirst()
        var program = user.programs.removeFirst()
        let call = program.calls.removeFirst()
        count -= 1
        if !program.calls.isEmpty { user.programs.append(program) }
        if !user.programs.isEmpty { users.append(user) }
        checkInvariants()
        return (call, program.client)
    }

    /// How many waiting calls start before a new one of this client: each of the others that wait has at most one turn
    /// more than the client.
    func callsBefore(_ client: ClientIdentity) -> Int {
        let user = users.first { $0.id == client.userID }
        let own = count(of: client)
        let ofUser = Self.turnsBefore(
            user?.programs.map { ($0.client == client, $0.calls.count) } ?? [],
            own: own
        )
        return Self.turnsBefore(users.map { ($0.id == client.userID, $0.count) }, own: ofUser)
    }

    /// The calls served before the one after `own` of the marked member, which is last when it is not in the list.
    private static func turnsBefore(_ members: [(isOwn: Bool, count: Int)], own: Int) -> Int {
        var isBefore = true
        var turns = own
        for (isOwn, count) in members {
            if isOwn { isBefore = false } else { turns += min(count, isBefore ? own + 1 : own) }
        }
        return turns
    }

    private func checkInvariants() {
        assert(users.allSatisfy { !$0.programs.isEmpty && $0.programs.allSatisfy { !$0.calls.isEmpty } })
        assert(users.reduce(0) { $0 + $1.count } == count)
    }
}
