package import EventLoop

/// Who waits for an upstream call, how urgently, and until when; the one place that counts callers.
///
/// It accompanies the call through all steps. Callers come and go meanwhile: it describes those that wait, or the last
/// one after all have left. From any thread.
package final class CallDemand: Sendable {
    /// A caller that waits for the call.
    package struct Caller: Sendable {
        package var client: ClientIdentity
        package var priority: Priority
        /// Whether nothing may be kept for this caller.
        package var isPrivate: Bool

        package init(
            client: ClientIdentity = .daemon,
            priority: Priority = .interactive,
            isPrivate: Bool = false
        ) {
            self.client = client
            self.priority = priority
            self.isPrivate = isPrivate
        }

        var claim: Claim { Claim(client: client, priority: priority) }
    }

    /// A client that waits for the call, and how urgently.
    package struct Claim: Hashable, Sendable {
        let client: ClientIdentity
        let priority: Priority
    }

    /// Invariant: while a caller waits, `claims` counts the waiting callers by their claims, and nothing else.
    private struct State {
        var claims: [Claim: Int]
        var waitingCount = 0
        /// The latest of any caller so far.
        var deadline: Instant?
        var mayBeKept = false
        var wake: (@Sendable () -> Void)?
    }

    /// When the call ends at the latest, whatever its callers' deadlines.
    private let cap: Instant
    private let state: Locked<State>

    /// A call that its first caller has yet to join, and that ends at `cap` at the latest.
    package init(for caller: Caller = Caller(), cap: Instant = Instant(nanoseconds: .max)) {
        self.cap = cap
        state = Locked(State(claims: [caller.claim: 0]))
    }

    /// That of the most urgent caller.
    package var priority: Priority {
        state.withLock { $0.claims.keys.contains { $0.priority == .interactive } ? .interactive : .background }
    }
    /// When the last caller leaves, or the call is ended before.
    package var deadline: Instant { state.withLock { min($0.deadline ?? cap, cap) } }
    /// The clients that wait, each as urgently as its callers do.
    var claims: Set<Claim> { state.withLock { Set($0.claims.keys) } }
    /// The users who wait.
    var users: Set<UInt32> { state.withLock { Set($0.claims.keys.lazy.map(\.client.userID)) } }
    /// Whether a caller waits.
    var isWanted: Bool { state.withLock { $0.waitingCount > 0 } }
    /// Whether any caller so far, gone or not, lets the outcome be kept.
    package var mayBeKept: Bool { state.withLock { $0.mayBeKept } }

    /// A caller waits for the call, until its deadline if it has one.
    func join(_ caller: Caller, until deadline: Instant? = nil) {
        change { state in
            if state.waitingCount == 0 { state.claims = [:] }
            let before = (state.claims[caller.claim], state.deadline)
            state.waitingCount += 1
            state.claims[caller.claim, default: 0] += 1
            state.deadline = max(state.deadline ?? Instant(nanoseconds: 0), deadline ?? Instant(nanoseconds: .max))
            if !caller.isPrivate { state.mayBeKept = true }
            return before.0 == nil || before.1 != state.deadline
        }
    }

    /// A caller waits no longer.
    func leave(_ caller: Caller) {
        change { state in
            state.waitingCount -= 1
            guard state.waitingCount > 0, let count = state.claims[caller.claim] else { return false }
            state.claims[caller.claim] = count > 1 ? count - 1 : nil
            return count == 1
        }
    }

    /// Wakes the step where the call waits when its clients, their priority or the deadline have changed.
    func whenChanged(_ wake: (@Sendable () -> Void)?) {
        state.withLock { $0.wake = wake }
    }

    private func change(_ body: (inout State) -> Bool) {
        let wake = state.withLock { body(&$0) ? $0.wake : nil }
        wake?()
    }
}
