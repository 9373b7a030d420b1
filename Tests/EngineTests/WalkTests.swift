import Catalogue
import SearchModel
import SearchTestSupport
import Testing
import Upstream

@testable import Engine

/// A walk is the merged list of one search.
struct WalkTests {
    private func pages(_ walk: Walk, upTo position: Int) -> [Int] {
        walk.needs(upTo: position, without: []).map(\.key.request.page)
    }

    private func received(_ walk: inout Walk, _ source: String = "a.one", page number: Int, _ page: Page) {
        walk.received(cachedPage(page, key: pageKey(source, page: number)))
    }

    @Test func `only one page is requested until the total is known`() {
        var walk = Walk(request(limit: 100), now: 0)
        #expect(pages(walk, upTo: 100) == [0])
        received(&walk, page: 0, page("a.one", 0..<10, total: 1000))
        walk.merge(upTo: 100, without: [])
        #expect(pages(walk, upTo: 100) == [1, 2, 3, 4])
        #expect(pages(walk, upTo: 25) == [1, 2])
        #expect(pages(walk, upTo: 10) == [])
    }

    @Test func `once the last page is known, no later page is requested`() {
        var walk = Walk(request(limit: 100), now: 0)
        received(&walk, page: 0, page("a.one", 0..<10, total: 25))
        walk.merge(upTo: 100, without: [])
        #expect(pages(walk, upTo: 100) == [1, 2])
        received(&walk, page: 2, page("a.one", 20..<25, total: 25, isEnd: true))
        #expect(pages(walk, upTo: 100) == [1])
        received(&walk, page: 1, page("a.one", 10..<20, total: 25))
        walk.merge(upTo: 100, without: [])
        #expect(walk.merged.ids == ids("a.one", 0..<25))
        #expect(pages(walk, upTo: 100) == [])
        #expect(!walk.mayGrow(without: []))
    }

    @Test func `the total of a source is at least the number of hits on its first page`() {
        var walk = Walk(request([profile("a.one"), profile("b.two")]), now: 0)
        received(&walk, "a.one", page: 0, page("a.one", 0..<7, isEnd: true))
        received(&walk, "b.two", page: 0, page("b.two", 0..<10, total: 3))
        #expect(walk.sources.map(\.total) == [7, 10])
    }

    @Test func `a list of one source starts at the page that contains the offset`() {
        var walk = Walk(request(offset: 47, limit: 5), now: 0)
        #expect(walk.base == 40)
        #expect(pages(walk, upTo: 52) == [4])
        received(&walk, page: 4, page("a.one", 40..<50, total: 1000))
        walk.merge(upTo: 52, without: [])
        #expect(pages(walk, upTo: 52) == [5])
        received(&walk, page: 5, page("a.one", 50..<60, total: 1000))
        walk.merge(upTo: 52, without: [])
        #expect(walk.window(from: 47, count: 5).ids == ids("a.one", 47..<52))
    }

    @Test func `a source that does not support the requested order is called with relevance`() {
        var byTitle = request([profile("a.one", sorts: [.relevance, .title]), profile("b.two")])
        byTitle.sort = .title
        let sorts = Walk(byTitle, now: 0).needs(upTo: 10, without: []).map(\.key.request.sort)
        #expect(sorts == [.title, .relevance])
    }

    @Test func `a source that always repeats its last page is not called forever`() {
        var walk = Walk(request(limit: 100), now: 0)
        var asked = 0
        while let need = walk.needs(upTo: 100, without: []).first {
            asked += 1
            guard asked < 50 else { break }
            received(&walk, page: need.key.request.page, page("a.one", 0..<10))
            walk.merge(upTo: 100, without: [])
        }
        #expect(asked == 1 + SourceWalk.pagesWithoutNewHitsMax)
        #expect(walk.merged.ids == ids("a.one", 0..<10))
        #expect(!walk.mayGrow(without: []))
    }

    @Test func `a list can end even if one of its sources is unavailable`() {
        let missing = profile("b.two", unavailable: SearchError(.notConfigured, "no key"))
        var walk = Walk(request([profile("a.one"), missing]), now: 0)
        #expect(walk.mayGrow(without: []))
        received(&walk, "a.one", page: 0, page("a.one", 0..<3, isEnd: true))
        walk.merge(upTo: 10, without: [missing.name])
        #expect(!walk.mayGrow(without: []))
        #expect(walk.hasEnded(0) && !walk.hasEnded(1))
    }
}
