package import EventLoop

/// One upstream call as those see it who make it wait: for whom it is made, how urgently, until when.
///
/// Callers come and go while it waits. From any thread.
///
/// - Complexity: O(1) for joining and leaving: thousands may wait for one call.
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

    private struct State {
        var callers: [UInt64: Caller] = [:]
        /// How many of them are interactive.
        var interactiveCount = 0
        var priority: Priority
        var deadline: Deadline = .instant(Instant(nanoseconds: 0))
        var isSent = false
        var changed: (@Sendable () -> Void)?
    }

    /// Ordered: no deadline is later than every instant.
    private enum Deadline: Comparable {
        case instant(Instant)
        case none
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

    /// The most urgent of those who wait; what it last was when all have left.
    package var priority: Priority { state.withLock { $0.priority } }
    /// The latest instant until which anyone who ever waited would; nil when one would as long as it takes.
    package var deadline: Instant? {
        state.withLock { state in
            if case .instant(let instant) = state.deadline { instant } else { nil }
        }
    }

    /// Whether it has gone out, so that it is paid for.
    package var isSent: Bool { state.withLock { $0.isSent } }

    /// A caller waits for the call, until its deadline if it has one.
    package func join(_ caller: Caller, until deadline: Instant? = nil, as number: UInt64 = 0) {
        change { state in
            state.callers[number] = caller
            if caller.priority == .interactive { state.interactiveCount += 1 }
            state.deadline = max(state.deadline, deadline.map { .instant($0) } ?? .none)
        }
    }

    /// A caller waits no longer.
    package func leave(_ number: UInt64) {
        change { state in
            if state.callers.removeValue(forKey: number)?.priority == .interactive { state.interactiveCount -= 1 }
        }
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
        for caller in state.withLock({ Array($0.callers.values) }) { caller.tell?(event) }
    }

    /// Calls back whenever the priority or the deadline has changed; one listener, the place where the call waits.
    package func whenChanged(_ listener: (@Sendable () -> Void)?) {
        state.withLock { $0.changed = listener }
    }

    private func change(_ body: (inout State) -> Void) {
        let listener: (@Sendable () -> Void)? = state.withLock { state in
            let before = (state.priority, state.deadline)
            body(&state)
            if !state.callers.isEmpty { state.priority = state.interactiveCount > 0 ? .interactive : .background }
            return before == (state.priority, state.deadline) ? nil : state.changed
        }
        listener?()
    }
}
