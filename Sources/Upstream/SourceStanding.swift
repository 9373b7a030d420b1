package import RPC
package import SearchModel

/// How a source stands before its limits.
package struct SourceStanding: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case free
        /// It has asked for a pause, a quota is used up, or calls wait for its rate.
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

/// Predicts how a user's call to each of these sources would fare now; leaves out unknown sources.
package typealias CallOutlooks = @Sendable ([SourceName], Priority, UInt32) -> [SourceName: CallOutlook]

/// How a call to a source would fare that was asked for now.
package struct CallOutlook: Equatable, Sendable {
    /// What is in its way; nil when it would be made at once.
    package let obstacle: Skip?
    /// How long calls to the source have lately taken; nil before the first.
    package let usual: Duration?

    package init(obstacle: Skip?, usual: Duration?) {
        self.obstacle = obstacle
        self.usual = usual
    }

    /// How long its rate limit would delay it; nil when it would not be made.
    package var wait: Duration? {
        guard let obstacle else { return .zero }
        return obstacle.reason == .rateLimit ? obstacle.retryAfter ?? .zero : nil
    }
}

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

/// A change in how the daemon or a source is doing: one line in the log.
///
/// Its message never holds a key, nor a query.
package struct StateChange: Equatable, Sendable {
    /// What has changed, in one word to filter the log by.
    package enum Subject: String, Sendable {
        case breaker
        case health
        case quota
        case reload
    }

    package let subject: Subject
    package let source: SourceName?
    package let message: String
    /// Whether it is for the worse.
    package let isTrouble: Bool

    package init(_ subject: Subject, of source: SourceName? = nil, _ message: String, isTrouble: Bool) {
        self.subject = subject
        self.source = source
        self.message = message
        self.isTrouble = isTrouble
    }
}
