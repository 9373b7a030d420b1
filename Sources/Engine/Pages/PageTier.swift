package import EventLoop

/// Keeps pages behind those in memory: on disk, or in a store that machines share.
///
/// It never holds up a search: `get` ends at its deadline, `put` does not wait.
package protocol PageTier: Sendable {
    /// The page under a key, however old.
    ///
    /// - Parameters:
    ///   - key: The page.
    ///   - deadline: When the caller stops waiting.
    ///   - looksTwice: Whether to look also where the page was missing of late: another process may have put it there. A
    ///     caller that can ask the source need not.
    /// - Returns: Nil when it is not there, or can't be got before the deadline.
    func get(_ key: PageKey, by deadline: Instant, looksTwice: Bool) async -> CachedPage?

    /// Takes a page that is of no use from `expiry` on, not even while its source fails.
    func put(_ page: CachedPage, until expiry: Instant)

    /// Removes what is selected; how many pages that were.
    func remove(_ selection: PageSelection) async -> Int
}
