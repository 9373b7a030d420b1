package import EventLoop

/// Who waits for an upstream call, how urgently, and until when.
///
/// It goes down with the call to the place where the call waits. Callers come and go meanwhile; it describes the
/// present ones, or the last ones after all have left. From any thread.
package final class CallDemand: Sendable {
    /// A caller that waits for the call.
    package struct Caller: Sendable {
        package var client = ClientIdentity.daemon
        package var priority = Priority.interactive
        /// Whether nothing may be kept for this caller.
        package var isPrivate = false
        /// How many of the page's first hits the caller wants at once.
        package var hitsWanted = Int.max

        package init(
            client: ClientIdentity = .daemon,
            priority: Priority = .interactive,
            isPrivate: Bool = false,
            hitsWanted: Int = .max
        ) {
            self.client = client
            self.priority = priority
            self.isPrivate = isPrivate
            self.hitsWanted = hitsWanted
        }
    }

    /// A client that waits for the call, and how urgently.
    package struct Claim: Hashable, Sendable {
        let client: ClientIdentity
        let priority: Priority
    }

    /// Invariant: while a caller waits, `claims` counts the waiting callers by their claims, and nothing else.
    private struct State {
        var waiting: [UInt64: Claim] = [:]
        var claims: [Claim: Int]
        /// The latest of any caller so far.
        var deadline = Instant(nanoseconds: 0)
        var mayBeKept = false
        var whenChanged: (@Sendable () -> Void)?
    }

    /// How many hits the first caller wants at once; every caller gets at least as many.
    package let hitsWanted: Int
    /// When the call ends at the latest, whatever its callers' deadlines.
    private let cap: Instant
    private let state: Locked<State>

    /// A call that its first caller has yet to join, and that ends at `cap` at the latest.
    package init(for caller: Caller = Caller(), cap: Instant = Instant(nanoseconds: .max)) {
        hitsWanted = caller.hitsWanted
        self.cap = cap
        state = Locked(State(claims: [Claim(client: caller.client, priority: caller.priority): 0]))
    }

    /// That of the most urgent caller.
    package var priority: Priority {
        state.withLock { $0.claims.keys.contains { $0.priority == .interactive } ? .interactive : .background }
    }
    /// When the last caller leaves, or the call is ended before; `cap` before the first caller has joined.
    package var deadline: Instant {
        state.withLock { $0.deadline.nanoseconds == 0 ? cap : min($0.deadline, cap) }
    }
    /// The clients that wait, each as urgently as its callers do.
    var claims: Set<Claim> { state.withLock { Set($0.claims.keys) } }
    /// Whether any caller so far, gone or not, lets the outcome be kept.
    package var mayBeKept: Bool { state.withLock { $0.mayBeKept } }

    /// A caller waits for the call, until its deadline if it has one.
    func join(_ caller: Caller, until deadline: Instant? = nil, as number: UInt64 = 0) {
        change { state in
            if state.waiting.isEmpty { state.claims = [:] }
            let claim = Claim(client: caller.client, priority: caller.priority)
            let before = (state.claims[claim], state.deadline)
            state.waiting[number] = claim
            state.claims[claim, default: 0] += 1
            state.deadline = max(state.deadline, deadline ?? Instant(nanoseconds: .max))
            if !caller.isPrivate { state.mayBeKept = true }
            return before.0 == nil || before.1 != state.deadline
        }
    }

    /// A caller waits no longer.
    func leave(_ number: UInt64) {
        change { state in
            guard let claim = state.waiting.removeValue(forKey: number), !state.waiting.isEmpty,
                let count = state.claims[claim]
            else { return false }
            state.claims[claim] = count > 1 ? count - 1 : nil
            return count == 1
        }
    }

    /// Calls back when the clients, their priority or the deadline have changed; for the step where the call waits.
    func whenChanged(_ listener: (@Sendable () -> Void)?) {
        state.withLock { $0.whenChanged = listener }
    }

    private func change(_ body: (inout State) -> Bool) {
        let listener = state.withLock { body(&$0) ? $0.whenChanged : nil }
        listener?()
    }
}
