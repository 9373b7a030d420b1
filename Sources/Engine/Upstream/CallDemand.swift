import EventLoop

/// What the waiters of an upstream call want of it: for whom it is made, how urgently, until when.
///
/// It is passed down to where the call waits. Waiters come and go meanwhile; it describes the present ones, and the
/// last ones when all have left. From any thread.
package final class CallDemand: Sendable {
    /// A caller that waits for the call.
    struct Caller: Sendable {
        var client = ClientIdentity.daemon
        var priority = Priority.interactive
        /// Whether nothing of it may be kept on this caller's account.
        var isPrivate = false
        /// How many of the page's first hits the caller wants at once.
        var hitsWanted = Int.max
    }

    /// A client that waits for the call, and how urgently.
    struct Claim: Hashable, Sendable {
        let client: ClientIdentity
        let priority: Priority
    }

    private struct State {
        var waiters: CallWaiters
        var changed: (@Sendable () -> Void)?
    }

    /// How many hits the first caller wants at once; every caller gets at least as many.
    package let hitsWanted: Int
    /// When the call ends at the latest, whatever its callers' deadlines.
    private let cap: Instant
    private let state: Locked<State>

    /// A call that its first caller has yet to join, and that ends at `cap` at the latest.
    init(for caller: Caller, cap: Instant = Instant(nanoseconds: .max)) {
        hitsWanted = caller.hitsWanted
        self.cap = cap
        state = Locked(State(waiters: CallWaiters(first: caller)))
    }

    /// Of the daemon itself, as long as it takes.
    package convenience init() {
        self.init(for: Caller())
    }

    /// That of the most urgent waiter.
    var priority: Priority { state.withLock { $0.waiters.priority } }
    /// When the last waiter leaves, or the call is ended before; nil when neither ever happens.
    var deadline: Instant? {
        let latest = state.withLock { $0.waiters.deadline }
        guard cap < Instant(nanoseconds: .max) else { return latest }
        return min(latest ?? cap, cap)
    }
    /// The clients that wait, each as urgently as its callers do.
    var claims: Set<Claim> { state.withLock { $0.waiters.claims } }
    /// Whether any caller so far, gone or not, lets the outcome be kept.
    var mayBeKept: Bool { state.withLock { $0.waiters.mayBeKept } }

    /// A caller waits for the call, until its deadline if it has one.
    func join(_ caller: Caller, until deadline: Instant? = nil, as number: UInt64 = 0) {
        change { $0.join(caller, until: deadline, as: number) }
    }

    /// A caller waits no longer.
    func leave(_ number: UInt64) {
        change { $0.leave(number) }
    }

    /// Calls back whenever the clients, their priority or the deadline have changed; one listener: where the call
    /// waits.
    func whenChanged(_ listener: (@Sendable () -> Void)?) {
        state.withLock { $0.changed = listener }
    }

    private func change(_ body: (inout CallWaiters) -> Bool) {
        let listener = state.withLock { body(&$0.waiters) ? $0.changed : nil }
        listener?()
    }
}
