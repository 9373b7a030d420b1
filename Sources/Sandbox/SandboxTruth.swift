/// What a source really has on a query: the yardstick for walks over its pages.
package struct SandboxTruth: Equatable, Sendable {
    /// How many match, as the source claims when nothing drifts.
    package var total: Int
    /// How many of them anyone can page to.
    package var reachable: Int
    /// What identifies the reachable ones, in the source's order: Kakao `url` (image: `image_url`), Naver `link`,
    /// Google `id`, iTunes `trackId` or `collectionId`, Wikipedia `pageid`, Open Library `key`, Hacker News `objectID`.
    package var ids: [String]
}

extension SandboxResponder {
    /// The true list of a source for a query, in one of the source's own sorts.
    ///
    /// - Parameters:
    ///   - source: As searchd names it.
    ///   - query: What would be searched for.
    ///   - sort: The value of the source's own parameter; its default when nil.
    ///   - instant: Nanoseconds since 1970; matters only while documents arrive.
    /// - Returns: nil for a source or a sort that the sandbox does not know.
    package func truth(of source: String, query: String, sort: String? = nil, at instant: Int64) -> SandboxTruth? {
        if let kind = KakaoKind.allCases.first(where: { $0.source == source }) {
            return KakaoResults.truth(kind, query, sort: sort, at: instant, in: world)
        }
        if let kind = NaverKind.allCases.first(where: { $0.source == source }) {
            return NaverResults.truth(kind, query, sort: sort, at: instant, in: world)
        }
        if let record = ITunesKind.allCases.first(where: { $0.source == source }) {
            return sort == nil ? ITunesResults.truth(record, query, at: instant, in: world) : nil
        }
        let parts = source.split(separator: ".")
        if parts.count == 2, parts[0] == "wikipedia" {
            return WikipediaResults.truth(String(parts[1]), query, sort: sort, at: instant, in: world)
        }
        return switch source {
        case "google.books": GoogleResults.truth(query, sort: sort, at: instant, in: world)
        case "openlibrary.books": OpenLibraryResults.truth(query, sort: sort, at: instant, in: world)
        case "hackernews.stories": HackerNewsResults.truth(query, sort: sort, at: instant, in: world)
        default: nil
        }
    }
}
