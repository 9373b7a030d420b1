import EventLoop
import SearchModel

/// A circuit breaker: blocks calls to a failing source, then tests the source with one call (a probe) at a time.
struct Breaker: Sendable {
    /// Failures in a row that open the breaker if no call has succeeded since the breaker closed.
    static let consecutiveMax = 5
    /// Failures in a row that open the breaker if a call has succeeded since the breaker closed.
    static let consecutiveAfterSuccessMax = 8
    static let samplesMax = 64
    static let samplesMin = 32
    static let goodProbes = 2
    static let pauseMin = Duration.seconds(1)
    static let pauseMax = Duration.seconds(300)
    static let healedCount = 10
    static let probeGuess = Duration.seconds(1)

    private(set) var state = CallEvent.BreakerState.closed
    private(set) var retryAt = Instant(nanoseconds: .min)
    private(set) var openedAt: Instant?
    /// One bit for each call, with 1 for a failure; the lowest bit is the latest call.
    private var outcomes: UInt64 = 0
    private var sampleCount = 0
    /// How often the breaker opened; each time doubles the pause.
    ///
    /// After `healedCount` successes in a row, the number is 0 again.
    private var openings = 0
    private var isProbing = false
    private var goodProbeCount = 0
    private var badProbeCount = 0

    func obstacle(at now: Instant) -> Instant? {
        switch state {
        case .closed: nil
        case .open: retryAt > now ? retryAt : nil
        case .halfOpen: isProbing ? now.advanced(by: Self.probeGuess) : nil
        }
    }

    /// Returns whether the call is a probe.
    mutating func passed(at now: Instant) -> Bool {
        assert(obstacle(at: now) == nil)
        guard state != .closed else { return false }
        state = .halfOpen
        isProbing = true
        return true
    }

    /// Ignores calls that started before the breaker opened.
    mutating func succeeded(probe: Bool) {
        switch state {
        case .closed:
            record(failure: false)
            if min(outcomes.trailingZeroBitCount, sampleCount) >= Self.healedCount { openings = 0 }
        case .halfOpen where probe:
            isProbing = false
            goodProbeCount += 1
            guard goodProbeCount >= Self.goodProbes else { break }
            let openings = openings
            self = Breaker()
            self.openings = openings
        case .open, .halfOpen: break
        }
    }

    mutating func failed(probe: Bool, at now: Instant, jitter: Double) {
        switch state {
        case .closed:
            record(failure: true)
            if isFailing {
                openedAt = now
                open(at: now, jitter)
            }
        case .halfOpen where probe:
            isProbing = false
            badProbeCount += 1
            if badProbeCount > goodProbeCount { open(at: now, jitter) }
        case .open, .halfOpen: break
        }
    }

    mutating func abandoned(probe: Bool) {
        if probe { isProbing = false }
    }

    /// Copies the state of another host's breaker: open until `instant`, or closed if `instant` is nil.
    mutating func follow(openUntil instant: Instant?, at now: Instant) {
        guard let instant else {
            if state != .closed { self = Breaker() }
            return
        }
        guard !isProbing, state != .open || instant > retryAt else { return }
        (state, retryAt, openedAt) = (.open, instant, openedAt ?? now)
        (goodProbeCount, badProbeCount) = (0, 0)
    }

    private var isFailing: Bool {
        let failuresInRow = min((~outcomes).trailingZeroBitCount, sampleCount)
        let rowMax = failuresInRow == sampleCount ? Self.consecutiveMax : Self.consecutiveAfterSuccessMax
        if failuresInRow >= rowMax { return true }
        return sampleCount >= Self.samplesMin && outcomes.nonzeroBitCount * 2 >= sampleCount
    }

    private mutating func record(failure: Bool) {
        outcomes = outcomes << 1 | (failure ? 1 : 0)
        sampleCount = min(sampleCount + 1, Self.samplesMax)
    }

    private mutating func open(at now: Instant, _ jitter: Double) {
        let base = min(Self.pauseMin * (1 << min(openings, 16)), Self.pauseMax)
        openings += 1
        (isProbing, goodProbeCount, badProbeCount) = (false, 0, 0)
        state = .open
        retryAt = now.advanced(by: min(base * (1 + jitter / 2), Self.pauseMax))
    }
}

/// What a call shows about the state of its source.
enum CallVerdict: Equatable, Sendable {
    case alive
    case throttled
    case exhausted
    case failing
    /// The call does not show whether the source works.
    case nothing

    init(_ error: SearchError?, wasSent: Bool) {
        switch error?.kind {
        // An offline error is also `unavailable`, so this case is first.
        case _ where error?.isOffline == true: self = .nothing
        case .unavailable, .timeout, .badResponse: self = .failing
        case _ where !wasSent: self = .nothing
        case .rateLimited: self = .throttled
        case .quotaExhausted: self = .exhausted
        case .cancelled, .superseded, .shuttingDown, .overloaded, .internal: self = .nothing
        default: self = .alive
        }
    }
}
