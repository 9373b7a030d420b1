import SearchModel

/// How the outcome of a call reflects on its source.
enum CallVerdict: Equatable, Sendable {
    /// The source works; the request may be for something that it does not have or accept.
    case alive
    /// The rate limit or quota was reached.
    case throttled
    /// The quota is used up.
    case exhausted
    /// The source does not work.
    case failing
    /// The caller or this program cancelled the call.
    case nothing

    init(_ error: SearchError?, wasSent: Bool) {
        switch error?.kind {
        // This machine is at fault.
        case _ where error?.isOffline == true: self = .nothing
        case .unavailable, .timeout, .badResponse: self = .failing
        // The request was never sent.
        case _ where !wasSent: self = .nothing
        case .rateLimited: self = .throttled
        case .quotaExhausted: self = .exhausted
        case .cancelled, .superseded, .shuttingDown, .overloaded, .internal: self = .nothing
        default: self = .alive
        }
    }
}
