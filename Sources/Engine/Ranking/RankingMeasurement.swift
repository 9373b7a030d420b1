package import Catalogue
import EventLoop
import RPC
package import SearchModel
import Upstream

/// Merges complete lists of hits by relevance; a benchmark uses it to measure the quality of the ranking.
package enum RankingMeasurement {
    /// Returns the ids of all hits in merged order, each with the parts of its score.
    ///
    /// Each list is the only page of its source. `weights` replace the weights of the sources. `now` is in seconds
    /// since 1970.
    package static func scored(
        _ lists: [(source: Source, hits: [Hit])],
        _ query: SearchQuery,
        weights: [Double]? = nil,
        now: Int64
    ) -> [(id: String, parts: ScoreParts)] {
        let profiles = lists.enumerated().map { index, list in
            var profile = ConfiguredSource(source: list.source, access: AccountAccess()).profile
            profile.unavailable = nil
            if let weights { profile.weight = weights[index] }
            return profile
        }
        var request = SearchRequest(query: query, sources: profiles)
        request.limit = WireBounds.limit.upperBound
        var walk = Walk(request, now: now)
        let fetchedAt = Instant(nanoseconds: 0)
        for (index, list) in lists.enumerated() {
            let key = PageKey(source: list.source.name, request: PageRequest(query: query))
            let page = Page(hits: list.hits, isEnd: true)
            walk.received(CachedPage(page, key: key, fetchedAt: fetchedAt, freshUntil: fetchedAt), of: index)
        }
        walk.merge(upTo: request.limit, without: [])
        return walk.merged.enumerated().map { ($1.entry.id, walk.parts(ofMerged: $0) ?? ScoreParts()) }
    }
}
