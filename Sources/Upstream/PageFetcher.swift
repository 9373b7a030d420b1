package import Catalogue
package import RPC
package import SearchModel

/// Asks a source for one page: the interface between call sharing and the network.
package protocol PageFetcher: Sendable {
    /// Fetches and decodes a page; on the loop.
    ///
    /// - Parameters:
    ///   - key: The page.
    ///   - demand: The waiting callers, their priority and deadline; changes while the call waits.
    ///   - report: Gets the call's events; until `sent`, cancelling costs nothing.
    /// - Returns: The page from the source.
    /// - Throws: A `SearchError`; `cancelled` when its task was cancelled before it was sent.
    func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page
}

/// Identifies one upstream page or one item's record.
///
/// Two callers with the same key share a call and a cached page.
package struct PageKey: Hashable, Sendable {
    package var source: SourceName
    package var request: PageRequest
    /// The edition of the source: pages from before and after a reload are never mixed.
    package var edition: UInt32

    package init(source: SourceName, request: PageRequest, edition: UInt32 = 0) {
        self.source = source
        self.request = request
        self.edition = edition
    }
}

/// An event of an upstream call; each step passes it up to the call's waiters.
package enum CallEvent: Equatable, Sendable {
    /// The caller joined another caller's call; reported only to this caller.
    case joined
    /// The call waits, for about this long.
    case queued(WaitReason, wait: Duration)
    /// The request is sent: from here on the call counts, and cancelling saves nothing.
    case sent
    /// The source responded, with any status.
    case answered(status: Int, bytes: Int, elapsed: Duration)
    /// The response says what the call cost; reported only to the limits.
    case billed(Bill)
    /// The call failed and is retried after a pause; the first call is attempt 1.
    case retrying(attempt: Int, wait: Duration)
    /// The source has failed so often that it gets no calls, or only probes.
    case breaker(BreakerState)

    package enum BreakerState: String, Sendable {
        /// Calls are admitted.
        case closed
        /// No call is admitted until the pause ends; the first one after that is the probe.
        case open
        /// One call at a time is admitted.
        case halfOpen
    }
}

/// Receives the events of one call, in order, on the loop.
package typealias CallReport = @Sendable (CallEvent) -> Void
