import EventLoop
import SearchModel

/// Stops calls to a failing source: opens when most calls fail, then tests the source with one call at a time.
///
/// The share of failures among the latest calls decides. A source with occasional failures stays in use, because
/// retries compensate for them. A source that is down has many failures in a row, which is unlikely by chance.
struct Breaker: Sendable {
    /// Failures in a row that open the breaker if no call has succeeded since it closed.
    static let consecutiveMax = 5
    /// Failures in a row that open it if a call has succeeded since it closed.
    ///
    /// If every fifth call fails, a run this long has a chance of 1 in 400,000.
    static let consecutiveAfterSuccessMax = 8
    /// The number of latest calls to consider; the breaker opens if half of them failed, but not before there are
    /// `samplesMin` calls.
    static let samplesMax = 64
    static let samplesMin = 32
    static let goodProbes = 2
    static let pauseMin = Duration.seconds(1)
    static let pauseMax = Duration.seconds(300)
    /// The number of successful calls in a row after which the next pause is short again.
    static let healedCount = 10
    /// The assumed duration of a probe, for which other calls wait.
    static let probeGuess = Duration.seconds(1)

    private(set) var state = CallEvent.BreakerState.closed
    /// When the probe that ends the latest pause may start.
    private(set) var retryAt = Instant(nanoseconds: .min)
    /// When the breaker last left `closed`.
    private(set) var openedAt: Instant?
    /// The latest `samplesMax` outcomes while closed: bit 1 means a failure, and the newest outcome is the lowest bit.
    private var outcomes: UInt64 = 0
    private var sampleCount = 0
    /// How many times the breaker has opened since the source last recovered.
    private var openings = 0
    private var isProbing = false
    private var goodProbeCount = 0
    private var badProbeCount = 0

    /// Returns when the next call may start; nil means at once.
    func obstacle(at now: Instant) -> Instant? {
        switch state {
        case .closed: nil
        case .open: retryAt > now ? retryAt : nil
        case .halfOpen: isProbing ? now.advanced(by: Self.probeGuess) : nil
        }
    }

    /// Records the start of a call that `obstacle` allowed; returns true if it is a probe.
    mutating func passed(at now: Instant) -> Bool {
        assert(obstacle(at: now) == nil)
        guard state != .closed else { return false }
        state = .halfOpen
        isProbing = true
        return true
    }

    /// Records a success; ignores a call that started before the breaker opened.
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

    /// Records a failure.
    ///
    /// `jitter`, from 0 up to 1, makes the pause longer, by up to a half.
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

    /// Records a call that was never sent, or whose outcome says nothing about the source.
    mutating func abandoned(probe: Bool) {
        if probe { isProbing = false }
    }

    /// Applies the state of another host's breaker: open until `instant`, or closed if it is nil.
    ///
    /// While a probe is in flight, an opening is ignored, because the probe decides.
    mutating func follow(openUntil instant: Instant?, at now: Instant) {
        guard let instant else {
            if state != .closed { self = Breaker() }
            return
        }
        guard !isProbing, state != .open || instant > retryAt else { return }
        (state, retryAt, openedAt) = (.open, instant, openedAt ?? now)
        (goodProbeCount, badProbeCount) = (0, 0)
    }

    /// Whether the latest calls show that the source is down or fails too often.
    private var isFailing: Bool {
        let failuresInRow = min((~outcomes).trailingZeroBitCount, sampleCount)
        let rowMax = failuresInRow == sampleCount ? Self.consecutiveMax : Self.consecutiveAfterSuccessMax
        if failuresInRow >= rowMax { return true }
        return sampleCount >= Self.samplesMin && outcomes.nonzeroBitCount * 2 >= sampleCount
    }

    private mutating func record(failure: Bool) {
        // Outcomes older than `samplesMax` are shifted out.
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

/// What the outcome of a call says about its source.
enum CallVerdict: Equatable, Sendable {
    /// The source works, even if it does not have or accept what was requested.
    case alive
    /// The rate limit or quota was reached.
    case throttled
    /// The quota is used up.
    case exhausted
    /// The source does not work.
    case failing
    /// The caller or this program cancelled the call.
    case nothing

    init(_ error: SearchError?, wasSent: Bool) {
        switch error?.kind {
        // The fault is on this machine.
        case _ where error?.isOffline == true: self = .nothing
        case .unavailable, .timeout, .badResponse: self = .failing
        // The request was never sent.
        case _ where !wasSent: self = .nothing
        case .rateLimited: self = .throttled
        case .quotaExhausted: self = .exhausted
        case .cancelled, .superseded, .shuttingDown, .overloaded, .internal: self = .nothing
        default: self = .alive
        }
    }
}
