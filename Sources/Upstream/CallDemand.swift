package import EventLoop
import JSON

/// The callers that wait for one upstream call; thread-safe.
package final class CallDemand: Sendable {
    package struct Caller: Sendable {
        package var client: ClientIdentity
        package var priority: Priority
        package var isPrivate: Bool
        /// Whether the caller chose the source by name.
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

    /// The client and the priority of a caller, which decide when its call starts.
    package struct Claim: Hashable, Sendable {
        let client: ClientIdentity
        let priority: Priority
    }

    /// When the last caller leaves, its claim stays in `claims`, because the running call needs a client.
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
    /// The highest priority of the callers, and whether one of them named the source; the other members are defaults.
    var urgency: Caller { Caller(priority: priority, isNamed: state.withLock { $0.isNamed }) }
    package var deadline: Instant { state.withLock { $0.deadline } }
    var claims: Set<Claim> { state.withLock { Set($0.claims.keys) } }
    var users: Set<UInt32> { state.withLock { Set($0.claims.keys.lazy.map(\.client.userID)) } }
    /// Whether at least one caller allows storing the outcome, even if that caller has left.
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

    func whenClaimsChange(_ body: (@Sendable () -> Void)?) {
        state.withLock { $0.claimsChanged = body }
    }

    private func change(_ body: (inout State) -> Bool) {
        let claimsChanged = state.withLock { body(&$0) ? $0.claimsChanged : nil }
        claimsChanged?()
    }
}

/// The user and the program that make a call; capacity is shared between users, and between programs of a user.
package struct ClientIdentity: Hashable, Sendable {
    package let userID: UInt32
    private let name: ExactText

    package init(userID: UInt32, program: String) {
        self.userID = userID
        name = ExactText(program)
    }

    /// Not verified: a client can announce any name.
    package var program: String { name.text }

    package static let daemon = ClientIdentity(userID: .max, program: "searchd")
}

package enum Priority: String, CaseIterable, Sendable {
    /// Starts only when no interactive call waits.
    case background
    case interactive

    package func hash(into hasher: inout Hasher) {
        hasher.combine(self == .interactive)
    }
}
