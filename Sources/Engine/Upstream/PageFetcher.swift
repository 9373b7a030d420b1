package import SearchModel

/// Asks a source for one page: the seam between sharing and the network.
package protocol PageFetcher: Sendable {
    /// Fetches and decodes a page; on the loop.
    ///
    /// - Parameters:
    ///   - key: The page.
    ///   - demand: For whom, how urgently and until when: changes while the call waits.
    ///   - report: Takes what happens to the call; until `sent` a cancellation costs nothing.
    /// - Returns: The page as the source gave it.
    /// - Throws: What went wrong, in the contract's words, `cancelled` when its task was cancelled before it was sent.
    func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page
}
