package import EventLoop
import JSON

/// The callers that wait for one upstream call, with their priorities and deadlines.
///
/// It belongs to the call during all steps, while callers join and leave. After all have left, it still describes the
/// last caller. It is the only place that counts callers. Thread-safe.
package final class CallDemand: Sendable {
    /// A caller that waits for the call.
    package struct Caller: Sendable {
        package var client: ClientIdentity
        package var priority: Priority
        /// Whether this caller does not allow storing the outcome.
        package var isPrivate: Bool
        /// Whether the caller named the source, so that its call may use the reserve of a quota.
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

    /// A client that waits for the call, with a priority.
    package struct Claim: Hashable, Sendable {
        let client: ClientIdentity
        let priority: Priority
    }

    /// Invariant: while a caller waits, `claims` has the number of waiting callers per claim, and nothing else.
    private struct State {
        var claims: [Claim: Int]
        var waitingCount = 1
        /// The latest deadline of all callers so far.
        var deadline: Instant
        var mayBeStored: Bool
        var isNamed: Bool
        var claimsChanged: (@Sendable () -> Void)?
    }

    private let state: Locked<State>

    /// Creates a call with one caller that waits until the deadline.
    package init(for caller: Caller = Caller(), until deadline: Instant = Instant(nanoseconds: .max)) {
        let mayBeStored = !caller.isPrivate
        state = Locked(
            State(claims: [caller.claim: 1], deadline: deadline, mayBeStored: mayBeStored, isNamed: caller.isNamed)
        )
    }

    /// The priority of the most urgent caller.
    package var priority: Priority {
        state.withLock { $0.claims.keys.contains { $0.priority == .interactive } ? .interactive : .background }
    }
    /// The priority of the most urgent caller, and whether any caller so far named the source.
    var urgency: CallUrgency { CallUrgency(priority: priority, isNamed: state.withLock { $0.isNamed }) }
    /// The latest deadline of all callers so far.
    package var deadline: Instant { state.withLock { $0.deadline } }
    /// The waiting clients, each with every priority of its callers.
    var claims: Set<Claim> { state.withLock { Set($0.claims.keys) } }
    /// The users of the waiting clients.
    var users: Set<UInt32> { state.withLock { Set($0.claims.keys.lazy.map(\.client.userID)) } }
    /// Whether any caller so far, even one that has left, allows storing the outcome.
    package var mayBeStored: Bool { state.withLock { $0.mayBeStored } }

    /// Adds a caller that waits for the call until its deadline.
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

    /// Removes a caller.
    func leave(_ caller: Caller) {
        change { state in
            state.waitingCount -= 1
            guard state.waitingCount > 0, let count = state.claims[caller.claim] else { return false }
            state.claims[caller.claim] = count > 1 ? count - 1 : nil
            return count == 1
        }
    }

    /// Sets a function to call when the waiting clients or their priorities change; the queue uses it.
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

    /// The name that the client announced, or the name of its process; a client can announce any name.
    package var program: String { name.text }

    /// The client of calls for which no client waits.
    package static let daemon = ClientIdentity(userID: .max, program: "searchd")
}

/// How urgently a caller wants its answer.
package enum Priority: String, CaseIterable, Sendable {
    /// Uses only capacity that no interactive caller needs.
    case background
    case interactive

    /// Hashes a Bool instead of the raw value, which takes several times as long.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(self == .interactive)
    }
}

/// Which parts of a quota a call may use: background calls and searches that name no source leave some unused.
struct CallUrgency: Sendable {
    var priority: Priority
    /// Whether a caller named the source.
    var isNamed = true
}
