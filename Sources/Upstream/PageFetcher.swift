package import Catalogue
package import RPC
package import SearchModel

/// Fetches one page from a source; tests replace the network with another implementation.
package protocol PageFetcher: Sendable {
    /// Runs on the loop; `demand` can change during the call.
    func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page
}

/// Identifies one page of a source.
package struct PageKey: Hashable, Sendable {
    package var source: SourceName
    package var request: PageRequest
    /// Changes when a reload changes the source; pages of the old source are then not found.
    package var edition: UInt32

    package init(source: SourceName, request: PageRequest, edition: UInt32 = 0) {
        self.source = source
        self.request = request
        self.edition = edition
    }
}

/// An event of one call to a source.
package enum CallEvent: Equatable, Sendable {
    /// Only the joining caller gets this event.
    case joined
    case queued(WaitReason, wait: Duration)
    /// The request was sent, so the call counts as made, even if it is cancelled.
    case sent
    case answered(status: Int, bytes: Int, elapsed: Duration)
    /// Only the rate limiter gets this event.
    case billed(Bill)
    /// The call failed and is repeated after `wait`; `attempt` is the number of the next attempt, at least 2.
    case retrying(attempt: Int, wait: Duration, after: SearchError? = nil)
    /// The state of the source's breaker changed, or the breaker refuses the call.
    case breaker(BreakerState)

    package enum BreakerState: String, Sendable {
        case closed
        case open
        case halfOpen
    }
}

/// Called with the events of one call, in order, on the loop.
package typealias CallReport = @Sendable (CallEvent) -> Void
