import EventLoop
import SearchModel

/// The errors of callers that a limit turns away.
enum LimitErrors {
    static func rate(_ source: SourceName, wait: Duration) -> SearchError {
        passing(.rateLimited, source, "\(source) may not be asked so often", wait)
    }

    static func pause(_ source: SourceName, _ pause: Pause, at now: Instant) -> SearchError {
        let wait = now.duration(to: pause.until)
        return switch pause.reason {
        case .rateLimit: passing(.rateLimited, source, "\(source) has asked for a pause", wait)
        case .quota: exhausted(source, "\(source) has said that the quota is used up", wait, pause.resetsAt)
        case .trouble:
            passing(
                .unavailable,
                source,
                "\(source) has trouble of its own and has asked for a pause",
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
            exhausted(source, "what is left of \(quota) is kept for interactive searches", wait, refusal.resetsAt.text)
        case .paced:
            passing(
                .rateLimited,
                source,
                "background work on \(source) goes slowly, so that \(quota) lasts",
                wait,
                hint: "Try again later, or ask with interactive priority."
            )
        }
    }

    static func breaker(_ source: SourceName, wait: Duration) -> SearchError {
        let message = "\(source) has failed again and again, and is not asked for a while"
        return passing(.unavailable, source, message, wait, hint: "Try again later.")
    }

    static func crowded(_ source: SourceName, wait: Duration) -> SearchError {
        passing(.overloaded, source, "too many calls wait for \(source)", wait)
    }

    static func ledger(_ source: SourceName) -> SearchError {
        passing(
            .unavailable,
            source,
            "the ledger of quotas could not be written, so that no call to \(source) can be counted",
            .seconds(5),
            hint: "See that the state directory can be written and has room."
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
            hint: "Wait until the quota begins anew, or search another source."
        )
    }
}
