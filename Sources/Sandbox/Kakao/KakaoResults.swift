import JSON

/// The documents that a Kakao query finds, and the page of them it asks for.
struct KakaoResults {
    let query: KakaoSearch.Query
    let listing: Listing
    /// How many of the matches anyone is shown.
    let reachable: Int
    private let quirks: SandboxQuirks

    init(_ query: KakaoSearch.Query, at instant: Int64, in world: World) {
        self.query = query
        quirks = world.options.quirks
        let name = query.kind.source + (query.target.map { " \($0)" } ?? "")
        listing = world.listing(
            name,
            query.topic,
            share: query.kind.share,
            order: query.byDate ? .newest : .relevance,
            at: instant
        )
        reachable = Self.reachable(of: listing.count, ceiling: query.kind.ceiling, key: query.topic.key)
    }

    /// Somewhat below the ceiling, and below the total when that is small.
    private static func reachable(of total: Int, ceiling: Int, key: UInt64) -> Int {
        var dice = Dice(key, UInt64(ceiling))
        if total > ceiling { return ceiling - dice.roll(ceiling / 25) }
        return total < 20 ? total : total - dice.roll(total / 7 + 1)
    }

    /// The positions that the page shows.
    var positions: Range<Int> {
        let first = (query.page - 1) * query.size
        if first < reachable { return first..<min(first + query.size, reachable) }
        guard quirks.kakaoRepeatsLastPage, reachable > 0 else { return 0..<0 }
        return ((reachable - 1) / query.size * query.size)..<reachable
    }

    private var isEnd: Bool {
        query.page * query.size >= reachable
    }

    /// The whole answer, its names in alphabetical order as Kakao writes them.
    func document(_ pictures: Pictures) -> JSONValue {
        let documents = positions.map { KakaoDocument(document: listing.document(at: $0), query: query).json(pictures) }
        let shown = query.kind == .book && quirks.kakaoBookCountsShown ? positions.upperBound : reachable
        let meta = Body.object([
            "is_end": .bool(isEnd), "pageable_count": .integer(shown), "total_count": .integer(listing.count),
        ])
        return Body.object(["documents": .array(documents), "meta": meta])
    }
}

extension KakaoResults {
    /// Everything that a walk over the pages can reach, in order.
    static func truth(
        _ kind: KakaoKind,
        _ text: String,
        sort: String?,
        at instant: Int64,
        in world: World
    ) -> SandboxTruth? {
        let sort = sort ?? "accuracy"
        guard ["accuracy", kind.dateSort].contains(sort) else { return nil }
        let query = KakaoSearch.Query(
            kind: kind,
            topic: Topic(text),
            byDate: sort != "accuracy",
            page: 1,
            size: kind.sizeMax
        )
        let results = KakaoResults(query, at: instant, in: world)
        let reachable = min(results.reachable, kind.pageMax * kind.sizeMax)
        let ids = results.listing.documents(0, reachable).map {
            KakaoDocument(document: $0, query: query).identity(world.pictures)
        }
        return SandboxTruth(total: results.listing.count, reachable: reachable, ids: ids)
    }
}
