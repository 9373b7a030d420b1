import Catalogue
import Engine
import EventLoop
import RPC
import Sandbox
import SearchModel
import TestSupport
import Testing
import Upstream

/// Follows cursors up to `hitsMax` hits and compares the hits with the mock server's documents.
@Suite struct PagingOverHTTPTests {
    private static let queries = ["고양이 카페", "coffee", "바이올린 연습"]
    private static let hitsMax = 250

    @Test(arguments: builtInSources.map(\.name.text))
    func `following the cursors returns every document once, in the source's order`(name: String) async throws {
        var random = SeededGenerator(seed: testSeed("\(name), paging"))
        try await withSources { sources in
            let source = try sources.source(name)
            let query = try #require(Self.queries.randomElement(using: &random))
            let sort = try #require(source.sorts.randomElement(using: &random))
            let truth = try sources.truth(source, query, sort)
            var paging = try PagedSearch(sources, source, query, sort)
            while !paging.isAtEnd, paging.keys.count < Self.hitsMax {
                try await paging.step(limit: Int.random(in: 1...120, using: &random))
            }
            let message: Comment = "\(name) \(query) \(sort): \(paging.keys.count) of \(truth.ids.count)"
            #expect(paging.keys == Array(truth.ids.prefix(paging.keys.count)), message)
            #expect(!paging.isAtEnd || paging.keys.count == truth.ids.count, message)
            #expect(paging.totals.count == 1, "\(name): \(paging.totals)")
        }
    }
}

/// Searches one source, page by page, with cursors.
private struct PagedSearch {
    private let federation: Federation
    private let source: Source
    private var request: SearchRequest
    private(set) var keys: [String] = []
    private(set) var totals: Set<Int?> = []
    private(set) var isAtEnd = false

    init(
        _ sources: SourcesOverHTTP,
        _ source: Source,
        _ query: String,
        _ sort: Sort
    ) throws {
        let loader = PageLoader(
            on: sources.loop,
            cache: ResultCache(on: sources.loop, bytesMax: 64 << 20),
            inFlight: InFlight(on: sources.loop, flightsMax: 100),
            fetcher: sources.fetcher
        )
        federation = Federation(on: sources.loop, loader: loader, wallClock: { 0 })
        self.source = source
        let profile = try #require(sources.registry[source.name]).profile
        request = SearchRequest(query: try #require(SearchQuery(query)), sources: [profile])
        request.sort = sort
        request.timeout = .milliseconds(WireBounds.timeoutMilliseconds.upperBound)
    }

    mutating func step(limit: Int) async throws {
        request.limit = limit
        let answer = try await federation.search(request)
        let report = try #require(answer.sources.first)
        #expect(answer.isComplete, "\(report.error?.message ?? "")")
        for hit in answer.hits {
            let raw = hit.page.raw[hit.entry.rawRange]
            keys.append(try DocumentKey.of(raw, source.name))
        }
        totals.insert(report.total)
        request.cursor = answer.next
        isAtEnd = answer.next == nil
    }
}
