import EventLoop

/// Keeps calls from a source that fails: opens on many failures, then tries with one call at a time.
struct Breaker: Sendable {
    enum State: Equatable, Sendable {
        /// Calls pass. Opens when too many of them fail.
        case closed
        /// No call passes until then; the first one after that is the probe.
        case open(until: Instant)
        /// One call at a time passes. Closes after `goodProbes` good ones, opens for longer at the first that fails.
        case halfOpen
    }

    /// Failures in a row that open it.
    static let consecutiveMax = 5
    /// Of how many calls the share of failures is looked at; at least `samplesMin` of them.
    static let samplesMax = 20
    static let samplesMin = 10
    static let goodProbes = 2
    static let pauseMin = Duration.seconds(1)
    static let pauseMax = Duration.seconds(300)
    /// Good calls in a row after which the next pause is a short one again.
    static let healedCount = 10
    /// After how long to ask again while another's probe is under way.
    static let probeGuess = Duration.seconds(1)

    private(set) var state = State.closed
    /// When it last left `closed`.
    private(set) var openedAt: Instant?
    /// The latest outcomes while closed, 1 for a failure, the newest lowest.
    private var outcomes: UInt32 = 0
    private var sampleCount = 0
    private var failuresInRow = 0
    private var successesInRow = 0
    /// How often it opened since the source was last well.
    private var openings = 0
    private var isProbing = false
    private var goodCount = 0

    /// When the next call may pass; nil for now.
    func obstacle(at now: Instant) -> Instant? {
        switch state {
        case .closed: nil
        case .open(let until): until > now ? until : nil
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

    /// A call ended and the source does its work; calls that passed before it opened tell nothing.
    mutating func succeeded(probe: Bool) {
        switch state {
        case .closed:
            record(failure: false)
            failuresInRow = 0
            successesInRow += 1
            if successesInRow >= Self.healedCount { openings = 0 }
        case .halfOpen where probe:
            isProbing = false
            goodCount += 1
            if goodCount >= Self.goodProbes { close() }
        case .open, .halfOpen: break
        }
    }

    /// A call ended and the source does not do its work.
    ///
    /// - Parameters:
    ///   - probe: What `passed` said of this call.
    ///   - now: When it ended.
    ///   - jitter: From 0 up to 1: makes the pause up to half as long again.
    mutating func failed(probe: Bool, at now: Instant, jitter: Double) {
        switch state {
        case .closed:
            record(failure: true)
            failuresInRow += 1
            successesInRow = 0
            let isHigh = sampleCount >= Self.samplesMin && outcomes.nonzeroBitCount * 2 >= sampleCount
            if failuresInRow >= Self.consecutiveMax || isHigh {
                openedAt = now
                open(at: now, jitter)
            }
        case .halfOpen where probe: open(at: now, jitter)
        case .open, .halfOpen: break
        }
    }

    /// A call ended and tells nothing of the source, or was never sent.
    mutating func abandoned(probe: Bool) {
        if probe { isProbing = false }
    }

    private mutating func record(failure: Bool) {
        outcomes = (outcomes << 1 | (failure ? 1 : 0)) & (1 << UInt32(Self.samplesMax) - 1)
        sampleCount = min(sampleCount + 1, Self.samplesMax)
    }

    private mutating func open(at now: Instant, _ jitter: Double) {
        let base = min(Self.pauseMin * (1 << min(openings, 16)), Self.pauseMax)
        openings += 1
        isProbing = false
        goodCount = 0
        state = .open(until: now.advanced(by: min(base * (1 + jitter / 2), Self.pauseMax)))
    }

    private mutating func close() {
        state = .closed
        openedAt = nil
        outcomes = 0
        sampleCount = 0
        failuresInRow = 0
        successesInRow = 0
    }
}
