package import EventLoop
package import SearchModel
package import Upstream

/// Keeps pages behind those in memory: on disk, or in a store that machines share.
///
/// It never holds up a search: `get` ends at its deadline, `put` does not wait.
package protocol PageTier: Sendable {
    /// The page under a key, however old.
    ///
    /// - Parameters:
    ///   - key: The page.
    ///   - deadline: When the caller stops waiting.
    ///   - looksTwice: Whether to look also where the page was missing of late: another process may have put it there.
    ///     A caller that can ask the source need not.
    /// - Returns: Nil when it is not there, or can't be got before the deadline.
    func get(_ key: PageKey, by deadline: Instant, looksTwice: Bool) async -> CachedPage?

    /// A hit as some page of its source has it: the one used last of those that have it.
    ///
    /// - Parameters:
    ///   - id: The hit's.
    ///   - source: The source.
    ///   - edition: Of the source.
    ///   - deadline: When the caller stops waiting.
    /// - Returns: Nil when none has it, or none was found before the deadline.
    func hit(_ id: String, of source: SourceName, edition: UInt32, by deadline: Instant) async -> KnownHit?

    /// Takes a page that is of no use from `expiry` on, not even while its source fails.
    func put(_ page: CachedPage, until expiry: Instant)

    /// Removes what is selected; how many pages that were.
    func remove(_ selection: PageSelection) async -> Int
}
