package import SearchModel

/// Asks a source for one page: the seam between sharing and the network.
package protocol PageFetcher: Sendable {
    /// Fetches and decodes a page.
    ///
    /// - Parameters:
    ///   - key: The page.
    ///   - sent: Called on the loop when the request goes out; until then a cancellation costs nothing.
    /// - Returns: The page as the source gave it.
    /// - Throws: What went wrong, in the contract's words, `cancelled` when its task was cancelled before `sent`.
    func fetch(_ key: PageKey, sent: @escaping @Sendable () -> Void) async throws(SearchError) -> Page
}
