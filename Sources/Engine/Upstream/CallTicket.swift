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
        /// Is told what happens to the call, on the loop.
        package let tell: (@Sendable (CallEvent) -> Void)?

        package init(
            client: ClientIdentity = .daemon,
            priority: Priority = .interactive,
            tell: (@Sendable (CallEvent) -> Void)? = nil
        ) {
            self.client = client
            self.priority = priority
            self.tell = tell
        }
    }

    private struct Waiting {
        let caller: Caller
        let deadline: Instant?
    }

    private struct State {
        var waiting: [UInt64: Waiting] = [:]
        var priority: Priority
        var deadline: Instant?
        var isSent = false
        var changed: (@Sendable () -> Void)?
    }

    /// Who asked first; the call is counted as this client's.
    package let client: ClientIdentity
    private let whenSent: (@Sendable () -> Void)?
    private let state: Locked<State>

    /// - Parameters:
    ///   - caller: The first of its callers, who has yet to join.
    ///   - whenSent: Is called once, on the loop, when the call goes out.
    package init(for caller: Caller = Caller(), whenSent: (@Sendable () -> Void)? = nil) {
        client = caller.client
        self.whenSent = whenSent
        state = Locked(State(priority: caller.priority))
    }

    /// The most urgent of those who wait.
    package var priority: Priority { state.withLock { $0.priority } }
    /// When the last of them stops waiting; nil when one waits as long as it takes.
    package var deadline: Instant? { state.withLock { $0.deadline } }

    /// Whether it has gone out, so that it is paid for.
    package var isSent: Bool { state.withLock { $0.isSent } }

    /// A caller waits for the call, until its deadline if it has one.
    package func join(_ caller: Caller, until deadline: Instant? = nil, as number: UInt64 = 0) {
        change { $0[number] = Waiting(caller: caller, deadline: deadline) }
    }

    /// A caller waits no longer.
    package func leave(_ number: UInt64) {
        change { $0[number] = nil }
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

    /// Tells all who wait.
    package func tell(_ event: CallEvent) {
        for waiting in state.withLock({ Array($0.waiting.values) }) { waiting.caller.tell?(event) }
    }

    /// Calls back whenever the priority or the deadline has changed; one listener, the place where the call waits.
    package func whenChanged(_ listener: (@Sendable () -> Void)?) {
        state.withLock { $0.changed = listener }
    }

    private func change(_ waiting: (inout [UInt64: Waiting]) -> Void) {
        let listener: (@Sendable () -> Void)? = state.withLock { state in
            waiting(&state.waiting)
            guard !state.waiting.isEmpty else { return nil }
            let before = (state.priority, state.deadline)
            state.priority = state.waiting.values.map(\.caller.priority).max() ?? state.priority
            let deadlines = state.waiting.values.map(\.deadline)
            state.deadline = deadlines.contains(nil) ? nil : deadlines.compactMap { $0 }.max()
            return before == (state.priority, state.deadline) ? nil : state.changed
        }
        listener?()
    }
}
