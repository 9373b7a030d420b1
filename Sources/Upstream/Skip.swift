import Catalogue
import EventLoop
package import RPC
package import SearchModel

/// Why a call to a source can't start now; a search skips such a source unless the caller named it.
package struct Skip: Error, Equatable, Sendable {
    package let reason: SkipReason
    package let error: SearchError
    /// Nil if the call is refused at once.
    let waitReason: WaitReason?

    package init(reason: SkipReason, error: SearchError, waits waitReason: WaitReason? = nil) {
        (self.reason, self.error, self.waitReason) = (reason, error, waitReason)
    }

    package var retryAfter: Duration? { error.retryAfter }
}

extension Skip {
    /// The shared limits can't be used now; if `wait` is nil, the call is refused.
    package static func unshared(_ source: SourceName, _ reason: String, wait: Duration?, hint: String) -> Skip {
        let message = "\(source) shares its limits with other hosts, and \(reason)"
        let error = SearchError.limit(.unavailable, source, message, wait ?? .seconds(1), hint: hint)
        return Skip(reason: .suspended, error: error, waits: wait == nil ? nil : .retryAfter)
    }

    static func breaker(_ source: SourceName, wait: Duration) -> Skip {
        let message = "\(source): suspended after repeated failures"
        return Skip(reason: .suspended, error: .limit(.unavailable, source, message, wait))
    }

    static func overpriced(_ source: SourceName, _ price: Int, _ quota: Quota) -> Skip {
        let error = SearchError(
            .unavailable,
            "\(source) is stopped: a call costs \(quota.text(price)), "
                + "but the quota \(quota.name) allows only \(quota.text(quota.cost))",
            source: source,
            retryable: false,
            hint: "Set accounts.\(source.account).quotas.\"\(quota.name)\".cost in the configuration to the new price."
        )
        return Skip(reason: .suspended, error: error)
    }

    package static func rate(_ source: SourceName, wait: Duration) -> Skip {
        let error = SearchError.limit(.rateLimited, source, "the rate limit of \(source) is reached", wait)
        return Skip(reason: .rateLimit, error: error, waits: .rateLimit)
    }

    static func pause(_ source: SourceName, _ pause: Pause, at now: Instant) -> Skip {
        let (kind, text): (SearchError.Kind, String) =
            switch pause.reason {
            case .rateLimit: (.rateLimited, " asked for fewer calls")
            case .quotaExhausted: (.quotaExhausted, " reports that the quota is used up")
            default: (.unavailable, ": temporarily unavailable; it asked for a pause")
            }
        let wait = now.duration(to: pause.until)
        let error = SearchError.limit(kind, source, "\(source)\(text)", wait, resetsAt: pause.resetsAt)
        return Skip(reason: pause.reason, error: error, waits: .retryAfter)
    }

    static func quota(
        _ source: SourceName,
        _ message: String,
        until end: String,
        wait: Duration,
        hint: String?
    ) -> Skip {
        let error = SearchError.limit(.quotaExhausted, source, message, wait, resetsAt: end, hint: hint)
        return Skip(reason: .quotaExhausted, error: error, waits: .rateLimit)
    }
}

extension SearchError {
    package static func gone(_ source: SourceName) -> SearchError {
        SearchError(.unknownSource, "\(source) is no longer configured", source: source, retryable: false)
    }

    package static func uncounted(_ source: SourceName, _ error: SearchError) -> SearchError {
        let message = "calls can't be counted: \(error.message)"
        return limit(.unavailable, source, message, .seconds(5), hint: error.hint)
    }

    fileprivate static func limit(
        _ kind: Kind,
        _ source: SourceName,
        _ message: String,
        _ wait: Duration,
        resetsAt: String? = nil,
        hint: String? = nil
    ) -> SearchError {
        let isQuota = kind == .quotaExhausted
        let advice = isQuota ? "Wait until the quota resets, or search another source." : "Try again later."
        return SearchError(
            kind,
            message,
            source: source,
            retryable: !isQuota,
            retryAfter: wait,
            resetsAt: resetsAt,
            hint: hint ?? (isQuota || kind == .rateLimited ? advice : nil)
        )
    }
}
