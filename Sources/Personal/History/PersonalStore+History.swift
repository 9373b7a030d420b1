import EventLoop
package import SearchModel
import Storage

/// What a user searched.
extension PersonalStore {
    /// Adds searches to the history, and what searches have brought to what has been seen, all in one commit.
    ///
    /// - Parameters:
    ///   - searches: In the order in which they came.
    ///   - brought: Those of which hits are given.
    ///   - settings: How long entries are kept.
    /// - Returns: What the hits change for suggestions.
    /// - Throws: `unavailable` when the file can't be written.
    @discardableResult
    package func record(
        _ searches: [HistorySearch],
        brought: [BroughtHits] = [],
        _ settings: HistorySettings
    ) async throws(SearchError) -> [SuggestionIndex.Change] {
        let oldest = oldest(settings)
        return try await use { [self] tables throws(StorageError) in
            if !brought.isEmpty { seenChanged() }
            return try tables.database.transaction { () throws(StorageError) -> [SuggestionIndex.Change] in
                try tables.history.add(searches)
                try tables.history.expire(before: oldest)
                var titles: [SuggestionIndex.Change] = []
                for hits in brought { titles += try tables.seen.add(hits) }
                try tables.seen.expire(before: oldest)
                return titles
            }
        }
    }

    /// The latest entries first.
    package func entries(
        _ query: HistoryQuery,
        _ settings: HistorySettings
    ) async throws(SearchError) -> [HistoryEntry] {
        guard hasFile else { return [] }
        let oldest = oldest(settings)
        return try await use { tables throws(StorageError) in try tables.history.entries(query, since: oldest) }
    }

    /// Before which nothing is kept, in milliseconds since 1970.
    package func oldest(_ settings: HistorySettings) -> Int64 {
        now * 1000 - settings.keep.saturatingNanoseconds / 1_000_000
    }
}
