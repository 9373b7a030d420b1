package import Catalogue
import EventLoop
package import SearchModel
import Upstream

/// The order of hits by relevance, as a search gives them that has every list at once; for judging the ranking.
package enum MergedOrder {
    /// Returns the ids of the hits of all lists, each of which is its source's only page.
    ///
    /// New hits are new by `now`, in seconds since 1970.
    package static func ids(_ lists: [(source: Source, hits: [Hit])], _ query: SearchQuery, now: Int64) -> [String] {
        let profiles = lists.map { list in
            var profile = ConfiguredSource(source: list.source, access: AccountAccess()).profile
            profile.unavailable = nil
            return profile
        }
        var request = SearchRequest(query: query, sources: profiles)
        request.limit = SearchRequest.limitMax
        var walk = Walk(request, now: now)
        let fetchedAt = Instant(nanoseconds: 0)
        for list in lists {
            let key = PageKey(source: list.source.name, request: PageRequest(query: query))
            let page = Page(hits: list.hits, isEnd: true)
            walk.received(CachedPage(page, key: key, fetchedAt: fetchedAt, freshUntil: fetchedAt))
        }
        walk.merge(upTo: request.limit, without: [])
        return walk.merged.map(\.entry.id)
    }
}
