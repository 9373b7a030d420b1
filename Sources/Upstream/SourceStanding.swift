import RPC
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

    package var state = State.free
    /// How long it has been so, as far as is known.
    package var lasting: Duration?
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
