import EventLoop

/// Decides the next step of one call of `fetch`: resolve the name, send, follow a redirect, or fail at a timeout.
///
/// Has no side effects.
struct HTTPTransferMachine {
    enum Phase: Equatable {
        case resolve
        case connect
        case firstByte
        case whole
    }

    enum SendAction: Equatable {
        case announceAndSend
        /// After a redirect, or for a second try on a new connection: `willSend` was already called.
        case send
        case abort
    }

    private enum State {
        case resolving(until: Instant, connected: Instant)
        case connecting(until: Instant)
        case sent(until: Instant)
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

    /// Call this when the name of the server is resolved, for this `fetch` or another one to the same origin.
    mutating func resolved() {
        if case .resolving(_, let connected) = state { state = .connecting(until: connected) }
    }

    var isResolved: Bool {
        if case .resolving = state { false } else { true }
    }

    mutating func readyToSend(now: Instant) -> SendAction {
        switch state {
        case .resolving, .connecting, .sent: state = .sent(until: now.advanced(by: timeouts.firstByte))
        // After the first byte of a response, a second try could give the caller a second response.
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
        case .receiving, .finished: return nil
        }
    }

    mutating func ended() -> Bool {
        guard !isFinished else { return false }
        state = .finished
        return true
    }
}
