import EventLoop
import SearchModel

/// What a caller is told that a limit turns away.
enum LimitErrors {
    static func rate(_ source: SourceName, wait: Duration) -> SearchError {
        SearchError(
            .rateLimited,
            "\(source) may not be asked so often",
            source: source,
            retryable: true,
            retryAfter: wait,
            hint: "Try again a little later."
        )
    }

    static func pause(_ source: SourceName, _ pause: Pause, at now: Instant) -> SearchError {
        let wait = now.duration(to: pause.until)
        switch pause.reason {
        case .rateLimit:
            return SearchError(
                .rateLimited,
                "\(source) has asked for a pause",
                source: source,
                retryable: true,
                retryAfter: wait,
                hint: "Try again a little later."
            )
        case .quota:
            return SearchError(
                .quotaExhausted,
                "\(source) has said that the quota is used up",
                source: source,
                retryable: false,
                retryAfter: wait,
                resetsAt: pause.resetsAt,
                hint: "Wait until the quota begins anew, or search another source."
            )
        case .trouble:
            return SearchError(
                .unavailable,
                "\(source) has trouble of its own and has asked for a pause",
                source: source,
                retryable: true,
                retryAfter: wait,
                hint: "Try again later."
            )
        }
    }

    static func quota(_ source: SourceName, _ refusal: QuotaBook.Refusal) -> SearchError {
        let wait = Duration.seconds(refusal.wait)
        if refusal.reason == .paced {
            return SearchError(
                .rateLimited,
                "background work on \(source) goes slowly, so that \(refusal.quota) lasts",
                source: source,
                retryable: true,
                retryAfter: wait,
                hint: "Try again later, or ask with interactive priority."
            )
        }
        return SearchError(
            .quotaExhausted,
            refusal.reason == .used
                ? "\(refusal.quota) is used up" : "what is left of \(refusal.quota) is kept for interactive searches",
            source: source,
            retryable: false,
            retryAfter: wait,
            resetsAt: refusal.resetsAt.text,
            hint: "Wait until the quota begins anew, or search another source."
        )
    }

    static func breaker(_ source: SourceName, wait: Duration) -> SearchError {
        SearchError(
            .unavailable,
            "\(source) has failed again and again, and is not asked for a while",
            source: source,
            retryable: true,
            retryAfter: wait,
            hint: "Try again later."
        )
    }

    static func crowded(_ source: SourceName, wait: Duration) -> SearchError {
        SearchError(
            .overloaded,
            "too many calls wait for \(source)",
            source: source,
            retryable: true,
            retryAfter: wait,
            hint: "Try again a little later."
        )
    }

    static func ledger(_ source: SourceName) -> SearchError {
        SearchError(
            .unavailable,
            "the ledger of quotas could not be written, so that no call to \(source) can be counted",
            source: source,
            retryable: true,
            retryAfter: .seconds(5),
            hint: "See that the state directory can be written and has room."
        )
    }

    static func unknown(_ source: SourceName) -> SearchError {
        SearchError(.unknownSource, "\(source) is gone", source: source, retryable: false)
    }
}
