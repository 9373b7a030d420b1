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
        let (wait, quota) = (Duration.seconds(refusal.wait), refusal.quota)
        return switch refusal.reason {
        case .used: exhausted(source, "\(quota) is used up", wait, refusal.resetsAt.text)
        case .reserved:
            exhausted(source, "the rest of \(quota) is reserved for interactive searches", wait, refusal.resetsAt.text)
        case .paced:
            passing(
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

    static func crowded(_ source: SourceName, wait: Duration) -> SearchError {
        passing(.overloaded, source, "too many calls wait for \(source)", wait)
    }

    static func ledger(_ source: SourceName) -> SearchError {
        passing(
            .unavailable,
            source,
            "the quota ledger could not be written, so calls to \(source) can't be counted",
            .seconds(5),
            hint: "Check that the state directory is writable and has free space."
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
        _ resetsAt: String?
    ) -> SearchError {
        SearchError(
            .quotaExhausted,
            message,
            source: source,
            retryable: false,
            retryAfter: wait,
            resetsAt: resetsAt,
            hint: "Wait until the quota resets, or search another source."
        )
    }
}
