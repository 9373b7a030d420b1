import Catalogue
import EventLoop
import Glibc
import RPC
import SearchModel
import Testing
import Upstream

@testable import Engine

/// Measures the merged order by judged searches, with the built-in source files.
struct RankingQualityTests {
    /// The time of the searches, in seconds since 1970.
    private static let now: Int64 = 1_750_000_000
    private static let rankOffset = 60.0
    /// The lead over reciprocal rank fusion (k = 60), which uses only the order of each source.
    private static let lead = 0.15

    @Test(arguments: [0, 1])
    func `the merged order is far better than reciprocal rank fusion, also in searches that were not used for tuning`(
        half: Int
    ) throws {
        let searches = try JudgedSearch.all()
        #expect(searches.count >= 60)
        let catalogue = Catalogue.builtIn()
        var (merged, byRank) = (RankingMeasure(), RankingMeasure())
        for (number, search) in searches.enumerated() where number % 2 == half {
            merged.add(try Self.merged(search, catalogue), of: search)
            byRank.add(Self.byReciprocalRank(search), of: search)
        }
        #expect(merged.gain >= byRank.gain + Self.lead, "nDCG@10: \(merged.gain) and \(byRank.gain)")
        #expect(
            merged.recall >= byRank.recall + Self.lead,
            "the known item in 3: \(merged.recall) and \(byRank.recall)"
        )
    }

    @Test func `every search has a known item, several sources and irrelevant hits`() throws {
        for search in try JudgedSearch.all() {
            let hits = search.lists.flatMap(\.hits)
            #expect(hits.count(where: \.isKnown) == 1, "\(search.query)")
            #expect(search.lists.count >= 4 && hits.contains { $0.grade == 0 }, "\(search.query)")
            #expect(Set(search.lists.map(\.source)).count == search.lists.count)
        }
    }

    @Test func `a line contains the grade, the age, the title, the snippet and the author`() throws {
        let text = "? a b\n@x.one\n3! ~2 One: | half | of it / Somebody\n0 Two\n+ 2\n"
        let search = try #require(try JudgedSearch.read(text).first)
        #expect(search.query.text == "a b" && search.lists.map(\.hits.count) == [4])
        let hits = search.lists[0].hits
        #expect(
            hits[0]
                == JudgedSearch.Judged(
                    grade: 3,
                    isKnown: true,
                    ageDays: 2,
                    title: "One:",
                    snippet: "half | of it",
                    author: "Somebody"
                )
        )
        #expect(hits[1].title == "Two" && hits[1].snippet == nil && hits[1].ageDays == nil)
        #expect(hits[2...].allSatisfy { $0.grade == 0 && !$0.isKnown })
    }

    @Test(arguments: ["3 Title", "? a\n3 Title", "? a\n@x.one\n4 Title", "? a\n@x.one\n+ x", "? \n", "@x.one"])
    func `text that is not valid is refused`(text: String) {
        #expect(throws: JudgedSearch.WrongLine.self) { try JudgedSearch.read(text) }
    }

    @Test func `gain is 1 for the best order and less for others`() throws {
        let text = "? a\n@x.one\n3! One\n0 Two\n1 Three\n0 Four"
        let search = try #require(try JudgedSearch.read(text).first)
        let hits = search.lists[0].hits
        var best = RankingMeasure()
        best.add([hits[0], hits[2], hits[1], hits[3]], of: search)
        #expect(abs(best.gain - 1) < 1e-9 && best.recall == 1)
        var worse = RankingMeasure()
        worse.add([hits[1], hits[3], hits[2], hits[0]], of: search)
        #expect(worse.gain < 0.6 && worse.recall == 0)
    }

    @Test func `reciprocal rank fusion breaks ties by the name of the source`() throws {
        let search = try #require(try JudgedSearch.read("? a\n@x.two\n0 A\n0 B\n@x.one\n0 C").first)
        #expect(Self.byReciprocalRank(search).map(\.title) == ["C", "A", "B"])
    }

    // MARK: Orders

    /// Orders hits by reciprocal rank fusion; ties are broken by the name of the source.
    static func byReciprocalRank(_ search: JudgedSearch) -> [JudgedSearch.Judged] {
        let scored = search.lists.sorted { $0.source < $1.source }.flatMap { list in
            list.hits.enumerated().map { index, hit in (hit: hit, score: 1 / (rankOffset + Double(index + 1))) }
        }
        return scored.enumerated().sorted {
            $0.element.score == $1.element.score ? $0.offset < $1.offset : $0.element.score > $1.element.score
        }.map(\.element.hit)
    }

    /// Orders hits as the engine merges the lists of the sources.
    private static func merged(_ search: JudgedSearch, _ catalogue: Catalogue) throws -> [JudgedSearch.Judged] {
        var judged: [String: JudgedSearch.Judged] = [:]
        let lists = try search.lists.sorted { $0.source < $1.source }.map { list in
            let source = try #require(catalogue[list.source])
            let hits = list.hits.enumerated().map { index, hit in
                let seconds = hit.ageDays.map { now - Int64($0) * 86_400 }
                let id = "\(list.source):\(index)"
                judged[id] = hit
                return Hit(
                    id: id,
                    source: list.source,
                    kind: source.kind,
                    title: hit.title,
                    snippet: hit.snippet,
                    author: hit.author,
                    published: seconds.map { PublishedDate(epochSeconds: $0, offsetMinutes: 0, precision: .second) },
                    rank: index + 1
                )
            }
            return (source: source, hits: hits)
        }
        return Self.merged(lists, search.query).compactMap { judged[$0] }
    }

    /// Merges complete lists as a search does; returns the ids.
    private static func merged(_ lists: [(source: Source, hits: [Hit])], _ query: SearchQuery) -> [String] {
        let profiles = lists.map { list in
            var profile = ConfiguredSource(source: list.source, access: AccountAccess()).profile
            profile.unavailable = nil
            return profile
        }
        var request = SearchRequest(query: query, sources: profiles)
        request.limit = WireBounds.limit.upperBound
        var walk = Walk(request, now: now)
        let fetchedAt = Instant(nanoseconds: 0)
        for (index, list) in lists.enumerated() {
            let key = PageKey(source: list.source.name, request: PageRequest(query: query))
            let page = Page(hits: list.hits, isEnd: true)
            walk.received(CachedPage(page, key: key, fetchedAt: fetchedAt, freshUntil: fetchedAt), of: index)
        }
        walk.merge(upTo: request.limit, without: [])
        return walk.merged.map(\.entry.id)
    }
}

/// The quality of orders of judged hits.
struct RankingMeasure: Sendable {
    private static let window = 10
    private static let first = 3

    private var searches = 0
    private var gains = 0.0
    private var found = 0
    private var known = 0

    /// The mean nDCG@10: 1 for the best possible orders.
    var gain: Double { gains / Double(max(1, searches)) }
    /// The share of searches with the known item among the first three.
    var recall: Double { Double(found) / Double(max(1, known)) }

    mutating func add(_ order: [JudgedSearch.Judged], of search: JudgedSearch) {
        let all = search.lists.flatMap(\.hits)
        let best = Self.gain(of: all.sorted { $0.grade > $1.grade })
        searches += 1
        gains += best > 0 ? Self.gain(of: order) / best : 1
        guard all.contains(where: \.isKnown) else { return }
        known += 1
        if order.prefix(Self.first).contains(where: \.isKnown) { found += 1 }
    }

    /// The discounted gain of the first ten hits.
    static func gain(of order: [JudgedSearch.Judged]) -> Double {
        order.prefix(window).enumerated().reduce(0) { sum, hit in
            sum + Double((1 << hit.element.grade) - 1) / log2(Double(hit.offset + 2))
        }
    }
}
