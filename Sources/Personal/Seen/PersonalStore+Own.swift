import EventLoop
package import SearchModel
import Storage

/// A user's own data as a source of searches.
extension PersonalStore {
    /// A part of what is saved, the best match first.
    package func saved(_ query: OwnHitsQuery) throws(SearchError) -> OwnHits {
        guard hasFile else { return OwnHits() }
        var library = LibraryQuery()
        library.words = LibraryQuery.words(query.words)
        library.kinds = query.kinds
        library.sort = .relevance
        (library.offset, library.limit) = (query.offset, query.limit)
        guard library.words != nil else { return OwnHits() }
        let page = try page(library)
        return OwnHits(
            hits: page.items.compactMap(\.read).map { OwnHits.Hit(hit: $0.hit, fetchedAt: $0.savedAt) },
            total: page.total,
            isTotalExact: true
        )
    }

    /// A part of what searches have brought, the best match first.
    package func seen(_ query: OwnHitsQuery, _ settings: HistorySettings) throws(SearchError) -> OwnHits {
        guard hasFile else { return OwnHits() }
        let oldest = oldest(settings)
        return try use { tables throws(StorageError) in
            try SeenListing(database: tables.database).hits(query, since: oldest)
        }
    }
}
