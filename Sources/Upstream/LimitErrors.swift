import EventLoop
import SearchModel

/// The errors of callers that a limit turns away.
enum LimitErrors {
    static func rate(_ source: SourceName, wait: Duration) -> SearchError {
        passing(.rateLimited, source, "the rate limit of \(source) is reached", wait)
    }

    static func pause(_ source: SourceName, _ pause: Pause, at now: Instant) -> SearchError {
        let wait = now.duration(to: pause.until)
        return switch pause.reason {
        case .rateLimit: passing(.rateLimited, source, "\(source) asked to be called less often", wait)
        case .quota: exhausted(source, "\(source) reports that the quota is used up", wait, pause.resetsAt)
        case .trouble:
            passing(.unavailable, source, "\(source) is temporarily unavailable and asked to be called later", wait)
        }
    }

    static func quota(_ source: SourceName, _ refusal: QuotaBook.Refusal) -> SearchError {
        let (quota, end) = (refusal.key.name, refusal.endsAt.text)
        let (message, hint): (String, String?) =
            switch refusal.reason {
            case .used: ("\(quota) is used up", nil)
            case .reserved: ("the rest of \(quota) is reserved for interactive searches", nil)
            case .unknown:
                (
                    "\(quota) is closed: its ledger was damaged, so nobody knows what is left",
                    "An administrator can set what was used: “searchctl quota \(quota) USED”."
                )
            case .shared(let others):
                (
                    "you have used your half of \(quota)",
                    "The rest is reserved until \(end) for \(others == 1 ? "another user" : "\(others) other users") "
                        + "who searched here in the last seven days."
                )
            }
        return exhausted(source, message, .seconds(refusal.wait), end, hint: hint)
    }

    static func breaker(_ source: SourceName, wait: Duration) -> SearchError {
        passing(.unavailable, source, "\(source) is suspended after repeated failures", wait)
    }

    static func ledger(_ source: SourceName, _ error: QuotaStoreError) -> SearchError {
        let message = "calls to \(source) can't be counted: \(error.message)"
        return passing(.unavailable, source, message, .seconds(5), hint: error.hint)
    }

    static func unknown(_ source: SourceName) -> SearchError {
        SearchError(.unknownSource, "\(source) is gone", source: source, retryable: false)
    }

    /// One after which the same call may succeed.
    private static func passing(
        _ kind: SearchError.Kind,
        _ source: SourceName,
        _ message: String,
        _ wait: Duration,
        hint: String = "Try again later."
    ) -> SearchError {
        SearchError(kind, message, source: source, retryable: true, retryAfter: wait, hint: hint)
    }

    private static func exhausted(
        _ source: SourceName,
        _ message: String,
        _ wait: Duration,
        _ resetsAt: String?,
        hint: String? = nil
    ) -> SearchError {
        SearchError(
            .quotaExhausted,
            message,
            source: source,
            retryable: false,
            retryAfter: wait,
            resetsAt: resetsAt,
            hint: hint ?? "Wait until the quota resets, or search another source."
        )
    }
}
