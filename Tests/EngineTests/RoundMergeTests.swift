import Catalogue
import SearchModel
import TestSupport
import Testing

@testable import Engine

struct RoundMergeTests {
    private func pageOf(_ source: String, _ hits: [Hit]) -> CachedPage {
        cachedPage(Page(hits: hits, isEnd: true), key: pageKey(source))
    }

    private func merged(_ pages: [CachedPage], _ sort: Sort, sortedUpstream: Bool = true) -> [String] {
        RoundMerge.merge(pages, sort: sort, sortedUpstream: sortedUpstream).ids
    }

    @Test func `by relevance the sources take turns, the first named first`() {
        let one = pageOf("a.one", (0..<3).map { hit("a.one", $0) })
        let two = pageOf("b.two", (0..<2).map { hit("b.two", $0) })
        #expect(merged([one, two], .relevance) == ["a.one:0", "b.two:0", "a.one:1", "b.two:1", "a.one:2"])
        #expect(merged([two, one], .relevance) == ["b.two:0", "a.one:0", "b.two:1", "a.one:1", "a.one:2"])
    }

    @Test func `by recency the newest come first and those without a date last`() {
        let one = pageOf("a.one", [hit("a.one", 0, published: 50), hit("a.one", 1), hit("a.one", 2, published: 10)])
        let two = pageOf("b.two", [hit("b.two", 0, published: 30), hit("b.two", 1, published: 10), hit("b.two", 2)])
        #expect(
            merged([one, two], .recency) == ["a.one:0", "b.two:0", "a.one:2", "b.two:1", "a.one:1", "b.two:2"]
        )
    }

    @Test func `by title Hangul comes before Latin`() {
        let one = pageOf("a.one", [hit("a.one", 0, title: "zebra"), hit("a.one", 1, title: "나비")])
        let two = pageOf("b.two", [hit("b.two", 0, title: "Apple"), hit("b.two", 1, title: "가방")])
        #expect(merged([one, two], .title) == ["b.two:1", "a.one:1", "b.two:0", "a.one:0"])
    }

    @Test func `one source that sorts itself keeps its order`() {
        let page = pageOf("a.one", [hit("a.one", 0, published: 10), hit("a.one", 1, published: 50)])
        #expect(merged([page], .recency) == ["a.one:0", "a.one:1"])
        #expect(merged([page], .recency, sortedUpstream: false) == ["a.one:1", "a.one:0"])
    }

    @Test(arguments: Sort.allCases) func `every hit comes once and equals keep their order`(sort: Sort) {
        var random = SeededGenerator(seed: testSeed())
        let pages = (0..<6).map { number in
            pageOf(
                "a.s\(number)",
                (0..<Int.random(in: 0...9, using: &random)).map {
                    hit("a.s\(number)", $0, title: "같은 제목", published: 7)
                }
            )
        }
        let all = pages.flatMap { $0.entries.map(\.id) }
        let order = merged(pages, sort)
        #expect(order.sorted() == all.sorted())
        if sort != .relevance { #expect(order == all) }
    }
}
