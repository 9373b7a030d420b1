import SearchModel

/// Merges one page of each source into the order the caller asked for.
///
/// Pure.
enum RoundMerge {
    /// The constant of reciprocal rank fusion: how little the first places of a list stand out.
    static let rankOffset = 60.0

    /// - Parameters:
    ///   - pages: One page a source, in the order of the sources; equal scores keep that order.
    ///   - sort: The order asked for.
    ///   - sortedUpstream: Whether every page is in that order already.
    /// - Returns: The places of all hits of the pages.
    static func merge(_ pages: [CachedPage], sort: Sort, sortedUpstream: Bool) -> [HitPlace] {
        let places = pages.flatMap { page in page.entries.indices.map { HitPlace(page: page, index: $0) } }
        if pages.count == 1, sortedUpstream { return places }
        switch sort {
        case .relevance: return stably(places) { score($0) > score($1) }
        case .recency:
            return stably(places) { left, right in
                (left.entry.publishedSeconds ?? .min) > (right.entry.publishedSeconds ?? .min)
            }
        case .title:
            let keyed = places.map { (key: TitleOrder($0.entry.title), place: $0) }
            return stably(keyed) { $0.key < $1.key }.map(\.place)
        }
    }

    private static func score(_ place: HitPlace) -> Double {
        1 / (rankOffset + Double(place.index + 1))
    }

    private static func stably<Element>(
        _ elements: [Element],
        by precedes: (Element, Element) -> Bool
    ) -> [Element] {
        elements.enumerated().sorted { left, right in
            if precedes(left.element, right.element) { return true }
            if precedes(right.element, left.element) { return false }
            return left.offset < right.offset
        }.map(\.element)
    }
}
