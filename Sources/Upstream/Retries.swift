import EventLoop
import SearchModel

/// Decides when to retry a call: after exponential pauses with full jitter, before the deadline.
struct Backoff: Sendable {
    static let retriesMax = 3
    static let base = Duration.milliseconds(200)

    private(set) var retries = 0

    /// Returns nil if the call is not retried; `jitter` is from 0 up to 1.
    mutating func failed(
        _ error: SearchError,
        at now: Instant,
        deadline: Instant,
        jitter: Double,
        budget: inout RetryBudget
    ) -> Instant? {
        // Calls only read data, so they can be repeated.
        guard error.retryable == true, !error.isOffline, retries < Self.retriesMax,
            [.unavailable, .timeout, .rateLimited].contains(error.kind)
        else { return nil }
        let pause = Self.base * (1 << retries) * jitter
        let next = now.advanced(by: max(pause, error.retryAfter ?? .zero))
        guard next < deadline, budget.spend() else { return nil }
        retries += 1
        return next
    }
}

/// Limits retries: n calls, s of which succeed, allow (`begin` + `share` · n + `successShare` · s) / 100 retries.
struct RetryBudget: Sendable {
    /// All constants are in hundredths of a retry.
    private static let share = 8
    /// If a fifth of the calls fail, each search needs 1 / (1 - 0.2) - 1 = 0.25 retries.
    private static let successShare = 25
    private static let begin = 2 * 100 + share
    /// The net price is 100, because the retry is also a call and adds `share`.
    private static let price = 100 + share
    private static let most = 10 * price

    private var saved = Self.begin

    mutating func called() { saved = min(saved + Self.share, Self.most) }

    mutating func succeeded() { saved = min(saved + Self.successShare, Self.most) }

    mutating func spend() -> Bool {
        guard saved >= Self.price else { return false }
        saved -= Self.price
        return true
    }
}
