import RPC
package import SearchModel

/// The state of a source with respect to its limits.
package struct SourceStanding: Equatable, Sendable {
    package enum State: String, Sendable {
        case free
        /// The source has asked for a pause, a quota is used up, or calls wait for its rate.
        case waiting
        /// The source failed so often that it gets no calls, or only probes.
        case suspended = "open"
    }

    package var state = State.free
    /// How long the source has been in this state, as far as known.
    package var lasting: Duration?
    /// How long until it may be called again; nil when it may be called now, or when that is unknown.
    package var retryAfter: Duration?
    /// Why an administrator must act before it is called again.
    package var stopped: String?
    /// The quotas in the order of their files.
    package let quotas: [QuotaFigures]
}

/// Predicts the outcome of a user's call to each of these sources; leaves out unknown sources.
package typealias CallOutlooks = @Sendable ([SourceName], Priority, UInt32) -> [SourceName: CallOutlook]

/// The predicted outcome of a call to a source, made now.
package struct CallOutlook: Equatable, Sendable {
    /// The obstacle; nil when the call would start at once.
    package let obstacle: Skip?
    /// The recent duration of calls to the source; nil before the first.
    package let usual: Duration?

    package init(obstacle: Skip?, usual: Duration?) {
        self.obstacle = obstacle
        self.usual = usual
    }

    /// The delay by its rate limit; nil when the call would be refused.
    package var wait: Duration? {
        guard let obstacle else { return .zero }
        return obstacle.reason == .rateLimit ? obstacle.retryAfter ?? .zero : nil
    }
}

/// A change in the state of the daemon or a source: one line in the log.
///
/// The message never contains a key or a query.
package struct StateChange: Equatable, Sendable {
    /// The subject of the change: one word to filter the log by.
    package enum Subject: String, Sendable {
        case breaker
        /// The server through which hosts share limits.
        case fleet
        case health
        case quota
        case reload
    }

    package let subject: Subject
    package let source: SourceName?
    package let message: String
    /// Whether the change is for the worse.
    package let isTrouble: Bool

    package init(_ subject: Subject, of source: SourceName? = nil, _ message: String, isTrouble: Bool) {
        self.subject = subject
        self.source = source
        self.message = message
        self.isTrouble = isTrouble
    }
}
