import EventLoop
import SearchModel

/// Decides on retries: exponential pauses with full jitter, a few times, within the deadline.
struct Backoff: Sendable {
    static let retriesMax = 3
    static let base = Duration.milliseconds(200)
    static let longest = Duration.seconds(10)

    private(set) var retries = 0

    /// Decides when to retry a failed call; nil for never.
    ///
    /// `jitter`, from 0 up to 1, is the share of the pause to wait; `budget` pays for the retry.
    mutating func failed(
        _ error: SearchError,
        at now: Instant,
        deadline: Instant,
        jitter: Double,
        budget: inout RetryBudget
    ) -> Instant? {
        // Calls only read data, so all may be repeated. A response that could not be decoded would be the same again.
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

/// Limits retries: a source where retries don't help gets at most a tenth more calls.
///
/// Every call adds a little credit, and every successful call adds more. Every retry takes one unit. If up to a fifth
/// of the calls fail, all of them can be retried. If no call succeeds, retries are a tenth of the calls.
///
/// Invariant: after n calls (not counting retries) and s successful calls there were at most `begin` + `share` · n +
/// `successShare` · s retries; without a success, at most n / 10 from 100 calls on.
struct RetryBudget: Sendable {
    /// All in hundredths of a retry, so that nothing is rounded.
    private static let share = 8
    /// The retries per search when a fifth of the calls fail: 1 / (1 - 0.2) - 1.
    private static let successShare = 25
    private static let begin = 2 * 100 + share
    /// The price of a retry: a retry is also a call and adds `share`, so it costs 100 in the end.
    private static let price = 100 + share
    /// The maximum credit after a long time without failures.
    private static let most = 10 * price

    private var saved = Self.begin

    /// Records a sent call.
    mutating func called() { saved = min(saved + Self.share, Self.most) }

    /// Records a successful call.
    mutating func succeeded() { saved = min(saved + Self.successShare, Self.most) }

    /// Pays for a retry; false if there is not enough credit.
    mutating func spend() -> Bool {
        guard saved >= Self.price else { return false }
        saved -= Self.price
        return true
    }
}
