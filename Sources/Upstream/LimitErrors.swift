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
            passing(
                .unavailable,
                source,
                "\(source) is temporarily unavailable and asked to be called later",
                wait,
                hint: "Try again later."
            )
        }
    }

    static func quota(_ source: SourceName, _ refusal: QuotaBook.Refusal) -> SearchError {
        let (wait, quota, end) = (Duration.seconds(refusal.wait), refusal.key.name, refusal.endsAt.text)
        switch refusal.reason {
        case .used: return exhausted(source, "\(quota) is used up", wait, end)
        case .unknown:
            return exhausted(
                source,
                "\(quota) is closed: its ledger was damaged, so nobody knows what is left",
                wait,
                end,
                hint: "An administrator can set what was used: “searchctl quota \(quota) USED”."
            )
        case .reserved:
            return exhausted(source, "the rest of \(quota) is reserved for interactive searches", wait, end)
        case .shared(let others):
            let users = others == 1 ? "another user" : "\(others) other users"
            return exhausted(
                source,
                "you have used your half of \(quota)",
                wait,
                end,
                hint: "The rest is reserved until \(end) for \(users) who searched here in the last seven days."
            )
        case .paced:
            return passing(
                .rateLimited,
                source,
                "background calls to \(source) are slowed down so that \(quota) lasts",
                wait,
                hint: "Try again later, or ask with interactive priority."
            )
        }
    }

    static func breaker(_ source: SourceName, wait: Duration) -> SearchError {
        let message = "\(source) is suspended after repeated failures"
        return passing(.unavailable, source, message, wait, hint: "Try again later.")
    }

    static func ledger(_ source: SourceName, _ error: QuotaStoreError) -> SearchError {
        passing(
            .unavailable,
            source,
            "calls to \(source) can't be counted: \(error.message)",
            .seconds(5),
            hint: error.hint
        )
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
        hint: String = "Try again a little later."
    ) -> SearchError {
        SearchError(kind, message, source: source, retryable: true, retryAfter: wait, hint: hint)
    }

    private static func exhausted(
        _ source: SourceName,
        _ message: String,
        _ wait: Duration,
        _ resetsAt: String?,
        hint: String = "Wait until the quota resets, or search another source."
    ) -> SearchError {
        SearchError(
            .quotaExhausted,
            message,
            source: source,
            retryable: false,
            retryAfter: wait,
            resetsAt: resetsAt,
            hint: hint
        )
    }
}
