import EventLoop

/// The state machine of one exchange.
///
/// Pure. Invariants: `wasSent` is true as soon as a byte of a request may have been sent, in any hop. The caller gets the
/// outcome exactly once. Only `ended()` leads to `finished`, which is final.
struct HTTPTransferMachine {
    /// The purpose of a deadline.
    enum Phase: Equatable {
        case resolve
        case connect
        case firstByte
        case whole
    }

    enum SendAction: Equatable {
        /// Inform the caller, then send the request.
        case announceAndSend
        /// Send the request; the caller was already informed. This is a redirect or a second try on a new connection.
        case send
        /// The exchange has ended. Send nothing.
        case abort
    }

    enum TimerAction: Equatable {
        case expired(Phase)
        /// The deadline is later now; wait for it.
        case wait(until: Instant)
        case nothing
    }

    private enum State {
        /// Resolves the host, or waits for another exchange's connection. Next: connecting or sent.
        case resolving(until: Instant, connected: Instant)
        /// Opens a connection; nothing of this hop was sent. Next: sent.
        case connecting(until: Instant)
        /// Sends the request; nothing was received. Next: receiving, or the same state on a second try.
        case sent(until: Instant)
        /// Receives the response. Next: connecting, if it is a redirect.
        case receiving
        /// Answered, failed or cancelled. Final.
        case finished
    }

    private var state: State
    private let timeouts: FetchTimeouts
    private let wholeDeadline: Instant
    private(set) var wasSent = false

    init(timeouts: FetchTimeouts, now: Instant) {
        self.timeouts = timeouts
        wholeDeadline = now.advanced(by: timeouts.whole)
        state = Self.begun(timeouts, now)
    }

    private static func begun(_ timeouts: FetchTimeouts, _ now: Instant) -> State {
        .resolving(until: now.advanced(by: timeouts.resolve), connected: now.advanced(by: timeouts.connect))
    }

    var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    /// Whether it waits for the first byte of a response.
    var awaitsResponse: Bool {
        if case .sent = state { true } else { false }
    }

    /// The next deadline; nil if it has ended.
    var deadline: Instant? {
        switch state {
        case .receiving: wholeDeadline
        case .resolving(let until, let connected): min(until, connected, wholeDeadline)
        case .connecting(let until), .sent(let until): min(until, wholeDeadline)
        case .finished: nil
        }
    }

    /// Continues with the next hop after a redirect.
    mutating func redirected(now: Instant) {
        if case .receiving = state { state = Self.begun(timeouts, now) }
    }

    /// The host is resolved, by this exchange or by another one with the same origin.
    mutating func resolved() {
        if case .resolving(_, let connected) = state { state = .connecting(until: connected) }
    }

    /// Whether the host is resolved or did not need to be.
    var isResolved: Bool {
        if case .resolving = state { false } else { true }
    }

    /// The connection is established and the request is about to be written.
    mutating func readyToSend(now: Instant) -> SendAction {
        switch state {
        case .resolving, .connecting, .sent: state = .sent(until: now.advanced(by: timeouts.firstByte))
        // libcurl does not retry after it has received something. If it did, a second response must not follow.
        case .receiving, .finished: return .abort
        }
        defer { wasSent = true }
        return wasSent ? .send : .announceAndSend
    }

    /// Part of a response head was received.
    mutating func receivedHead() {
        if case .sent = state { state = .receiving }
    }

    /// The timer for `deadline`, or for an earlier one, has fired.
    mutating func timerFired(now: Instant) -> TimerAction {
        guard let deadline else { return .nothing }
        guard now >= deadline else { return .wait(until: deadline) }
        guard deadline < wholeDeadline else { return .expired(.whole) }
        switch state {
        case .resolving(let until, let connected): return .expired(until < connected ? .resolve : .connect)
        case .connecting: return .expired(.connect)
        case .sent: return .expired(.firstByte)
        // These states have only the total deadline.
        case .receiving, .finished: return .nothing
        }
    }

    /// Ends the exchange; returns false if it had already ended and the caller has its outcome.
    mutating func ended() -> Bool {
        guard !isFinished else { return false }
        state = .finished
        return true
    }
}
