import JSON

/// The hits of a search of Hacker News, of which only the first thousand can be paged to.
struct HackerNewsResults {
    /// With filters this many documents are looked at for those that pass.
    private static let scanMax = 20_000

    let query: HackerNewsQuery
    let listing: Listing
    let hits: [Document]
    /// How many match, an estimate when there are filters.
    let total: Int

    init(_ query: HackerNewsQuery, at instant: Int64, in world: World) {
        self.query = query
        listing = world.listing(
            "hackernews.stories \(query.tags)",
            query.topic,
            share: query.tags.isEmpty ? HackerNewsSearch.share : HackerNewsSearch.share / 2,
            order: query.byDate ? .newest : .relevance,
            at: instant
        )
        guard !query.filters.isEmpty else {
            hits = listing.documents(0, HackerNewsSearch.hitsMax)
            total = listing.count
            return
        }
        let scanned = min(listing.count, Self.scanMax)
        let passed = listing.documents(0, scanned).filter { HackerNewsWriter.passes(query.filters, $0) }
        hits = Array(passed.prefix(HackerNewsSearch.hitsMax))
        total = scanned == 0 ? 0 : passed.count * listing.count / scanned
    }

    /// One page; past the last it has no hits.
    func page(_ page: Int, _ size: Int, search: UInt32) -> JSONValue {
        let writer = HackerNewsWriter(query: query, search: search)
        let first = min(page.multipliedReportingOverflow(by: size).partialValue.magnitude, UInt(hits.count))
        let shown = hits.dropFirst(Int(first)).prefix(size)
        let pages = size == 0 ? 0 : (hits.count + size - 1) / size
        return [
            "exhaustive": ["nbHits": false, "typo": false], "exhaustiveNbHits": false, "exhaustiveTypo": false,
            "hits": .array(shown.map(writer.hit)), "hitsPerPage": .integer(size), "nbHits": .integer(total),
            "nbPages": .integer(pages), "page": .integer(page),
            "params": .string("query=\(query.text)&advancedSyntax=true&analyticsTags=backend"),
            "processingTimeMS": 4, "query": .string(query.text), "serverTimeMS": 5,
        ]
    }

    /// Everything that a walk over the pages can reach, in order.
    ///
    /// - Parameters:
    ///   - text: What is searched for.
    ///   - sort: `search_by_date` for that path; nil for the one by relevance.
    ///   - instant: The time of the call.
    ///   - world: Where it is searched.
    /// - Returns: The stories, as `tags=story` finds them; nil for another sort.
    static func truth(_ text: String, sort: String?, at instant: Int64, in world: World) -> SandboxTruth? {
        guard ["search", "search_by_date"].contains(sort ?? "search") else { return nil }
        let query = HackerNewsQuery(text: text, tags: "story", byDate: sort == "search_by_date")
        let results = HackerNewsResults(query, at: instant, in: world)
        let search = query.search.key
        let ids = results.hits.map { String(TopicMemory.pack(search, $0.index)) }
        return SandboxTruth(total: results.total, reachable: ids.count, ids: ids)
    }
}
