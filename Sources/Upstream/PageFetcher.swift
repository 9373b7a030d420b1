package import Catalogue
package import RPC
package import SearchModel

/// Asks a source for one page: the seam between sharing and the network.
package protocol PageFetcher: Sendable {
    /// Fetches and decodes a page; on the loop.
    ///
    /// - Parameters:
    ///   - key: The page.
    ///   - demand: The waiting callers, their priority and deadline; changes while the call waits.
    ///   - report: Takes what happens to the call; until `sent` a cancellation costs nothing.
    /// - Returns: The page as the source gave it.
    /// - Throws: The failure in the contract's words; `cancelled` when its task was cancelled before it was sent.
    func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page
}

/// Names one upstream page, or the record of one item: what two callers must have in common to share a call and a
/// cached page.
package struct PageKey: Hashable, Sendable {
    package var source: SourceName
    package var request: PageRequest
    /// Of the source: pages from before and after a reload are never mixed.
    package var edition: UInt32

    package init(source: SourceName, request: PageRequest, edition: UInt32 = 0) {
        self.source = source
        self.request = request
        self.edition = edition
    }
}

/// An event of an upstream call, which each step passes up to the call's waiters.
package enum CallEvent: Equatable, Sendable {
    /// The caller joined another caller's call; reported only to this caller.
    case joined
    /// It has to wait, as far as is known for so long.
    case queued(WaitReason, wait: Duration)
    /// The request goes out: from here on the call is paid for, and a cancellation saves nothing.
    case sent
    /// The source responded, with any status.
    case answered(status: Int, bytes: Int, elapsed: Duration)
    /// It failed and is tried again after a pause; the first try is attempt 1.
    case retrying(attempt: Int, wait: Duration)
    /// The source has failed so often that it is not asked, or it is tried again.
    case breaker(BreakerState)

    package enum BreakerState: String, Sendable {
        /// Calls pass.
        case closed
        /// No call passes until a pause is over; the first one after that is the probe.
        case open
        /// One call at a time passes.
        case halfOpen
    }
}

/// Takes the events of one call, in order, on the loop.
package typealias CallReport = @Sendable (CallEvent) -> Void
