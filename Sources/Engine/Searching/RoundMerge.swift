import SearchModel

/// Merges one page of each source into the order the caller asked for.
///
/// Pure.
enum RoundMerge {
    /// - Parameters:
    ///   - pages: One page a source, in the order of the sources; equal scores keep that order.
    ///   - sort: The order asked for.
    ///   - sortedUpstream: Whether every page is in that order already.
    /// - Returns: The places of all hits of the pages.
    static func merge(_ pages: [CachedPage], sort: Sort, sortedUpstream: Bool) -> [HitPlace] {
        if sort == .relevance { return inTurn(pages) }
        let places = pages.flatMap { page in page.entries.indices.map { HitPlace(page: page, index: $0) } }
        if pages.count == 1, sortedUpstream { return places }
        switch sort {
        case .relevance: return places
        case .recency:
            // Undated hits come last.
            return sorted(places, by: { $0.entry.publishedSeconds ?? .min }, precedes: >)
        case .title: return sorted(places, by: { TitleOrder($0.entry.title) }, precedes: <)
        }
    }

    /// The first hits of all pages, then the second ones and so on: the order of their reciprocal ranks, all sources
    /// weighing the same.
    private static func inTurn(_ pages: [CachedPage]) -> [HitPlace] {
        var places: [HitPlace] = []
        places.reserveCapacity(pages.reduce(0) { $0 + $1.entries.count })
        for index in 0..<(pages.map(\.entries.count).max() ?? 0) {
            for page in pages where index < page.entries.count { places.append(HitPlace(page: page, index: index)) }
        }
        return places
    }

    /// Sorts by a key that is made once a hit; hits of equal keys keep their order.
    private static func sorted<Key>(
        _ places: [HitPlace],
        by key: (HitPlace) -> Key,
        precedes: (Key, Key) -> Bool
    ) -> [HitPlace] {
        let keys = places.map(key)
        let order = keys.indices.sorted { left, right in
            if precedes(keys[left], keys[right]) { return true }
            if precedes(keys[right], keys[left]) { return false }
            return left < right
        }
        return order.map { places[$0] }
    }
}
