import Catalogue
import Engine
import EventLoop
import SearchModel

/// The ways in which the lists of a judged search become one; each gives ids.
struct RankingWays: Sendable {
    /// When the searches are made.
    static let now: Int64 = 1_750_000_000
    private static let rankOffset = 60.0

    private let catalogue = Catalogue.builtIn()

    /// By reciprocal rank alone, sources in the order of their names.
    static func reciprocalRank(_ search: JudgedSearch) -> [String] {
        let lists = search.lists.sorted { $0.source < $1.source }
        let scored = lists.flatMap { list in
            list.hits.enumerated().map { index, hit in
                (id: JudgedSearch.id(of: hit, at: index, list.source), score: 1 / (rankOffset + Double(index + 1)))
            }
        }
        return scored.enumerated().sorted {
            $0.element.score == $1.element.score ? $0.offset < $1.offset : $0.element.score > $1.element.score
        }.map(\.element.id)
    }

    /// One of each source in turn, beginning with another source each time.
    static func roundRobin(_ search: JudgedSearch, first: Int) -> [String] {
        let count = search.lists.count
        let lists = search.lists.indices.map { search.lists[($0 + first) % count] }
        let deepest = lists.map(\.hits.count).max() ?? 0
        return (0..<deepest).flatMap { index in
            lists.filter { $0.hits.count > index }.map { JudgedSearch.id(of: $0.hits[index], at: index, $0.source) }
        }
    }

    /// As the engine does, with the sources as their files declare them.
    func searchd(_ search: JudgedSearch, on loop: EventLoop) async throws(BenchmarkError) -> [String] {
        var profiles: [SourceProfile] = []
        for list in search.lists.sorted(by: { $0.source < $1.source }) {
            guard let source = catalogue[list.source] else {
                throw BenchmarkError(.program, "no source is called \(list.source)")
            }
            var profile = ConfiguredSource(source: source, access: AccountAccess()).profile
            profile.unavailable = nil
            profiles.append(profile)
        }
        var request = SearchRequest(query: search.query, sources: profiles)
        request.limit = SearchRequest.limitMax
        // All ways have every list, also those of sources that would be left out for so short a query.
        request.named = profiles.map(\.name)
        let engine = EngineAlone(on: loop, fetcher: JudgedPages(search: search, catalogue: catalogue), now: Self.now)
        do throws(SearchError) {
            return try await engine.federation.search(request).hits.map(\.entry.id)
        } catch {
            throw BenchmarkError(.answer, "a judged search fails: \(error.message)")
        }
    }
}

/// Gives the lists of a judged search as its sources' only pages.
private struct JudgedPages: PageFetcher {
    let search: JudgedSearch
    let catalogue: Catalogue

    func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page {
        let kind = catalogue[key.source]?.kind
        guard let kind, let list = search.lists.first(where: { $0.source == key.source }) else {
            throw SearchError(.unavailable, "there is no list of \(key.source)", source: key.source)
        }
        let hits = list.hits.enumerated().map { index, judged in
            let seconds = judged.ageDays.map { RankingWays.now - Int64($0) * 86_400 }
            return Hit(
                id: JudgedSearch.id(of: judged, at: index, key.source),
                source: key.source,
                kind: kind,
                title: judged.title,
                snippet: judged.snippet,
                author: judged.author,
                published: seconds.map { PublishedDate(epochSeconds: $0, offsetMinutes: 0, precision: .second) },
                rank: index + 1
            )
        }
        return Page(hits: hits, isEnd: true)
    }
}
