import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

struct FederationTests {
    @Test(arguments: [
        (0, 1, 0...0), (0, 10, 0...0), (0, 11, 0...1), (0, 25, 0...2), (5, 10, 0...1), (10, 10, 1...1), (47, 5, 4...5),
        (40, 60, 4...9), (0, 1000, 0...9), (90, 20, 9...9), (99, 1, 9...9), (95, 1000, 9...9), (100, 10, 10...10),
    ])
    func `each page of the requested range is fetched once`(offset: Int, limit: Int, pages: ClosedRange<Int>) throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            let answer = try await world.search(request(offset: offset, limit: limit)).get()
            #expect(answer.hits.ids == ids("a.one", min(offset, 100)..<min(offset + limit, 100)))
            #expect(world.fetcher.calls.sent.map(\.request.page).sorted() == Array(pages))
            #expect((answer.next == nil) == (offset + limit >= 100))
            let report = answer.sources[0]
            #expect(report.status == .ok && report.cache == .miss && report.error == nil)
            #expect(report.isEnd == (offset + limit >= 100))
            #expect(report.count == answer.hits.count)
            for (offset, limit) in [(offset, limit), (offset, max(1, limit / 2))] {
                let again = try await world.search(request(offset: offset, limit: limit)).get()
                #expect(again.hits.ids == ids("a.one", min(offset, 100)..<min(offset + limit, 100)))
                #expect(again.sources[0].cache == .hit)
            }
            #expect(world.fetcher.calls.sent.count == pages.count)
        }
    }

    @Test func `searches with different limits share pages`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 1000))
            for limit in [3, 10, 7, 17, 20] { _ = try await world.search(request(limit: limit)).get() }
            #expect(world.fetcher.calls.sent.map(\.request.page) == [0, 1])
        }
    }

    @Test func `pages are requested in parallel once the total is known`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 1000, after: .milliseconds(100)))
            _ = try await world.search(request(limit: 50)).get()
            #expect(loop.now == at(.milliseconds(200)))
        }
    }

    @Test(arguments: [false, true]) func `a thousand identical searches make one call`(fails: Bool) throws {
        try virtually { loop, _ in
            let steady = steadyScript(total: 100)
            let world = World(on: loop) { key, call in fails ? .failure(.unavailable) : steady(key, call) }
            let answers = await withTaskGroup(of: Result<SearchAnswer, SearchError>.self) { group in
                for _ in 0..<1000 { group.addTask { await world.search(request()) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(world.fetcher.calls.begun.count == 1)
            #expect(loop.now == at(.milliseconds(50)))
            if fails {
                #expect(answers.allSatisfy { $0.failureKind == .unavailable })
            } else {
                #expect(answers.allSatisfy { $0.value?.hits.ids == ids("a.one", 0..<10) })
                #expect(answers.count { $0.value?.sources[0].cache == .joined } == 999)
                #expect(answers.count { $0.value?.sources[0].cache == .miss } == 1)
            }
        }
    }

    @Test func `an empty list is a valid answer`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 0))
            let answer = try await world.search(request()).get()
            #expect(answer.hits.isEmpty && answer.next == nil && answer.isComplete)
            #expect(answer.sources[0].total == 0 && answer.sources[0].isEnd)
            let again = try await world.cachedAnswer(request())
            #expect(again?.isFromCache == true)
            #expect(again?.validUntil == at(.milliseconds(50)).advanced(by: .seconds(60)))
        }
    }

    @Test func `hits are sorted locally if the source does not support the order`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in
                #expect(key.request.sort == .relevance)
                return .page(Page(hits: [3, 1, 2].map { hit("a.one", $0, published: Int64($0)) }, isEnd: true))
            }
            var request = request()
            request.sort = .recency
            let answer = try await world.search(request).get()
            #expect(answer.hits.ids == ids("a.one", [3, 2, 1]))
            #expect(answer.sources[0].isSortedByDaemon)
        }
    }
}
