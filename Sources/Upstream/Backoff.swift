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
        guard Self.isRetryable(error), retries < Self.retriesMax else { return .giveUp }
        let pause = min(Self.base * (1 << retries), Self.longest) * jitter
        let next = now.advanced(by: max(pause, error.retryAfter ?? .zero))
        guard next < deadline, budget.spend() else { return .giveUp }
        retries += 1
        return .again(at: next, attempt: retries + 1)
    }

    /// Whether the same call may succeed soon: not if its answer could not be decoded.
    ///
    /// Calls only read, so all may be repeated.
    private static func isRetryable(_ error: SearchError) -> Bool {
        guard error.retryable == true, !error.isOffline else { return false }
        switch error.kind {
        case .unavailable, .timeout, .rateLimited: return true
        default: return false
        }
    }
}
