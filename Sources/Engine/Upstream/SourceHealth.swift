package import SearchModel

/// How a source has been answering, from what became of the calls that were really made; pure.
package struct SourceHealth: Equatable, Sendable {
    /// When the first call after the last good answer failed, in seconds since 1970; nil while nothing is wrong.
    package private(set) var failingSince: Int64?

    package init() {}

    /// A call has ended with a page, or with an error of this kind.
    package mutating func ended(_ error: SearchError.Kind?, at now: Int64) {
        switch error {
        // The source does its work: it was asked for something that it does not have or take.
        case nil, .invalidParams, .notFound: failingSince = nil
        // The caller or the daemon gave up; of the source this tells nothing.
        case .cancelled, .superseded, .shuttingDown, .overloaded, .internal: break
        default: failingSince = failingSince ?? now
        }
    }
}
