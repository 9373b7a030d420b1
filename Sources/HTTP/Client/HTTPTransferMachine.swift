import EventLoop

/// The state of one exchange, from its start to its end.
///
/// Pure. Invariants: `wasSent` is true as soon as a byte of the request may have been sent on any hop. `ended()`
/// returns true exactly once, so the caller gets one outcome. Only `ended()` sets the final state `finished`.
struct HTTPTransferMachine {
    /// The phase that a deadline limits.
    enum Phase: Equatable {
        case resolve
        case connect
        case firstByte
        case whole
    }

    enum SendAction: Equatable {
        /// Call `willSend`, then send the request.
        case announceAndSend
        /// Send the request without `willSend`, for a redirect or a second try on a new connection.
        case send
        /// Do not send the request, because the exchange has ended or has received a response.
        case abort
    }

    private enum State {
        /// The host's name is being resolved, or another exchange opens a connection for this one.
        ///
        /// The next state is `connecting` or `sent`.
        case resolving(until: Instant, connected: Instant)
        /// A connection is being opened, and nothing of this hop was sent; the next state is `sent`.
        case connecting(until: Instant)
        /// The request was sent, at least in part, and nothing was received.
        ///
        /// The next state is `receiving`, or `sent` again on a second try.
        case sent(until: Instant)
        /// A part of the response was received; if it is a redirect, the next state is `resolving`.
        case receiving
        /// The final state, after a response, an error or a cancellation.
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

    /// Whether the request was sent and no byte of a response was received.
    var awaitsResponse: Bool {
        if case .sent = state { true } else { false }
    }

    /// The time at which the exchange times out if nothing happens, or nil after its end.
    var deadline: Instant? {
        switch state {
        case .receiving: wholeDeadline
        case .resolving(let until, let connected): min(until, connected, wholeDeadline)
        case .connecting(let until), .sent(let until): min(until, wholeDeadline)
        case .finished: nil
        }
    }

    /// Starts the next hop after a redirect.
    mutating func redirected(now: Instant) {
        if case .receiving = state { state = Self.begun(timeouts, now) }
    }

    /// Records that the host's name is resolved, by this exchange or by another one with the same origin.
    mutating func resolved() {
        if case .resolving(_, let connected) = state { state = .connecting(until: connected) }
    }

    /// Whether the host's name is resolved or was not needed.
    var isResolved: Bool {
        if case .resolving = state { false } else { true }
    }

    /// Records that the connection is ready, and returns whether to send the request.
    mutating func readyToSend(now: Instant) -> SendAction {
        switch state {
        case .resolving, .connecting, .sent: state = .sent(until: now.advanced(by: timeouts.firstByte))
        // libcurl does not try again after it has received something. If it did, the caller could get a second
        // response.
        case .receiving, .finished: return .abort
        }
        defer { wasSent = true }
        return wasSent ? .send : .announceAndSend
    }

    /// Records that a part of a response's head was received.
    mutating func receivedHead() {
        if case .sent = state { state = .receiving }
    }

    /// Returns the phase that was too slow, or nil if its deadline has not passed.
    func expired(now: Instant) -> Phase? {
        guard let deadline, now >= deadline else { return nil }
        guard deadline < wholeDeadline else { return .whole }
        switch state {
        case .resolving(let until, let connected): return until < connected ? .resolve : .connect
        case .connecting: return .connect
        case .sent: return .firstByte
        // These states have only the deadline of the complete call.
        case .receiving, .finished: return nil
        }
    }

    /// Records the end; returns false if the exchange had ended before, because then the caller already has an outcome.
    mutating func ended() -> Bool {
        guard !isFinished else { return false }
        state = .finished
        return true
    }
}
