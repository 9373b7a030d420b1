import RPC
package import SearchModel

/// Whether a source can be called now; if not, the reason and the end.
package struct SourceAvailability: Equatable, Sendable {
    package enum State: String, Sendable {
        case free
        /// The source requested a pause, a quota is used up, or calls wait for the rate limit.
        case waiting
        /// The source has failed often and gets at most test calls, or is stopped until an administrator acts.
        case suspended = "open"
    }

    package var state = State.free
    package var lasting: Duration?
    /// How long the source must not be called; nil if it may be called now, or if the duration is unknown.
    package var retryAfter: Duration?
    /// Why calls are stopped until an administrator acts; nil if they are not stopped.
    package var stopped: String?
    package var quotas: [QuotaFigures]
}

/// Predicts the outcomes of a user's calls to these sources; leaves out unknown sources.
package typealias CallPredictions = @Sendable ([SourceName], Priority, UInt32) -> [SourceName: CallPrediction]

package struct CallPrediction: Equatable, Sendable {
    /// Why the call would not start at once; nil if it would.
    package let obstacle: Skip?
    /// The exponential moving average of response times; nil before the first response.
    package let usual: Duration?

    package init(obstacle: Skip?, usual: Duration?) {
        self.obstacle = obstacle
        self.usual = usual
    }

    /// How long rate limits delay the call; nil if it has another obstacle.
    package var wait: Duration? {
        guard let obstacle else { return .zero }
        return obstacle.reason == .rateLimit ? obstacle.retryAfter ?? .zero : nil
    }
}

/// A change in the state of the daemon or a source: one line in the log, without keys and queries.
package struct StateChange: Equatable, Sendable {
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
    /// Whether the change makes the state worse.
    package let isTrouble: Bool

    package init(_ subject: Subject, of source: SourceName? = nil, _ message: String, isTrouble: Bool) {
        self.subject = subject
        self.source = source
        self.message = message
        self.isTrouble = isTrouble
    }
}
