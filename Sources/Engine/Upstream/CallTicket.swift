package import EventLoop

/// One upstream call as those see it who make it wait: for whom it is made, how urgently, until when.
///
/// Callers come and go while it waits; what it says is always of those who wait now, and of the last ones when all have
/// gone. From any thread.
package final class CallTicket: Sendable {
    /// One of those who wait.
    package struct Caller: Sendable {
        package let client: ClientIdentity
        package let priority: Priority
        /// Whether nothing of it may be kept on this caller's account.
        package let isPrivate: Bool
        /// How many hits of the page it is for, the first ones, will be wanted at once.
        package let hitsWanted: Int
        /// Is told what happens to the call, on the loop.
        package let tell: (@Sendable (CallEvent) -> Void)?

        package init(
            client: ClientIdentity = .daemon,
            priority: Priority = .interactive,
            isPrivate: Bool = false,
            hitsWanted: Int = .max,
            tell: (@Sendable (CallEvent) -> Void)? = nil
        ) {
            self.client = client
            self.priority = priority
            self.isPrivate = isPrivate
            self.hitsWanted = hitsWanted
            self.tell = tell
        }
    }

    /// A client that waits for the call, and how urgently.
    package struct Claim: Hashable, Sendable {
        package let client: ClientIdentity
        package let priority: Priority

        package init(client: ClientIdentity, priority: Priority) {
            self.client = client
            self.priority = priority
        }
    }

    /// What is told along the way of a call to who keeps a place for it.
    package enum Progress: Sendable {
        /// The source's limits have let it through.
        case passed
        case event(CallEvent)
    }

    private struct State {
        var waiting = CallWaiters()
        var isSent = false
        var changed: (@Sendable () -> Void)?
        var progressed: (@Sendable (Progress) -> Void)?
    }

    /// Who asked first.
    package let client: ClientIdentity
    /// How many hits the first caller will want at once; nobody gets fewer in the end.
    package let hitsWanted: Int
    /// When the call ends at the latest, whatever its callers' deadlines.
    private let cap: Instant
    private let whenSent: (@Sendable () -> Void)?
    private let state: Locked<State>

    /// - Parameters:
    ///   - caller: The first of its callers, who has yet to join.
    ///   - cap: When it ends at the latest.
    ///   - whenSent: Is called once, on the loop, when the call goes out.
    package init(
        for caller: Caller = Caller(),
        cap: Instant = Instant(nanoseconds: .max),
        whenSent: (@Sendable () -> Void)? = nil
    ) {
        client = caller.client
        hitsWanted = caller.hitsWanted
        self.cap = cap
        self.whenSent = whenSent
        state = Locked(State(waiting: CallWaiters(first: caller)))
    }

    /// The most urgent of those who wait.
    package var priority: Priority { state.withLock { $0.waiting.priority } }
    /// When the last of them stops waiting, or the call is ended before; nil when neither ever happens.
    package var deadline: Instant? {
        let latest = state.withLock { $0.waiting.deadline }
        guard cap < Instant(nanoseconds: .max) else { return latest }
        return min(latest ?? cap, cap)
    }
    /// The clients who wait, each as urgently as its callers do.
    package var claims: Set<Claim> { state.withLock { $0.waiting.claims } }
    /// Whether any of its callers ever let what comes of it be kept.
    package var mayBeKept: Bool { state.withLock { $0.waiting.mayBeKept } }

    /// Whether it has gone out, so that it is paid for.
    package var isSent: Bool { state.withLock { $0.isSent } }

    /// A caller waits for the call, until its deadline if it has one.
    package func join(_ caller: Caller, until deadline: Instant? = nil, as number: UInt64 = 0) {
        change { $0.join(caller, until: deadline, as: number) }
    }

    /// A caller waits no longer.
    package func leave(_ number: UInt64) {
        change { $0.leave(number) }
    }

    /// The source's limits let the call through; on the loop.
    package func passed() {
        state.withLock { $0.progressed }?(.passed)
    }

    /// The request goes out; on the loop.
    ///
    /// Until then a cancellation costs nothing; from here on the call is paid for. A retry changes nothing.
    package func sent() {
        let isFirst = state.withLock { state in
            defer { state.isSent = true }
            return !state.isSent
        }
        if isFirst { whenSent?() }
        tell(.sent)
    }

    /// Tells all who wait; on the loop.
    package func tell(_ event: CallEvent) {
        let (listeners, progressed) = state.withLock { ($0.waiting.listeners, $0.progressed) }
        progressed?(.event(event))
        for listener in listeners { listener(event) }
    }

    /// Calls back whenever the clients, their priority or the deadline have changed; one listener, the place where the
    /// call waits.
    package func whenChanged(_ listener: (@Sendable () -> Void)?) {
        state.withLock { $0.changed = listener }
    }

    /// Calls back, on the loop, when the call gets on or is held up; one listener, who keeps its place meanwhile.
    package func whenProgressed(_ listener: (@Sendable (Progress) -> Void)?) {
        state.withLock { $0.progressed = listener }
    }

    private func change(_ body: (inout CallWaiters) -> Bool) {
        let listener = state.withLock { body(&$0.waiting) ? $0.changed : nil }
        listener?()
    }
}
