import Catalogue
import Engine
import EventLoop
import RPC
import Sandbox
import SearchModel
import TestSupport
import Testing
import Upstream

/// Walks along cursors, through cache and HTTP, compared with the documents of the mock server.
@Suite struct WalksOverHTTPTests {
    private static let queries = ["고양이 카페", "coffee", "바이올린 연습"]
    /// The limit of a walk.
    private static let hitsMax = 250

    @Test(arguments: builtInSources.map(\.name.text))
    func `a walk returns every document once, in the source's order`(name: String) async throws {
        var random = SeededGenerator(seed: testSeed("\(name), walk"))
        try await withSources { sources in
            let source = try sources.source(name)
            let query = try #require(Self.queries.randomElement(using: &random))
            let sort = try #require(source.sorts.randomElement(using: &random))
            let truth = try sources.truth(source, query, sort)
            var walk = try Walking(sources, source, query, sort)
            while !walk.isAtEnd, walk.keys.count < Self.hitsMax {
                try await walk.step(limit: Int.random(in: 1...120, using: &random))
            }
            let message: Comment = "\(name) \(query) \(sort): \(walk.keys.count) of \(truth.ids.count)"
            #expect(walk.keys == Array(truth.ids.prefix(walk.keys.count)), message)
            #expect(!walk.isAtEnd || walk.keys.count == truth.ids.count, message)
            #expect(walk.totals.count == 1, "\(name): \(walk.totals)")
        }
    }

    /// A source over the mock server's Google, whose totals change; here in small pages.
    private static let own = """
        {
            source: "own.volumes", kind: "book", title: "Volumes",
            account: { access: { base: "BASE", parameters: { key: "KEY", country: "KR" } } },
            request: { path: "/google/books/v1/volumes", parameters: { q: "{query}", startIndex: "{start}", maxResults: "{size}" } },
            paging: { style: "item", first: 0, size: 2 },
            response: { hits: "items", hitsMayBeAbsent: true, total: "totalItems" },
            hit: { key: "id", title: "volumeInfo.title" },
        }
        """

    @Test func `hundreds of pages of a list that changes are walked to the end`() async throws {
        let own = Self.own.replacing("KEY", with: try #require(SandboxKeys().google.first))
        try await withSources(
            files: [own],
            options: {
                $0.quirks.totalsDrift = true
                // Between any three calls something new appears at the front, and all else moves down.
                $0.quirks.arrivalCalls = 3
            }
        ) { sources in
            let google = try sources.source("google.books")
            let truth = try sources.truth(google, "고양이")
            try #require(truth.ids.count > 1000)
            var walk = try Walking(sources, try sources.source("own.volumes"), "고양이", .relevance)
            while !walk.isAtEnd {
                try await walk.step(limit: 2)
                try #require(walk.keys.count < 10_000, "a walk without end")
            }
            #expect(await sources.sandbox.counts.requests() > 500)
            #expect(Set(walk.keys).count == walk.keys.count)
            #expect(walk.keys.filter(Set(truth.ids).contains) == truth.ids)
            #expect(walk.totals.count == 1)
        }
    }
}

/// A walk along the cursors of a search.
private struct Walking {
    private let federation: Federation
    private let source: Source
    private var request: SearchRequest
    /// The keys of the documents, in order.
    private(set) var keys: [String] = []
    private(set) var totals: Set<Int?> = []
    /// The use of the cache for each answer.
    private(set) var uses: [CacheUse?] = []
    private(set) var isAtEnd = false

    init(
        _ sources: SourcesOverHTTP,
        _ source: Source,
        _ query: String,
        _ sort: Sort,
        offset: Int = 0
    ) throws {
        let loader = PageLoader(
            on: sources.loop,
            cache: ResultCache(on: sources.loop, bytesMax: 64 << 20),
            inFlight: InFlight(on: sources.loop, flightsMax: 100),
            fetcher: sources.fetcher
        )
        federation = Federation(on: sources.loop, loader: loader, wallClock: { 0 })
        self.source = source
        let profile = try #require(sources.directory[source.name]).profile
        request = SearchRequest(query: try #require(SearchQuery(query)), sources: [profile])
        request.sort = sort
        request.offset = offset
        request.timeout = SearchRequest.timeoutMax
    }

    /// Loads the next answer, which must be complete.
    mutating func step(limit: Int) async throws {
        request.limit = limit
        let answer = try await federation.search(request)
        let report = try #require(answer.sources.first)
        #expect(answer.isComplete, "\(report.error?.message ?? "")")
        for hit in answer.hits {
            let raw = hit.page.raw[hit.entry.rawRange]
            keys.append(
                source.name.account == "own" ? String(hit.entry.id.dropFirst(12)) : try DocumentKey.of(raw, source.name)
            )
        }
        totals.insert(report.total)
        uses.append(report.cache)
        request.cursor = answer.next
        request.offset = 0
        isAtEnd = answer.next == nil
    }
}
