package import EventLoop
import JSON

/// The callers that wait for one upstream call, with their priorities and deadlines; thread-safe.
///
/// The client and priority of the last caller remain after this caller has left, because a running call needs them.
package final class CallDemand: Sendable {
    package struct Caller: Sendable {
        package var client: ClientIdentity
        package var priority: Priority
        /// Whether this caller forbids storing the outcome.
        package var isPrivate: Bool
        /// Whether the caller named the source; other calls must not use the reserve of a quota.
        package var isNamed: Bool

        package init(
            client: ClientIdentity = .daemon,
            priority: Priority = .interactive,
            isPrivate: Bool = false,
            isNamed: Bool = true
        ) {
            self.client = client
            self.priority = priority
            self.isPrivate = isPrivate
            self.isNamed = isNamed
        }

        fileprivate var claim: Claim { Claim(client: client, priority: priority) }
    }

    /// The client and the priority of one or several waiting callers.
    package struct Claim: Hashable, Sendable {
        let client: ClientIdentity
        let priority: Priority
    }

    /// Invariant: while a caller waits, `claims` counts the waiting callers of each claim; every count is at least 1.
    private struct State {
        var claims: [Claim: Int]
        var waitingCount = 1
        var deadline: Instant
        var mayBeStored: Bool
        var isNamed: Bool
        var claimsChanged: (@Sendable () -> Void)?
    }

    private let state: Locked<State>

    package init(for caller: Caller = Caller(), until deadline: Instant = Instant(nanoseconds: .max)) {
        let mayBeStored = !caller.isPrivate
        state = Locked(
            State(claims: [caller.claim: 1], deadline: deadline, mayBeStored: mayBeStored, isNamed: caller.isNamed)
        )
    }

    package var priority: Priority {
        state.withLock { $0.claims.keys.contains { $0.priority == .interactive } ? .interactive : .background }
    }
    /// The priority of the most urgent caller, and whether at least one caller so far named the source.
    var urgency: CallUrgency { CallUrgency(priority: priority, isNamed: state.withLock { $0.isNamed }) }
    /// The latest deadline of all callers so far.
    package var deadline: Instant { state.withLock { $0.deadline } }
    var claims: Set<Claim> { state.withLock { Set($0.claims.keys) } }
    var users: Set<UInt32> { state.withLock { Set($0.claims.keys.lazy.map(\.client.userID)) } }
    /// Whether at least one caller so far allows storing the outcome, even if that caller has left.
    package var mayBeStored: Bool { state.withLock { $0.mayBeStored } }

    func join(_ caller: Caller, until deadline: Instant = Instant(nanoseconds: .max)) {
        change { state in
            if state.waitingCount == 0 { state.claims = [:] }
            state.waitingCount += 1
            state.claims[caller.claim, default: 0] += 1
            state.deadline = max(state.deadline, deadline)
            if !caller.isPrivate { state.mayBeStored = true }
            if caller.isNamed { state.isNamed = true }
            return state.claims[caller.claim] == 1
        }
    }

    func leave(_ caller: Caller) {
        change { state in
            state.waitingCount -= 1
            guard state.waitingCount > 0, let count = state.claims[caller.claim] else { return false }
            state.claims[caller.claim] = count > 1 ? count - 1 : nil
            return count == 1
        }
    }

    /// Sets a function that is called when the waiting clients or their priorities change.
    func whenClaimsChange(_ body: (@Sendable () -> Void)?) {
        state.withLock { $0.claimsChanged = body }
    }

    private func change(_ body: (inout State) -> Bool) {
        let claimsChanged = state.withLock { body(&$0) ? $0.claimsChanged : nil }
        claimsChanged?()
    }
}

/// The client of a call; capacity is shared fairly between users, and between the programs of a user.
package struct ClientIdentity: Hashable, Sendable {
    package let userID: UInt32
    private let name: ExactText

    package init(userID: UInt32, program: String) {
        self.userID = userID
        name = ExactText(program)
    }

    /// The name that the client announced, or else the name of its process; the client can choose any name.
    package var program: String { name.text }

    package static let daemon = ClientIdentity(userID: .max, program: "searchd")
}

package enum Priority: String, CaseIterable, Sendable {
    /// Calls of this priority start only when no interactive call waits.
    case background
    case interactive

    /// Hashes a Bool, because hashing the raw value takes several times as long.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(self == .interactive)
    }
}

/// Decides which parts of a quota a call may use.
///
/// Background calls, and searches that name no source, must leave a part of each quota unused.
struct CallUrgency: Sendable {
    var priority: Priority
    var isNamed = true
}
