import EventLoop

/// How many calls a source takes at once: one more after each round that went well, fewer when it fails or slows down.
///
/// Invariant: `allowed` is within `bounds`.
struct AdaptiveConcurrency: Sendable {
    /// What a failure and a slow answer leave of it.
    private static let failureFactor = 0.5
    private static let slowFactor = 0.8
    /// A call is slow that takes this many times as long as an unhurried one, and `slack` beyond it.
    private static let slowTimes = 2.0
    private static let slack = Duration.milliseconds(50)
    /// How fast the notion of an unhurried call follows calls that take longer.
    private static let drift = 1.0 / 64

    let bounds: ClosedRange<Int>
    private var limit: Double
    /// Nanoseconds of an unhurried call; nil until one has ended.
    private var unhurried: Double?
    /// Calls begun before it say nothing of the time since it was lowered.
    private var loweredAt = Instant(nanoseconds: .min)

    /// Begins with as many as the source may get.
    init(bounds: ClosedRange<Int>) {
        precondition(bounds.lowerBound > 0, "a source may be asked")
        self.bounds = bounds
        limit = Double(bounds.upperBound)
    }

    var allowed: Int { min(max(Int(limit), bounds.lowerBound), bounds.upperBound) }

    /// A call went well, with `inUse` under way, this one included: only a limit that is reached may grow.
    mutating func succeeded(latency: Duration, startedAt: Instant, inUse: Int, at now: Instant) {
        let taken = Double(latency.saturatingNanoseconds)
        let usual = unhurried ?? taken
        unhurried = taken < usual ? taken : usual + (taken - usual) * Self.drift
        let isSlow = taken > usual * Self.slowTimes && taken > usual + Double(Self.slack.saturatingNanoseconds)
        if isSlow {
            lower(by: Self.slowFactor, startedAt: startedAt, at: now)
        } else if inUse >= allowed {
            limit = min(limit + 1 / limit, Double(bounds.upperBound))
        }
    }

    /// A call failed in a way that fewer calls may cure.
    mutating func failed(startedAt: Instant, at now: Instant) {
        lower(by: Self.failureFactor, startedAt: startedAt, at: now)
    }

    /// Lowers it once for all calls that were under way together.
    private mutating func lower(by factor: Double, startedAt: Instant, at now: Instant) {
        guard startedAt >= loweredAt else { return }
        limit = max(limit * factor, Double(bounds.lowerBound))
        loweredAt = now
    }
}
