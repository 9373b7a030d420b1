import Catalogue
import JSON
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Engine

struct MergeTests {
    private func merged(
        by sort: Sort = .relevance,
        weights: [Double] = [],
        sortsUpstream: Bool = true,
        _ lists: [Hit]...
    ) -> [HitPosition] {
        let names = lists.enumerated().map { place, hits in hits.first?.source.text ?? "x.none\(place)" }
        let profiles = names.enumerated().map { place, name in
            profile(
                name,
                sorts: sortsUpstream ? Set(Sort.allCases) : [.relevance],
                weight: place < weights.count ? weights[place] : 1
            )
        }
        var request = request(profiles, limit: 1000)
        request.sort = sort
        var walk = Walk(request, now: 0)
        for (name, hits) in zip(names, lists) {
            walk.received(cachedPage(Page(hits: hits, isEnd: true), key: pageKey(name)))
        }
        walk.merge(upTo: 1000, without: [])
        return walk.merged
    }

    private func list(_ source: String, _ addresses: String...) -> [Hit] {
        addresses.enumerated().map { hit(source, $0, url: "https://x.example/\($1)") }
    }

    @Test func `by relevance, sources with equal matches alternate`() {
        let one = (0..<3).map { hit("a.one", $0) }
        let two = (0..<2).map { hit("b.two", $0) }
        #expect(merged(one, two).ids == ["a.one:0", "b.two:0", "a.one:1", "b.two:1", "a.one:2"])
        #expect(merged(two, one).ids == ["b.two:0", "a.one:0", "b.two:1", "a.one:1", "a.one:2"])
    }

    @Test func `by recency, hits without a date come last`() {
        let one = [hit("a.one", 0, published: 50), hit("a.one", 1), hit("a.one", 2, published: 10)]
        let two = [hit("b.two", 0, published: 30), hit("b.two", 1, published: 10), hit("b.two", 2)]
        #expect(
            merged(by: .recency, one, two).ids
                == ["a.one:0", "b.two:0", "b.two:1", "a.one:2", "a.one:1", "b.two:2"]
        )
    }

    @Test func `by title, Hangul comes before Latin`() {
        let one = [hit("a.one", 0, title: "zebra"), hit("a.one", 1, title: "나비")]
        let two = [hit("b.two", 0, title: "Apple"), hit("b.two", 1, title: "가방")]
        #expect(merged(by: .title, sortsUpstream: false, one, two).ids == ["b.two:1", "a.one:1", "b.two:0", "a.one:0"])
    }

    @Test func `the list of a single source is not sorted again if the source supports the order`() {
        let list = [hit("a.one", 0, published: 10), hit("a.one", 1, published: 50)]
        #expect(merged(by: .recency, list).ids == ["a.one:0", "a.one:1"])
        #expect(merged(by: .recency, sortsUpstream: false, list).ids == ["a.one:1", "a.one:0"])
    }

    @Test func `an item of two sources is one hit with a higher score`() throws {
        let places = merged(list("a.one", "p", "q", "r"), list("b.two", "s", "r", "t"))
        #expect(places.ids == ["b.two:1", "a.one:0", "b.two:0", "a.one:1", "b.two:2"])
        #expect(places[0].alsoFrom == [sourceName("a.one")])
        #expect(places[0].duplicates.map(\.rank) == [3])
        #expect(places.dropFirst().allSatisfy { $0.duplicates.isEmpty })
    }

    @Test func `the other sources of a hit are named in the order in which the search lists them`() {
        let places = merged(list("c.three", "p"), list("a.one", "q", "p"), list("b.two", "p"))
        #expect(places.ids == ["c.three:0", "a.one:0"])
        #expect(places[0].alsoFrom == [sourceName("a.one"), sourceName("b.two")])
    }

    @Test func `duplicates within one source remain, and hits of other sources join the first duplicate`() {
        let places = merged(list("a.one", "p", "p"), list("b.two", "p", "q", "p"))
        #expect(Set(places.ids) == ["a.one:0", "a.one:1", "b.two:1"])
        #expect(places.first { $0.entry.id == "a.one:0" }?.alsoFrom == [sourceName("b.two")])
        #expect(places.first { $0.entry.id == "a.one:1" }?.alsoFrom == [])
    }

    @Test func `hits of one item are joined by ISBN or by address`() {
        func book(_ source: String, _ address: String, isbn: String?) -> Hit {
            var book = hit(source, 0, url: "https://\(address).example/")
            book.kind = kind("book")
            book.extra = isbn.map { [JSONMember("isbn13", .string($0))] } ?? []
            return book
        }
        let places = merged(
            [book("a.one", "p", isbn: "9788937460449")],
            [book("b.two", "q", isbn: "9788937460449")],
            [book("c.three", "q", isbn: nil)]
        )
        #expect(places.ids == ["a.one:0"])
        #expect(places[0].alsoFrom == [sourceName("b.two"), sourceName("c.three")])
    }

    /// An item that several sources found.
    private struct Thing {
        var head: MergeOrder
        var ranks: [Int] = []
        var score = 0.0
        var id = ""
    }

    @Test func `hits are merged by score, and hits lower the score of later hits of the same source`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<100 {
            let names = ["a.one", "b.two", "c.three"]
            let weights = names.map { _ in Double(Int.random(in: 2...8, using: &random)) / 4 }
            let lists = names.map { name in
                (0..<20).shuffled(using: &random).prefix(Int.random(in: 1...10, using: &random)).enumerated()
                    .map { hit(name, $0, url: "https://x.example/\($1)") }
            }
            let places = merged(weights: weights, lists[0], lists[1], lists[2])
            #expect(places.ids == Self.expected(lists, weights: weights))
        }
    }

    private static func expected(_ lists: [[Hit]], weights: [Double]) -> [String] {
        let profiles = weights.enumerated().map { profile("s.n\($0)", weight: $1) }
        let ranking = Ranking(query(), profiles, now: 0)
        let seed = MergeOrder.seed(of: query())
        var things: [String: Thing] = [:]
        for (source, list) in lists.enumerated() {
            for hit in list {
                let tie = MergeOrder.tie(of: hit.id, seed: seed)
                let order = MergeOrder(key: .score(0), rank: hit.rank, tie: tie, source: source)
                var thing = things[hit.url ?? ""] ?? Thing(head: order)
                if thing.ranks.isEmpty || order < thing.head { (thing.head, thing.id) = (order, hit.id) }
                thing.ranks.append(hit.rank)
                things[hit.url ?? ""] = thing
            }
        }
        var waiting = things.values.map { thing in
            var (thing, others) = (thing, thing.ranks)
            others.remove(at: others.firstIndex(of: thing.head.rank) ?? 0)
            var parts = ranking.expected(ofSource: thing.head.source, rank: thing.head.rank)
            parts.found = Ranking.found(atRanks: others)
            thing.score = parts.sum
            return thing
        }
        var given: [Thing] = []
        while !waiting.isEmpty {
            let recent = given.suffix(MergePool.recentMax).map(\.head.source)
            let orders = waiting.map { thing in
                var order = thing.head
                let count = recent.count { $0 == order.source }
                order.key = .score(thing.score + Ranking.variety(afterRepetitions: count))
                return order
            }
            let best = orders.indices.min { orders[$0] < orders[$1] } ?? 0
            given.append(waiting.remove(at: best))
        }
        return given.map(\.id)
    }
}
