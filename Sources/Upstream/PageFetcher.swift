package import Catalogue
package import RPC
package import SearchModel

/// Fetches one page from a source: the interface between the shared calls and the network.
package protocol PageFetcher: Sendable {
    /// Fetches and decodes a page; runs on the loop.
    ///
    /// - Parameters:
    ///   - key: The page.
    ///   - demand: The waiting callers, with their priorities and deadlines. It may change while the call waits.
    ///   - report: Called with the call's events. Before `sent`, the call can be cancelled without cost.
    /// - Returns: The page from the source.
    /// - Throws: A `SearchError`, which is `cancelled` if the task was cancelled before the request was sent.
    func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page
}

/// Identifies a page of a source, or the record of one item.
///
/// Callers with the same key share a call and a cached page.
package struct PageKey: Hashable, Sendable {
    package var source: SourceName
    package var request: PageRequest
    /// The version of the source's definition, so that pages from before and after a reload are not mixed.
    package var edition: UInt32

    package init(source: SourceName, request: PageRequest, edition: UInt32 = 0) {
        self.source = source
        self.request = request
        self.edition = edition
    }
}

/// An event of an upstream call, which is passed on to the callers that wait for the call.
package enum CallEvent: Equatable, Sendable {
    /// The caller joined the call of another caller; reported only to this caller.
    case joined
    /// The call must wait, for about this long.
    case queued(WaitReason, wait: Duration)
    /// The request is sent; from now on the call is charged, and cancelling it saves nothing.
    case sent
    /// The source responded, with any HTTP status.
    case answered(status: Int, bytes: Int, elapsed: Duration)
    /// The response says what the call cost; reported only to the rate limiter.
    case billed(Bill)
    /// The call failed and is repeated after a pause; the first call is attempt 1.
    case retrying(attempt: Int, wait: Duration)
    /// The state of the source's breaker has changed, or refuses the call.
    case breaker(BreakerState)

    package enum BreakerState: String, Sendable {
        /// All calls are admitted.
        case closed
        /// No call is admitted until a pause ends.
        case open
        /// One call at a time is admitted.
        case halfOpen
    }
}

/// Called with the events of one call, in order, on the loop.
package typealias CallReport = @Sendable (CallEvent) -> Void
