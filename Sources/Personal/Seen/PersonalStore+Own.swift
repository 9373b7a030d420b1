import EventLoop
package import SearchModel
import Storage

/// A user's own data as a source of searches.
extension PersonalStore {
    /// A part of what is saved, the best match first.
    package func saved(_ query: LibraryQuery) async throws(SearchError) -> OwnHits {
        guard hasFile, query.words != nil else { return OwnHits() }
        let page = try await page(query)
        return OwnHits(
            hits: page.items.compactMap(\.read).map { OwnHits.Hit(hit: $0.hit, fetchedAt: $0.savedAt) },
            total: page.total
        )
    }

    /// A part of what searches have brought, the best match first.
    package func seen(_ query: LibraryQuery, _ settings: HistorySettings) async throws(SearchError) -> OwnHits {
        guard hasFile, let words = query.words.flatMap({ TypedWords($0) }) else { return OwnHits() }
        return try await seenPage(query, words, since: oldest(settings))
    }

    /// A hit as it was saved, or as a search brought it: whichever says more.
    package func hit(_ id: String, _ settings: HistorySettings) async throws(SearchError) -> OwnHits.Hit? {
        guard hasFile else { return nil }
        let oldest = oldest(settings)
        return try await use { tables throws(StorageError) in
            let saved = try tables.library.item(id).map { OwnHits.Hit(hit: $0.hit, fetchedAt: $0.savedAt) }
            let seen = try tables.seen.hit(id, since: oldest)
            return [saved, seen].compactMap(\.self).max { $0.hit.bytes.count < $1.hit.bytes.count }
        }
    }
}
