import SearchModel

/// What the outcome of a call tells about its source.
enum CallVerdict: Equatable, Sendable {
    /// It does its work; perhaps it was asked for something that it does not have or take.
    case alive
    /// The rate limit or quota was reached.
    case throttled
    /// Its quota is used up.
    case exhausted
    /// It does not do its work.
    case failing
    /// The caller or this program gave up.
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
