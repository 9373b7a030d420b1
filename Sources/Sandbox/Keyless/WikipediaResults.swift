/// The articles of one wiki that a search finds.
struct WikipediaResults {
    let search: TopicMemory.Search
    let topic: Topic
    let listing: Listing
    /// Of how many articles with the words one is found: those that have them in their title, or as their title.
    private let step: Int

    init(
        _ language: String,
        _ text: String,
        what: String = "text",
        order: Order,
        at instant: Int64,
        in world: World
    ) {
        // The variant is the language, so that a page's id tells its wiki.
        search = TopicMemory.Search(query: text, variant: language)
        topic = Topic(text)
        let share = WikipediaSearch.share
        listing = world.listing("wikipedia.\(language)", topic, share: share, order: order, at: instant)
        step =
            switch what {
            case "title": 3
            case "nearmatch": max(1, listing.count)
            default: 1
            }
    }

    var count: Int { (listing.count + step - 1) / step }
    var reachable: Int { min(count, WikipediaSearch.reachableMax) }

    func documents(_ offset: Int, _ limit: Int) -> [Document] {
        let first = min(offset, reachable)
        return (first..<min(first + limit, reachable)).map { listing.document(at: $0 * step) }
    }

    /// Everything that a walk over the pages can reach, in order.
    static func truth(
        _ language: String,
        _ text: String,
        sort: String?,
        at instant: Int64,
        in world: World
    ) -> SandboxTruth? {
        guard let order = WikipediaSearch.sorts[sort ?? "relevance"] else { return nil }
        let results = WikipediaResults(language, text, order: order, at: instant, in: world)
        let search = results.search.key
        let ids = results.documents(0, results.reachable).map { String(TopicMemory.pack(search, $0.index)) }
        return SandboxTruth(total: results.count, reachable: ids.count, ids: ids)
    }
}
