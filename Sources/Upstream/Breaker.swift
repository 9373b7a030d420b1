import EventLoop
import SearchModel

/// Keeps calls from a source that fails: opens when most calls fail, then tries with one call at a time.
///
/// It weighs how many of the latest calls failed. A source that fails now and then stays in use, since retries make up
/// for it; one that is down is recognised by its failures in a row, which are unlikely by chance.
struct Breaker: Sendable {
    /// Failures in a row that open it when no call has succeeded since it closed.
    static let consecutiveMax = 5
    /// Failures in a row that open it otherwise: where every fifth call fails, 1 in 400,000 begins so many.
    static let consecutiveAfterSuccessMax = 8
    /// Of how many calls the share of failures is looked at, which opens it at one half; at least `samplesMin` of them.
    static let samplesMax = 64
    static let samplesMin = 32
    static let goodProbes = 2
    static let pauseMin = Duration.seconds(1)
    static let pauseMax = Duration.seconds(300)
    /// Good calls in a row after which the next pause is a short one again.
    static let healedCount = 10
    /// After how long to ask again while another's probe is under way.
    static let probeGuess = Duration.seconds(1)

    private(set) var state = CallEvent.BreakerState.closed
    /// When the probe may pass that ends the latest pause.
    private(set) var retryAt = Instant(nanoseconds: .min)
    /// When it last left `closed`.
    private(set) var openedAt: Instant?
    /// The latest `samplesMax` outcomes while closed, 1 for a failure, the newest lowest.
    private var outcomes: UInt64 = 0
    private var sampleCount = 0
    /// How often it opened since the source was last well.
    private var openings = 0
    private var isProbing = false
    private var goodProbeCount = 0
    private var badProbeCount = 0

    /// When the next call may pass; nil for now.
    func obstacle(at now: Instant) -> Instant? {
        switch state {
        case .closed: nil
        case .open: retryAt > now ? retryAt : nil
        case .halfOpen: isProbing ? now.advanced(by: Self.probeGuess) : nil
        }
    }

    /// A call passes, which `obstacle` allowed; whether it is the probe.
    mutating func passed(at now: Instant) -> Bool {
        assert(obstacle(at: now) == nil)
        guard state != .closed else { return false }
        state = .halfOpen
        isProbing = true
        return true
    }

    /// A call ended and the source does its work; calls that passed before it opened say nothing.
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

    /// A call ended and the source does not do its work.
    ///
    /// `jitter`, from 0 up to 1, makes the pause up to half as long again.
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

    /// A call ended and says nothing of the source, or was never sent.
    mutating func abandoned(probe: Bool) {
        if probe { isProbing = false }
    }

    /// Whether the latest calls say that the source is down, or not worth asking.
    private var isFailing: Bool {
        let failuresInRow = min((~outcomes).trailingZeroBitCount, sampleCount)
        let rowMax = failuresInRow == sampleCount ? Self.consecutiveMax : Self.consecutiveAfterSuccessMax
        if failuresInRow >= rowMax { return true }
        return sampleCount >= Self.samplesMin && outcomes.nonzeroBitCount * 2 >= sampleCount
    }

    private mutating func record(failure: Bool) {
        // Older ones than `samplesMax` are shifted out.
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
