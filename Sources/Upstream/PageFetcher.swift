package import Catalogue
package import RPC
package import SearchModel

/// Fetches one page from a source; tests replace the network with another implementation.
package protocol PageFetcher: Sendable {
    /// Fetches and decodes a page; runs on the loop.
    ///
    /// `demand` can change during the call. Throws `cancelled` if the task was cancelled before the request was sent.
    func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page
}

/// Identifies a page of a source, or the record of one item; calls and cached pages have this key.
package struct PageKey: Hashable, Sendable {
    package var source: SourceName
    package var request: PageRequest
    /// The version of the source's definition; after a reload, pages of the previous definition are not found.
    package var edition: UInt32

    package init(source: SourceName, request: PageRequest, edition: UInt32 = 0) {
        self.source = source
        self.request = request
        self.edition = edition
    }
}

package enum CallEvent: Equatable, Sendable {
    /// The caller joined the call of another caller; only the joining caller gets the event.
    case joined
    /// The call must wait; `wait` is an estimate.
    case queued(WaitReason, wait: Duration)
    /// The request is sent; the call is charged, and cancelling it saves nothing.
    case sent
    case answered(status: Int, bytes: Int, elapsed: Duration)
    /// The response contains the cost of the call; only the rate limiter gets the event.
    case billed(Bill)
    /// The call failed with `error` and is repeated after a pause; `attempt` is the number of the next attempt, at
    /// least 2.
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
