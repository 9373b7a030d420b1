/// The documents that a Naver query finds, and the page of them it asks for.
struct NaverResults {
    let query: NaverSearch.Query
    let listing: Listing

    init(_ query: NaverSearch.Query, at instant: Int64, in world: World) {
        self.query = query
        listing = world.listing(
            query.kind.source + (query.filter.map { " \($0)" } ?? ""),
            query.topic,
            share: query.kind.share,
            order: query.kind.order(query.sort),
            at: instant
        )
    }

    var documents: [Document] { listing.documents(query.start - 1, query.display) }

    /// An estimate that moves by some tenths of a percent every few seconds; small totals stand still.
    func claimedTotal(at moment: Timestamp, drifts: Bool) -> Int {
        guard drifts, listing.count > 200 else { return listing.count }
        var dice = Dice(query.topic.key, UInt64(moment.seconds / 3))
        return listing.count + listing.count * dice.roll(-50...50) / 10_000
    }

    /// Everything that a walk over the pages can reach, in order.
    static func truth(
        _ kind: NaverKind,
        _ text: String,
        sort: String?,
        at instant: Int64,
        in world: World
    ) -> SandboxTruth? {
        let sort = sort ?? kind.sorts.first ?? ""
        guard kind.sorts.isEmpty || kind.sorts.contains(sort) else { return nil }
        let query = NaverSearch.Query(
            kind: kind,
            topic: Topic(text),
            sort: sort,
            start: 1,
            display: kind.startMax - 1 + kind.displayMax
        )
        let results = NaverResults(query, at: instant, in: world)
        let writer = NaverWriter(pictures: world.pictures)
        let ids = results.documents.map { writer.identity($0, query) }
        return SandboxTruth(total: results.listing.count, reachable: ids.count, ids: ids)
    }
}
