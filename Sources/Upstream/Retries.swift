import EventLoop
import SearchModel

/// When a call that failed is made again: exponential pauses with full jitter, a few times, within the deadline.
struct Backoff: Sendable {
    enum Verdict: Equatable, Sendable {
        /// Once more, then; it is the attempt of that number, the first call being 1.
        case again(at: Instant, attempt: Int)
        case giveUp
    }

    static let retriesMax = 3
    static let base = Duration.milliseconds(200)
    static let longest = Duration.seconds(10)

    private(set) var retries = 0

    /// A call failed: whether it is made again, and when.
    ///
    /// `jitter`, from 0 up to 1, is the share of the pause that is really made; `budget` pays for the retry.
    mutating func failed(
        _ error: SearchError,
        at now: Instant,
        deadline: Instant,
        jitter: Double,
        budget: inout RetryBudget
    ) -> Verdict {
        // Calls only read, so all may be repeated. An answer that could not be decoded would be the same again.
        guard error.retryable == true, !error.isOffline, retries < Self.retriesMax,
            [.unavailable, .timeout, .rateLimited].contains(error.kind)
        else { return .giveUp }
        let pause = min(Self.base * (1 << retries), Self.longest) * jitter
        let next = now.advanced(by: max(pause, error.retryAfter ?? .zero))
        guard next < deadline, budget.spend() else { return .giveUp }
        retries += 1
        return .again(at: next, attempt: retries + 1)
    }
}

/// Pays for retries, so that a source that can't be helped by them is not asked more than a tenth more often.
///
/// Every call pays in a little and every call that succeeds more; every retry takes a whole unit. Where up to a fifth
/// of the calls fail all of them can be made again; where nothing succeeds, retries are a tenth of the calls.
///
/// Invariant: after n calls that are no retries and s calls that succeeded there were at most `begin` + `share` · n +
/// `successShare` · s retries; without a success that is no more than n / 10 from 100 calls on.
struct RetryBudget: Sendable {
    /// All in hundredths of a retry, so that nothing is rounded.
    private static let share = 8
    /// What every search needs where a fifth of the calls fail: 1 / (1 - 0.2) - 1.
    private static let successShare = 25
    private static let begin = 2 * 100 + share
    /// A retry is a call and pays in as well; that does not count.
    private static let price = 100 + share
    /// The credit that a long time without failures may save up.
    private static let most = 10 * price

    private var saved = Self.begin

    /// A call was sent.
    mutating func called() { saved = min(saved + Self.share, Self.most) }

    /// A call succeeded.
    mutating func succeeded() { saved = min(saved + Self.successShare, Self.most) }

    /// Pays for a retry; false when there is not enough.
    mutating func spend() -> Bool {
        guard saved >= Self.price else { return false }
        saved -= Self.price
        return true
    }
}
