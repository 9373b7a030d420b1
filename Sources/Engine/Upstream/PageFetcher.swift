package import SearchModel

/// Asks a source for one page: the seam between sharing and the network.
package protocol PageFetcher: Sendable {
    /// Fetches and decodes a page.
    ///
    /// - Parameters:
    ///   - key: The page.
    ///   - ticket: For whom and until when; it is told when the request goes out, until which a cancellation costs nothing.
    /// - Returns: The page as the source gave it.
    /// - Throws: What went wrong, in the contract's words, `cancelled` when its task was cancelled before it was sent.
    func fetch(_ key: PageKey, for ticket: CallTicket) async throws(SearchError) -> Page
}
