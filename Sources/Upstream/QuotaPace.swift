import Glibc

/// How fast a quota is being used: calls, of which each counts less the longer it is past.
struct QuotaPace: Sendable {
    /// Seconds after which a call counts e times less.
    let memorySeconds: Double
    private var count: Double
    private var countedAt: Int64

    /// The pace of `used` units in `elapsed` seconds of the period; all times in seconds, `now` by a steady clock.
    init(period: Int64, used: Int, elapsed: Int64, at now: Int64) {
        memorySeconds = max(Double(period) / 24, 10)
        count = elapsed > 0 ? Double(used) * memorySeconds / max(Double(elapsed), memorySeconds) : 0
        countedAt = now
    }

    mutating func used(_ units: Double = 1, at now: Int64) {
        count = faded(at: now) + units
        countedAt = max(countedAt, now)
    }

    /// Seconds until so many are used up at this pace; nil when they never are.
    func seconds(toUse left: Int, at now: Int64) -> Int64? {
        let perSecond = faded(at: now) / memorySeconds
        guard perSecond > 0 else { return nil }
        let seconds = Double(max(left, 0)) / perSecond
        return seconds < 1e12 ? Int64(seconds) : nil
    }

    private func faded(at now: Int64) -> Double {
        count * exp(-Double(max(now - countedAt, 0)) / memorySeconds)
    }
}
