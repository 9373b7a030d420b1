import RPC
package import SearchModel

/// Whether a source can be called now; if not, why and for how long.
package struct SourceAvailability: Equatable, Sendable {
    package enum State: String, Sendable {
        case free
        /// The source requested a pause, a quota is used up, or calls wait for the rate limit.
        case waiting
        /// The source failed often, or is stopped until an administrator acts.
        case suspended = "open"
    }

    package var state = State.free
    package var lasting: Duration?
    /// Nil if calls are allowed now, or if the end is unknown.
    package var retryAfter: Duration?
    package var stopped: String?
    package var quotas: [QuotaFigures]
}

package typealias CallPredictions = @Sendable ([SourceName], Priority, UInt32) -> [SourceName: CallPrediction]

package struct CallPrediction: Equatable, Sendable {
    package let obstacle: Skip?
    package let usual: Duration?

    package init(obstacle: Skip?, usual: Duration?) {
        self.obstacle = obstacle
        self.usual = usual
    }

    /// How long rate limits delay the call; nil if the call has another obstacle.
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
    package let isTrouble: Bool

    package init(_ subject: Subject, of source: SourceName? = nil, _ message: String, isTrouble: Bool) {
        self.subject = subject
        self.source = source
        self.message = message
        self.isTrouble = isTrouble
    }
}
