import EventLoop

/// The state of one exchange, from its start to its end.
///
/// Pure. Invariant: `wasSent` is true from the first moment at which a byte of a request may have left, over all hops;
/// the caller learns the outcome exactly once; and nothing but `ended()` leads to `finished`, which is final.
struct HTTPTransferMachine {
    /// The phase that a deadline limits.
    enum Phase: Equatable {
        case resolve
        case connect
        case firstByte
        case whole
    }

    enum SendAction: Equatable {
        /// Tell the caller that the request is about to leave, then let it leave.
        case announceAndSend
        /// Let it leave; the caller knows: a hop of a redirect, or a second try on a fresh connection.
        case send
        /// The exchange has ended meanwhile: nothing may leave.
        case abort
    }

    private enum State {
        /// The host's name is looked up, or another exchange opens a connection for this one; can transition to
        /// connecting and to sent.
        case resolving(until: Instant, connected: Instant)
        /// A connection is opened, nothing of this hop has left; can transition to sent.
        case connecting(until: Instant)
        /// The request leaves or has left, nothing has come; can transition to receiving, or to itself on a second try.
        case sent(until: Instant)
        /// The response has begun; can transition to connecting when it turns out to be a redirect.
        case receiving
        /// Answered, failed or left; final.
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

    /// Whether the next thing to happen is the first byte of a response.
    var awaitsResponse: Bool {
        if case .sent = state { true } else { false }
    }

    /// The next moment at which it fails for slowness unless something happens; nil when it has ended.
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

    /// The host's name is known, to this exchange or to another one with the same origin.
    mutating func resolved() {
        if case .resolving(_, let connected) = state { state = .connecting(until: connected) }
    }

    /// Whether the host's name is known or was not needed.
    var isResolved: Bool {
        if case .resolving = state { false } else { true }
    }

    /// The connection is there and the request is about to be written.
    mutating func readyToSend(now: Instant) -> SendAction {
        switch state {
        case .resolving, .connecting, .sent: state = .sent(until: now.advanced(by: timeouts.firstByte))
        // Once something was received libcurl does not try again; if ever it should, a second answer must not follow.
        case .receiving, .finished: return .abort
        }
        defer { wasSent = true }
        return wasSent ? .send : .announceAndSend
    }

    /// Something of a response's head has come.
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
        // These have no deadline but the whole's.
        case .receiving, .finished: return nil
        }
    }

    /// Records the end; returns false if it had ended before, and the caller has its outcome.
    mutating func ended() -> Bool {
        guard !isFinished else { return false }
        state = .finished
        return true
    }
}
