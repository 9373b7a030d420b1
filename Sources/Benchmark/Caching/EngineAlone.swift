import Catalogue
import Engine
import EventLoop
import SearchModel

/// The engine without sockets, with pages that are put into its cache.
struct EngineAlone {
    static let hitsOnPage = 10
    private static let ttl = Duration.seconds(86_400)

    let federation: Federation
    private let cache: ResultCache

    /// `now` are seconds since 1970.
    init(on loop: EventLoop, fetcher: any PageFetcher = NoPages(), now: Int64) {
        cache = ResultCache(on: loop, bytesMax: .max)
        let inFlight = InFlight<PageKey, CachedPage>(on: loop, flightsMax: 100, waitersMax: 100)
        let loader = PageLoader(on: loop, cache: cache, inFlight: inFlight, fetcher: fetcher)
        federation = Federation(on: loop, loader: loader, wallClock: { now })
    }

    static func profile(_ name: String) throws(BenchmarkError) -> SourceProfile {
        guard let source = SourceName(name), let kind = Kind("blog") else {
            throw BenchmarkError(.program, "\(name) is no source name")
        }
        return SourceProfile(
            name: source,
            kind: kind,
            sorts: [.relevance],
            pageSize: hitsOnPage,
            freshness: Freshness(ttl: ttl, negativeTTL: ttl)
        )
    }

    /// Puts the only page of a query into the cache.
    func keep(_ hits: [Hit], for query: SearchQuery, of profile: SourceProfile) async {
        let key = PageKey(source: profile.name, request: PageRequest(query: query))
        await cache.insert(cache.made(Page(hits: hits, isEnd: true), key: key, profile.freshness))
    }

    /// The answer to a search whose pages are all in the cache.
    func answer(_ request: SearchRequest) async throws(BenchmarkError) -> SearchAnswer {
        guard let answer = try? await federation.cachedAnswer(of: federation.begin(request)), !answer.hits.isEmpty
        else {
            throw BenchmarkError(.answer, "a page that was put into the cache is not there")
        }
        return answer
    }
}

/// Fails every call: all pages are in the cache.
struct NoPages: PageFetcher {
    func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page {
        throw SearchError(.unavailable, "there is no source here", source: key.source)
    }
}
