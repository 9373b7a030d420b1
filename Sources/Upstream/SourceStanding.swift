package import SearchModel

/// How a source stands before its limits.
package struct SourceStanding: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case free
        /// It has asked for a pause, a quota is used up, or calls wait for their turn.
        case waiting
        /// It failed so often that it is not asked, or only tried.
        case open
    }

    package let state: State
    /// How long it has been so, as far as is known.
    package let lasting: Duration?
    /// How long until it may be called again; nil when it may now, or that is not known.
    package var retryAfter: Duration?
    /// In the order in which its files declare them.
    package let quotas: [QuotaFigures]
}

/// How a quota stands.
package struct QuotaFigures: Equatable, Sendable {
    package let name: String
    package let limit: Int
    package let used: Int
    package let left: Int
    /// In the zone of the source's calendar.
    package let resetsAt: PublishedDate
    /// When it is used up at this pace; nil when it lasts.
    package let forecast: PublishedDate?
    /// Whether `used` is a guess, because the ledger was damaged during the window.
    package var isGuess = false
}
