import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

/// Searches by title in sources that cannot sort by title.
struct TitleOrderTests {
    private static func descending(_ key: PageKey, total: Int) -> ScriptedFetcher.Answer {
        let begin = min(key.request.page * 10, total)
        let end = min(begin + 10, total)
        let hits = (begin..<end).map { hit(key.source.text, $0, title: "제목 \(total - $0)") }
        return .page(Page(hits: hits, total: total, reachable: total, isEnd: end == total))
    }

    private static func byTitle(_ sources: [SourceProfile] = [profile()], limit: Int = 10) -> SearchRequest {
        var byTitle = request(sources, limit: limit)
        byTitle.sort = .title
        return byTitle
    }

    @Test func `a search by title sorts the first four pages of a source`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in Self.descending(key, total: 100) }
            let answer = try await world.search(Self.byTitle()).get()
            #expect(answer.hits.ids == ids("a.one", (30..<40).reversed()))
            #expect(answer.sources[0].sorted == 40)
            #expect(world.fetcher.calls.begun.map(\.request.page).sorted() == [0, 1, 2, 3])
            // The first page is loaded alone, and then the other three pages together.
            #expect(loop.now == at(.milliseconds(100)))
            let again = try await world.cachedAnswer(Self.byTitle())
            #expect(again?.hits.ids == answer.hits.ids)
        }
    }

    @Test(arguments: [(10, 4), (20, 4), (40, 4), (60, 6), (1000, 10)])
    func `a search by title sorts at least four pages, and all pages that its limit needs`(limit: Int, pages: Int)
        throws
    {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in Self.descending(key, total: 100) }
            let answer = try await world.search(Self.byTitle(limit: limit)).get()
            #expect(answer.hits.ids == ids("a.one", (0..<pages * 10).reversed().prefix(limit)))
            #expect(answer.sources[0].sorted == 10 * pages)
            #expect(world.fetcher.calls.begun.count == pages)
        }
    }

    @Test func `each hit is in exactly one answer, and “sorted” is the same in all answers`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in Self.descending(key, total: 75) }
            let answers = try await world.walk(Self.byTitle([profile("a.one"), profile("b.two")], limit: 7))
            let all = answers.flatMap(\.hits.ids)
            #expect(Set(all) == Set(ids("a.one", 0..<75) + ids("b.two", 0..<75)) && all.count == 150)
            #expect(answers.allSatisfy { $0.sources.allSatisfy { $0.sorted == 40 } })
            #expect(world.fetcher.calls.begun.count == 16)
        }
    }

    @Test func `pages loaded only for sorting have background priority, and a quota may refuse them`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in
                if key.request.page > 1 { return .failure(.quotaExhausted) }
                return Self.descending(key, total: 100)
            }
            let answer = try await world.search(Self.byTitle()).get()
            #expect(answer.hits.ids == ids("a.one", (10..<20).reversed()))
            #expect(answer.isComplete && answer.sources[0].sorted == 20)
            let calls = world.fetcher.calls
            #expect(calls.begun.count == 4)
            for (key, demand) in zip(calls.begun, calls.demands) {
                #expect(demand.priority == (key.request.page == 0 ? .interactive : .background))
            }
        }
    }

    @Test func `if a later page cannot be loaded, the hits of the pages before it are returned`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in
                if key.request.page == 1 { return .failure(.unavailable) }
                let isLate = key.request.page > 1 && key.source.text == "b.two"
                return isLate ? .page(page("b.two", 20..<30), after: .seconds(60)) : Self.descending(key, total: 100)
            }
            var search = Self.byTitle([profile("a.one"), profile("b.two")], limit: 30)
            search.timeout = .seconds(1)
            let answer = try await world.search(search).get()
            #expect(Set(answer.hits.ids) == Set(ids("a.one", 0..<10) + ids("b.two", 0..<10)))
            #expect(answer.sources.allSatisfy { $0.status == .partial && $0.sorted == 10 })
        }
    }

    @Test func `a cached page that is much older than the first page is loaded again`() throws {
        try virtually { loop, _ in
            // The list had 3 hits fewer when the third page was cached.
            let world = World(on: loop) { key, call in
                let moved = call == 0 ? 0 : 3
                let begin = key.request.page * 10 - moved
                return .page(page("a.one", begin..<begin + 10, total: 40, isEnd: key.request.page == 3))
            }
            _ = try await world.search(request(offset: 20)).get()
            try await world.sleep(SourceWalk.olderMax + .seconds(1))
            let answer = try await world.search(Self.byTitle(limit: 40)).get()
            #expect(Set(answer.hits.ids) == Set(ids("a.one", -3..<37)))
        }
    }
}
