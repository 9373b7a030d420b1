import EventLoop

/// Where one exchange stands, from the queue to its end.
///
/// Pure. Invariant: `wasSent` is true from the first moment at which a byte of a request may have left, over all hops;
/// the caller learns the outcome exactly once; and nothing but `ended()` leads to `finished`, which is final.
struct HTTPTransferMachine {
    /// What a deadline is for.
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

    enum TimerAction: Equatable {
        case expired(Phase)
        /// The deadline has moved on meanwhile; wait for this one.
        case wait(until: Instant)
        case nothing
    }

    private enum State {
        /// Waits for a permit; can transition to connecting when it is started.
        case queued
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

    private var state = State.queued
    private let timeouts: FetchTimeouts
    private let wholeDeadline: Instant
    private(set) var times: ExchangeTimes
    private(set) var wasSent = false

    init(timeouts: FetchTimeouts, now: Instant) {
        self.timeouts = timeouts
        wholeDeadline = now.advanced(by: timeouts.whole)
        times = ExchangeTimes(asked: now)
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
        case .queued, .receiving: wholeDeadline
        case .resolving(let until, let connected): min(until, connected, wholeDeadline)
        case .connecting(let until), .sent(let until): min(until, wholeDeadline)
        case .finished: nil
        }
    }

    /// Started, or goes to the next hop.
    mutating func started(now: Instant) {
        switch state {
        case .queued, .receiving:
            state = .resolving(
                until: now.advanced(by: timeouts.resolve),
                connected: now.advanced(by: timeouts.connect)
            )
        case .finished: return
        // Only what waits or what has been answered with a redirect is given a connection.
        case .resolving, .connecting, .sent: preconditionFailure("started while \(state)")
        }
        if times.started == nil { times.started = now }
    }

    /// The host's name is known, to this exchange or to another one with the same origin.
    mutating func resolved() {
        if case .resolving(_, let connected) = state { state = .connecting(until: connected) }
    }

    /// Whether the host's name is known or was not needed.
    var isResolved: Bool {
        switch state {
        case .queued, .resolving: false
        case .connecting, .sent, .receiving, .finished: true
        }
    }

    /// The connection is there and the request is about to be written.
    mutating func readyToSend(now: Instant) -> SendAction {
        switch state {
        case .resolving, .connecting, .sent: state = .sent(until: now.advanced(by: timeouts.firstByte))
        // Once something was received libcurl does not try again; if ever it should, a second answer must not follow.
        case .receiving, .finished: return .abort
        // libcurl sends only what was added to it.
        case .queued: preconditionFailure("ready to send while queued")
        }
        if times.connected == nil { times.connected = now }
        defer { wasSent = true }
        return wasSent ? .send : .announceAndSend
    }

    /// Something of a response's head has come.
    mutating func receivedHead(now: Instant) {
        guard case .sent = state else { return }
        state = .receiving
        if times.firstByte == nil { times.firstByte = now }
    }

    /// The timer set for `deadline`, or for an earlier one, has fired.
    mutating func timerFired(now: Instant) -> TimerAction {
        guard let deadline else { return .nothing }
        guard now >= deadline else { return .wait(until: deadline) }
        guard deadline < wholeDeadline else { return .expired(.whole) }
        switch state {
        case .resolving(let until, let connected): return .expired(until < connected ? .resolve : .connect)
        case .connecting: return .expired(.connect)
        case .sent: return .expired(.firstByte)
        // These have no deadline but the whole's.
        case .queued, .receiving, .finished: return .nothing
        }
    }

    /// It is over, whatever the reason; false when it was over before, and then the caller has its outcome already.
    mutating func ended(now: Instant) -> Bool {
        guard !isFinished else { return false }
        state = .finished
        times.ended = now
        return true
    }
}

/// When an exchange reached each of its marks first; nil for those it never reached.
struct ExchangeTimes: Equatable {
    let asked: Instant
    var started: Instant?
    var connected: Instant?
    var firstByte: Instant?
    var ended: Instant?
}
