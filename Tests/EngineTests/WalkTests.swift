import Catalogue
import SearchModel
import SearchTestSupport
import Testing
import Upstream

@testable import Engine

struct WalkTests {
    /// The numbers of the pages that a walk of one source lacks.
    private func pages(_ walk: Walk, upTo position: Int) -> [Int] {
        walk.needs(upTo: position, without: []).map(\.key.request.page)
    }

    private func received(_ walk: inout Walk, _ source: String = "a.one", page number: Int, _ page: Page) {
        walk.received(cachedPage(page, key: pageKey(source, page: number)))
    }

    @Test func `until a page has told how many there are one page is asked for`() {
        var walk = Walk(request(limit: 100), now: 0)
        #expect(pages(walk, upTo: 100) == [0])
        received(&walk, page: 0, page("a.one", 0..<10, total: 1000))
        walk.merge(upTo: 100, without: [])
        #expect(pages(walk, upTo: 100) == [1, 2, 3, 4])
        #expect(pages(walk, upTo: 25) == [1, 2])
        #expect(pages(walk, upTo: 10) == [])
    }

    @Test func `no page behind the last is asked for`() {
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

    @Test func `a single source is entered at the page that holds the offset`() {
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

    @Test func `several sources, or an order that the source does not make, are entered at their beginning`() {
        let two = Walk(request([profile("a.one"), profile("b.two")], offset: 47, limit: 5), now: 0)
        #expect(two.base == 0)
        #expect(two.needs(upTo: 52, without: []).map(\.source.text) == ["a.one", "b.two"])
        var unsorted = request(offset: 47)
        unsorted.sort = .recency
        #expect(Walk(unsorted, now: 0).base == 0)
        #expect(pages(Walk(unsorted, now: 0), upTo: 57) == [0])
    }

    @Test func `a source is asked in the order it knows`() {
        var byTitle = request([profile("a.one", sorts: [.relevance, .title]), profile("b.two")])
        byTitle.sort = .title
        let sorts = Walk(byTitle, now: 0).needs(upTo: 10, without: []).map(\.key.request.sort)
        #expect(sorts == [.title, .relevance])
    }

    @Test func `hits that a later page repeats stand once, where they were first`() {
        var walk = Walk(request(limit: 100), now: 0)
        received(&walk, page: 0, page("a.one", 0..<10, total: 100))
        received(&walk, page: 1, page("a.one", 7..<17, total: 90))
        received(&walk, page: 2, page("a.one", [16, 17, 3, 18], total: 80))
        walk.merge(upTo: 100, without: [])
        #expect(walk.merged.ids == ids("a.one", 0..<19))
        #expect(walk.sources[0].total == 100)
    }

    @Test func `a page that is here stays though another version comes`() {
        var walk = Walk(request(limit: 100), now: 0)
        received(&walk, page: 0, page("a.one", 0..<10))
        received(&walk, page: 0, page("a.one", 50..<60))
        walk.merge(upTo: 10, without: [])
        received(&walk, page: 0, page("a.one", 70..<80))
        walk.merge(upTo: 100, without: [])
        #expect(walk.merged.ids == ids("a.one", 0..<10))
    }

    @Test func `figures are those of the first page even when it had none`() {
        var walk = Walk(request(limit: 100), now: 0)
        received(&walk, page: 0, page("a.one", 0..<10))
        walk.merge(upTo: 100, without: [])
        received(&walk, page: 1, page("a.one", 10..<20, total: 500))
        #expect(walk.sources[0].total == nil)
        #expect(pages(walk, upTo: 100) == [])
        walk.merge(upTo: 100, without: [])
        #expect(pages(walk, upTo: 100) == [2])
    }

    @Test func `a round waits for every source but those that failed`() {
        let sources = [profile("a.one"), profile("b.two")]
        var walk = Walk(request(sources, limit: 20), now: 0)
        received(&walk, "a.one", page: 0, page("a.one", 0..<10))
        walk.merge(upTo: 20, without: [])
        #expect(walk.merged.isEmpty)
        #expect(walk.needs(upTo: 20, without: []).map(\.source.text) == ["b.two"])
        walk.merge(upTo: 20, without: [sourceName("b.two")])
        #expect(walk.merged.ids == ids("a.one", 0..<10))
        // What it lacked is not lost: it comes when the source does.
        received(&walk, "b.two", page: 0, page("b.two", 0..<10, isEnd: true))
        received(&walk, "a.one", page: 1, page("a.one", 10..<20, isEnd: true))
        walk.merge(upTo: 40, without: [])
        #expect(Set(walk.merged.ids) == Set(ids("a.one", 0..<20) + ids("b.two", 0..<10)))
        #expect(walk.merged.count == 30)
    }

    @Test func `what came of a source before it failed takes part`() {
        var walk = Walk(request(limit: 40), now: 0)
        received(&walk, page: 0, page("a.one", 0..<10, total: 40))
        received(&walk, page: 1, page("a.one", 10..<20, total: 40))
        received(&walk, page: 3, page("a.one", 30..<40, total: 40))
        walk.merge(upTo: 40, without: [sourceName("a.one")])
        #expect(walk.merged.ids == ids("a.one", 0..<20))
        received(&walk, page: 2, page("a.one", 20..<30, total: 40))
        walk.merge(upTo: 40, without: [])
        #expect(walk.merged.ids == ids("a.one", 0..<40))
    }

    @Test func `a source that repeats its pages for ever comes to an end`() {
        var walk = Walk(request(limit: 100), now: 0)
        var asked = 0
        while let need = walk.needs(upTo: 100, without: []).first {
            asked += 1
            guard asked < 50 else { break }
            received(&walk, page: need.key.request.page, page("a.one", 0..<10))
            walk.merge(upTo: 100, without: [])
        }
        #expect(asked == 1 + SourceWalk.barrenPagesMax)
        #expect(walk.merged.ids == ids("a.one", 0..<10))
        #expect(!walk.mayGrow(without: []))
    }

    @Test func `a source that can't be asked never has more`() {
        let missing = profile("b.two", unavailable: SearchError(.notConfigured, "no key"))
        var walk = Walk(request([profile("a.one"), missing]), now: 0)
        #expect(walk.mayGrow(without: []))
        received(&walk, "a.one", page: 0, page("a.one", 0..<3, isEnd: true))
        walk.merge(upTo: 10, without: [missing.name])
        #expect(!walk.mayGrow(without: []))
        #expect(walk.hasEnded(0) && !walk.hasEnded(1))
    }

    @Test func `a window lies within what is merged`() {
        var walk = Walk(request(offset: 10, limit: 10), now: 0)
        received(&walk, page: 1, page("a.one", 10..<20, isEnd: true))
        walk.merge(upTo: 20, without: [])
        #expect(walk.window(from: 15, count: 2).ids == ids("a.one", 15..<17))
        #expect(walk.window(from: 18, count: 10).ids == ids("a.one", 18..<20))
        #expect(walk.window(from: 20, count: 10).isEmpty)
        #expect(walk.window(from: 1_000_000, count: 10).isEmpty)
    }

    @Test func `a walk pins each of its pages once`() {
        var walk = Walk(request(limit: 100), now: 0)
        let one = cachedPage(page("a.one", 0..<10), key: pageKey(page: 0))
        let two = cachedPage(page("a.one", 10..<20), key: pageKey(page: 1))
        walk.received(one)
        walk.received(two)
        #expect(walk.pages.reduce(0) { $0 + $1.bytesUsed } == one.bytesUsed + two.bytesUsed)
        walk.merge(upTo: 10, without: [])
        #expect(walk.pages.reduce(0) { $0 + $1.bytesUsed } == one.bytesUsed + two.bytesUsed)
        walk.merge(upTo: 20, without: [])
        #expect(walk.pages.reduce(0) { $0 + $1.bytesUsed } == one.bytesUsed + two.bytesUsed)
    }
}
