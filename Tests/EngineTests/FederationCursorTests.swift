import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

struct FederationCursorTests {
    /// At call n, the list has `shift(n)` new hits before the hits of the original list.
    private static func driftingScript(
        total: Int,
        shift: @escaping @Sendable (_ call: Int) -> Int
    ) -> @Sendable (PageKey, Int) -> ScriptedFetcher.Answer {
        { key, call in
            let moved = shift(call)
            let totalNow = total + moved
            let begin = min(key.request.page * 10, totalNow)
            let end = min(begin + 10, totalNow)
            return .page(page(key.source.text, begin - moved..<end - moved, total: totalNow, isEnd: end == totalNow))
        }
    }

    @Test func `a cursor neither repeats nor skips a hit, even if the list changes`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: Self.driftingScript(total: 145) { 3 * $0 })
            let answers = try await world.walk(request(limit: 7)) { _ in try await world.sleep(.seconds(700)) }
            let all = answers.flatMap(\.hits.ids)
            #expect(Set(all).count == all.count)
            #expect(all == ids("a.one", 0..<145))
            #expect(answers.allSatisfy { $0.sources[0].total == 145 })
            #expect(answers.dropLast().allSatisfy { $0.hits.count == 7 && !$0.sources[0].isEnd })
            #expect(answers.last?.sources[0].isEnd == true)
        }
    }

    @Test func `a cursor does not use a page that is older than the page before it`() throws {
        try virtually { loop, _ in
            // The list had 3 hits fewer when the first two pages were cached.
            let world = World(on: loop, script: Self.driftingScript(total: 40) { $0 < 2 ? 0 : 3 })
            let kept = try await world.search(request(limit: 20)).get()
            #expect(kept.hits.ids == ids("a.one", 0..<20))
            try await world.sleep(SourceWalk.olderMax + .seconds(1))
            var first = request()
            first.maxAge = .zero
            let answer = try await world.search(first).get()
            #expect(answer.hits.ids == ids("a.one", -3..<7))
            var next = request()
            next.cursor = answer.next
            #expect(try await world.cachedAnswer(next) == nil)
            #expect(try await world.search(next).get().hits.ids == ids("a.one", 7..<17))
            #expect(world.fetcher.calls.begun.count == 4)
        }
    }

    @Test func `pages that are much older than the page before them are fetched again`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: Self.driftingScript(total: 60) { $0 < 2 ? 0 : 3 })
            var next = request(limit: 20)
            next.cursor = try await world.search(request()).get().next
            _ = try await world.search(request(offset: 20)).get()
            try await world.sleep(SourceWalk.olderMax + .seconds(1))
            #expect(try await world.search(next).get().hits.ids == ids("a.one", 10..<30))
        }
    }

    @Test func `if the source fails, an older page is used`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, call in
                call < 3
                    ? .page(page("a.one", key.request.page * 10..<key.request.page * 10 + 10, total: 20))
                    : .failure(.unavailable)
            }
            _ = try await world.search(request(limit: 20)).get()
            try await world.sleep(SourceWalk.olderMax + .seconds(1))
            var first = request()
            first.maxAge = .zero
            var next = request()
            next.cursor = try await world.search(first).get().next
            let answer = try await world.search(next).get()
            #expect(answer.hits.ids == ids("a.one", 10..<20))
            #expect(answer.sources[0].cache == .stale)
        }
    }

    @Test func `with random lists, a cursor returns every hit exactly once`() throws {
        let seed = testSeed()
        for round in 0..<20 {
            try virtually { loop, _ in
                var random = SeededGenerator(seed: seed &+ UInt64(round))
                let given = Locked<[PageKey: Page]>([:])
                let world = World(on: loop) { key, call in
                    var random = SeededGenerator(seed: seed &+ UInt64(1000 * round + call))
                    let number = key.request.page
                    let total = Int.random(in: 60...90, using: &random)
                    let hits = Set((0..<10).map { _ in number * 6 + Int.random(in: 0..<12, using: &random) })
                    let isEnd = number * 10 + 10 >= total
                    let page = page(key.source.text, hits.sorted(), total: total, isEnd: isEnd)
                    given.withLock { $0[key] = page }
                    return .page(page)
                }
                let sources = (0..<Int.random(in: 1...3, using: &random)).map { profile("s.n\($0)") }
                let answers = try await world.walk(request(sources, limit: Int.random(in: 1...30, using: &random)))
                let all = answers.flatMap(\.hits.ids)
                #expect(Set(all).count == all.count)
                #expect(Set(all) == Self.expectedIDs(of: given.withLock { $0 }))
                for place in sources.indices {
                    #expect(Set(answers.map { $0.sources[place].total }).count == 1)
                }
            }
        }
    }

    private static func expectedIDs(of given: [PageKey: Page]) -> Set<String> {
        let ends = given.filter(\.value.isEnd).map { ($0.key.source, $0.key.request.page) }
        let lastPages = Dictionary(ends, uniquingKeysWith: min)
        return Set(
            given.filter { $0.key.request.page <= lastPages[$0.key.source] ?? .max }.values.flatMap {
                $0.hits.map(\.id)
            }
        )
    }

    @Test func `a cursor continues in the pages of its first search, even if the cache has newer pages`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, call in
                .page(page(key.source.text, call * 100..<call * 100 + 10, total: 20))
            }
            var second = request(limit: 5)
            second.cursor = try await world.cursor(after: request(limit: 5))
            var fresh = request(limit: 5)
            fresh.maxAge = .zero
            #expect(await world.search(fresh).value?.hits.ids == ids("a.one", 100..<105))
            #expect(await world.search(second).value?.hits.ids == ids("a.one", 5..<10))
        }
    }

    @Test func `an unknown cursor is refused`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            var request = request()
            request.cursor = Cursor(walk: 12345, position: 10)
            let failure = await world.search(request).failure
            #expect(failure?.kind == .invalidParams && failure?.path == "params.cursor")
            await #expect(throws: SearchError.self) { try await world.cachedAnswer(request) }
            #expect(world.fetcher.calls.begun.isEmpty)
        }
    }

    @Test func `a cursor is refused if the query, the sources or the order have changed`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            let cursor = try await world.cursor(after: request())
            var sorted = request()
            sorted.sort = .title
            let foreign = [
                request(query: "강아지"), request([profile("b.two")]), request([profile("a.one"), profile("b.two")]),
                sorted,
            ]
            for var request in foreign {
                request.cursor = cursor
                let failure = await world.search(request).failure
                #expect(failure?.kind == .invalidParams && failure?.path == "params.cursor")
            }
            var forged = request()
            forged.cursor = Cursor(walk: cursor.walk, position: WireBounds.offset.upperBound + 1)
            #expect(await world.search(forged).failureKind == .invalidParams)
            #expect(world.fetcher.calls.begun.count == 1)
        }
    }
}
