import Catalogue
import Engine
import EventLoop
import JSON
import SearchModel

/// What it takes to answer a search of several sources whose pages are all in the cache, in nanoseconds of processor time.
struct MergingCost: Sendable {
    private static let sources = 8
    private static let hitsOnPage = 10
    private static let searches = 1_000

    /// By one source, which is not merged.
    let alone: Double
    /// When the texts of the hits are compared with the query for the first time.
    let first: Double
    let again: Double

    static func measure() throws(BenchmarkError) -> MergingCost {
        try OnLoop.run { loop async throws(BenchmarkError) in
            let profiles = try profiles()
            let cache = ResultCache(on: loop, bytesMax: .max)
            let queries = (0..<searches).compactMap { SearchQuery("고양이 사료 추천 \($0)") }
            for query in queries {
                for profile in profiles {
                    let key = PageKey(source: profile.name, request: PageRequest(query: query))
                    let hits = (0..<hitsOnPage).map { hit($0, profile) }
                    let made = await cache.made(Page(hits: hits, isEnd: true), key: key, profile.freshness)
                    await cache.insert(made)
                }
            }
            let inFlight = InFlight<PageKey, CachedPage>(on: loop, flightsMax: 1, waitersMax: 1)
            let loader = PageLoader(on: loop, cache: cache, inFlight: inFlight, fetcher: NoPages())
            let federation = Federation(on: loop, loader: loader, wallClock: { RankingWays.now })
            _ = try await time(queries, Array(profiles.prefix(1)), federation)
            let alone = try await time(queries, Array(profiles.prefix(1)), federation)
            let first = try await time(queries, profiles, federation)
            let again = try await time(queries, profiles, federation)
            return MergingCost(alone: alone, first: first, again: again)
        }
    }

    private static func time(
        _ queries: [SearchQuery],
        _ profiles: [SourceProfile],
        _ federation: Federation
    ) async throws(BenchmarkError) -> Double {
        let start = SystemCall.threadTime
        for query in queries {
            let request = SearchRequest(query: query, sources: profiles)
            guard let answer = try? await federation.cachedAnswer(of: federation.begin(request)),
                answer.hits.count == request.limit
            else { throw BenchmarkError(.answer, "a page that was put into the cache is not there") }
        }
        return Double(SystemCall.threadTime - start) / Double(queries.count)
    }

    private static func profiles() throws(BenchmarkError) -> [SourceProfile] {
        try (0..<sources).map { number throws(BenchmarkError) in
            guard let name = SourceName("bench.n\(number)"), let kind = Kind("blog") else {
                throw BenchmarkError(.program, "a source's name is wrong")
            }
            return SourceProfile(
                name: name,
                kind: kind,
                sorts: [.relevance],
                pageSize: hitsOnPage,
                freshness: Freshness(ttl: .seconds(86_400), negativeTTL: .seconds(86_400))
            )
        }
    }

    private static func hit(_ number: Int, _ profile: SourceProfile) -> Hit {
        var hit = Hit(
            id: "\(profile.name):\(number)",
            source: profile.name,
            kind: profile.kind,
            title: "우리 집 고양이 이야기, \(number)번째 사료",
            rank: number + 1
        )
        hit.url = "https://\(profile.name).example/\(number)"
        hit.snippet = String(repeating: "지난주에 강릉에서 고양이 하나만 한참 바라보았다, 사료 \(number). ", count: 3)
        return hit
    }

    var section: Report.Section {
        var table = ResultTable(["an answer of", "µs of processor time"])
        table.add("one source, not merged", [.one(alone, .microseconds)])
        table.add("\(Self.sources) sources of \(Self.hitsOnPage) hits, at first", [.one(first, .microseconds)])
        table.add("the same, again", [.one(again, .microseconds)])
        return Report.Section(
            name: "merging",
            title: "What an answer from the cache costs when it is merged",
            notes: ["the first time compares the texts with the query; what comes of it is kept with the page"],
            tables: [table]
        )
    }
}

/// Has no source: everything that is asked for is in the cache.
struct NoPages: PageFetcher {
    func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page {
        throw SearchError(.unavailable, "there is no source here", source: key.source)
    }
}
