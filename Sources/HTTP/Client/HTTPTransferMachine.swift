import EventLoop

/// The state of one call of `fetch` with its redirects; the type has no side effects.
///
/// Invariants: `wasSent` is true as soon as a byte of any request may have been sent. `ended()` returns true exactly
/// once, so the caller gets one outcome. Only `ended()` sets the final state `finished`.
struct HTTPTransferMachine {
    enum Phase: Equatable {
        case resolve
        case connect
        case firstByte
        case whole
    }

    enum SendAction: Equatable {
        case announceAndSend
        /// Send the request without calling `willSend`, for a redirect or a second try on a new connection.
        case send
        /// Do not send the request, because the exchange has ended or has received a response.
        case abort
    }

    private enum State {
        /// The host's name is being resolved, or another exchange opens a connection for this exchange.
        case resolving(until: Instant, connected: Instant)
        /// A connection is being opened, and nothing of this hop was sent. The next state is `sent`.
        case connecting(until: Instant)
        /// A part of the request was sent, and nothing was received; a second try can return to this state.
        case sent(until: Instant)
        /// A part of the response was received. If the response is a redirect, the next state is `resolving`.
        case receiving
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

    var awaitsResponse: Bool {
        if case .sent = state { true } else { false }
    }

    /// When the exchange times out if nothing happens; nil if it has ended.
    var deadline: Instant? {
        switch state {
        case .receiving: wholeDeadline
        case .resolving(let until, let connected): min(until, connected, wholeDeadline)
        case .connecting(let until), .sent(let until): min(until, wholeDeadline)
        case .finished: nil
        }
    }

    mutating func redirected(now: Instant) {
        if case .receiving = state { state = Self.begun(timeouts, now) }
    }

    /// Records that the host's name is resolved, by this exchange or by another exchange with the same origin.
    mutating func resolved() {
        if case .resolving(_, let connected) = state { state = .connecting(until: connected) }
    }

    var isResolved: Bool {
        if case .resolving = state { false } else { true }
    }

    mutating func readyToSend(now: Instant) -> SendAction {
        switch state {
        case .resolving, .connecting, .sent: state = .sent(until: now.advanced(by: timeouts.firstByte))
        // A second try must not follow a received byte, because the caller could get a second response.
        case .receiving, .finished: return .abort
        }
        defer { wasSent = true }
        return wasSent ? .send : .announceAndSend
    }

    mutating func receivedHead() {
        if case .sent = state { state = .receiving }
    }

    func expired(now: Instant) -> Phase? {
        guard let deadline, now >= deadline else { return nil }
        guard deadline < wholeDeadline else { return .whole }
        switch state {
        case .resolving(let until, let connected): return until < connected ? .resolve : .connect
        case .connecting: return .connect
        case .sent: return .firstByte
        // Only the deadline of the complete call limits these states.
        case .receiving, .finished: return nil
        }
    }

    /// Records the end; returns false if the exchange had already ended.
    mutating func ended() -> Bool {
        guard !isFinished else { return false }
        state = .finished
        return true
    }
}
