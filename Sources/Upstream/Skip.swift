package import RPC
package import SearchModel

/// Why a source that the caller has not named is left out of a search for now.
package struct Skip: Equatable, Sendable {
    package let reason: SkipReason
    /// What the search answers when nothing else is left to ask.
    package let error: SearchError

    package init(reason: SkipReason, error: SearchError) {
        self.reason = reason
        self.error = error
    }

    /// When it can be asked, as far as is known.
    package var retryAfter: Duration? { error.retryAfter }
}
