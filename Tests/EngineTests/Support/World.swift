import Catalogue
import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

/// The module Engine with virtual time and scripted sources.
struct World: Sendable {
    let loop: EventLoop
    let cache: ResultCache
    let disk: DiskTier?
    let inFlight: InFlight<PageKey, FetchedPage>
    let fetcher: ScriptedFetcher
    let loader: PageLoader
    let federation: Federation

    init(
        on loop: EventLoop,
        cacheBytes: Int = 8 << 20,
        disk: DiskTier? = nil,
        own: (any OwnPages)? = nil,
        script: @escaping @Sendable (PageKey, _ call: Int) -> ScriptedFetcher.Answer
    ) {
        self.loop = loop
        self.disk = disk
        cache = ResultCache(on: loop, bytesMax: cacheBytes)
        inFlight = InFlight(on: loop, flightsMax: 1000)
        fetcher = ScriptedFetcher(on: loop, script: script)
        loader = PageLoader(on: loop, cache: cache, tier: disk, inFlight: inFlight, fetcher: fetcher, own: own)
        federation = Federation(on: loop, loader: loader, random: SeededGenerator(seed: 1), wallClock: { 0 })
    }

    func search(
        _ request: SearchRequest,
        observer: (any SearchObserver)? = nil
    ) async -> Result<SearchAnswer, SearchError> {
        do throws(SearchError) {
            return .success(try await federation.search(request, observer: observer))
        } catch {
            return .failure(error)
        }
    }

    func cursor(after request: SearchRequest) async throws -> Cursor {
        try #require(try await search(request).get().next)
    }

    func cachedAnswer(_ request: SearchRequest) async throws(SearchError) -> SearchAnswer? {
        try await federation.cachedAnswer(of: federation.begin(request))
    }

    func sleep(_ duration: Duration) async throws {
        try await loop.sleep(until: loop.now.advanced(by: duration))
    }

    /// Follows the cursors to the last answer, or throws `EndlessWalk` after `answersMax` answers.
    func walk(
        _ request: SearchRequest,
        answersMax: Int = 200,
        between: (Int) async throws -> Void = { _ in }
    ) async throws -> [SearchAnswer] {
        var request = request
        var answers: [SearchAnswer] = []
        while answers.count < answersMax {
            let answer = try await search(request).get()
            answers.append(answer)
            guard let next = answer.next else { return answers }
            request.cursor = next
            request.offset = 0
            try await between(answers.count)
        }
        throw EndlessWalk()
    }
}

struct EndlessWalk: Error {}

func request(
    _ sources: [SourceProfile] = [profile()],
    query text: String = "고양이",
    offset: Int = 0,
    limit: Int = 10
) -> SearchRequest {
    var request = SearchRequest(query: query(text), sources: sources)
    request.offset = offset
    request.limit = limit
    return request
}

func steadyScript(
    total: Int,
    size: Int = 10,
    after delay: Duration = .milliseconds(50)
) -> @Sendable (PageKey, Int) -> ScriptedFetcher.Answer {
    { key, _ in
        let begin = min(key.request.page * size, total)
        let end = min(begin + size, total)
        return .page(page(key.source.text, begin..<end, total: total, isEnd: end == total), after: delay)
    }
}
