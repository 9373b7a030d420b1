package import JSON
import RPC
import SearchModel

/// The reason of a wait; pure.
package enum WaitingSources {
    /// `rate limit, waiting 800 ms`, from a `search/source` notification with the status `queued`.
    package static func reasonText(_ params: JSONCursor) -> String {
        let wait = params[.wait]?.double.map { " \(FigureText.time(milliseconds: $0))" } ?? ""
        let reason =
            switch params[.reason]?.word(WaitReason.self) {
            case .rateLimit: "rate limit, "
            case .retryAfter: "told to back off, "
            case .concurrency: "too many calls at once, "
            case .fairness: "other programs come first, "
            case nil: params[.reason]?.string.map { "\($0), " } ?? ""
            }
        return "\(reason)waiting\(wait)"
    }
}
