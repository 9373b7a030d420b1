import EventLoop
import SearchModel

/// Decides when to retry a call: at most three times, before the deadline, after exponential pauses with full jitter.
struct Backoff: Sendable {
    static let retriesMax = 3
    static let base = Duration.milliseconds(200)
    static let longest = Duration.seconds(10)

    private(set) var retries = 0

    /// Decides when to retry a failed call; returns nil if it is not retried.
    ///
    /// The pause is multiplied by `jitter`, which is from 0 up to 1. The retry is charged to `budget`.
    mutating func failed(
        _ error: SearchError,
        at now: Instant,
        deadline: Instant,
        jitter: Double,
        budget: inout RetryBudget
    ) -> Instant? {
        // All calls only read data, so they may be repeated. A response that could not be decoded would be the same
        // again.
        guard error.retryable == true, !error.isOffline, retries < Self.retriesMax,
            [.unavailable, .timeout, .rateLimited].contains(error.kind)
        else { return nil }
        let pause = min(Self.base * (1 << retries), Self.longest) * jitter
        let next = now.advanced(by: max(pause, error.retryAfter ?? .zero))
        guard next < deadline, budget.spend() else { return nil }
        retries += 1
        return next
    }
}

/// Limits retries: if retries don't help, a source gets at most a tenth more calls.
///
/// Every call adds a little credit, and every successful call adds more. Every retry takes one unit. If up to a fifth
/// of the calls fail, all of these can be retried. If no call succeeds, a tenth of the calls can be retried.
///
/// Invariant: after n calls (not counting retries) and s successful calls, there were at most `begin` + `share` · n +
/// `successShare` · s retries. Without a success, there were at most n / 10 once n is 100 or more.
struct RetryBudget: Sendable {
    /// This and the following values are hundredths of a retry, so that nothing is rounded.
    private static let share = 8
    /// The retries per search when a fifth of the calls fail: 1 / (1 - 0.2) - 1.
    private static let successShare = 25
    private static let begin = 2 * 100 + share
    /// The price of a retry, which is 100 in the end because the retry is also a call and adds `share`.
    private static let price = 100 + share
    /// The maximum credit after a long time without failures.
    private static let most = 10 * price

    private var saved = Self.begin

    /// Records a sent call.
    mutating func called() { saved = min(saved + Self.share, Self.most) }

    /// Records a successful call.
    mutating func succeeded() { saved = min(saved + Self.successShare, Self.most) }

    /// Takes the price of a retry from the credit; returns false if there is not enough.
    mutating func spend() -> Bool {
        guard saved >= Self.price else { return false }
        saved -= Self.price
        return true
    }
}
