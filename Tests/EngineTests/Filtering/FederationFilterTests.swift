import Catalogue
import EventLoop
import JSON
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

struct FederationFilterTests {
    /// Each hit is a day older than the previous one.
    ///
    /// Every `step`th hit has a thumbnail, and every `undatedEvery`th hit has no date.
    private static func script(
        total: Int,
        every step: Int,
        undatedEvery: Int? = nil,
        size: Int = 10
    ) -> @Sendable (PageKey, Int) -> ScriptedFetcher.Answer {
        { key, _ in
            let begin = min(key.request.page * size, total)
            let end = min(begin + size, total)
            let hits = (begin..<end).map { number in
                var hit = hit(key.source.text, number, published: Int64(total - number) * 86_400)
                if number % step == 0 { hit.thumbnail = "https://a.test/\(number).png" }
                if let undatedEvery, number % undatedEvery == 0 { hit.published = nil }
                return hit
            }
            return .page(
                Page(hits: hits, total: total, reachable: total, isEnd: end == total),
                after: .milliseconds(50)
            )
        }
    }

    private static func withThumbnails(
        _ sources: [SourceProfile] = [profile()],
        offset: Int = 0,
        limit: Int = 10
    ) throws -> SearchRequest {
        var request = request(sources, offset: offset, limit: limit)
        request.filter = HitFilter()
        request.filter?.has = [try #require(HitMember("thumbnail"))]
        return request
    }

    @Test func `a filtered search loads no more pages than it needs for its hits`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: Self.script(total: 500, every: 7))
            let answer = try await world.search(Self.withThumbnails()).get()
            #expect(answer.hits.ids == ids("a.one", stride(from: 0, to: 70, by: 7)))
            #expect(answer.filtered == FilteredCount(looked: 64, kept: 10))
            #expect(answer.sources[0].count == 10 && answer.sources[0].total == 500 && answer.isComplete)
            #expect(world.fetcher.calls.begun.count == 7)
            let cached = try #require(try await world.cachedAnswer(Self.withThumbnails()))
            #expect(cached.hits.ids == answer.hits.ids && cached.filtered == answer.filtered)
        }
    }

    @Test func `cursors return all matching hits, and the numbers of checked hits add up`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: Self.script(total: 333, every: 7))
            let answers = try await world.walk(Self.withThumbnails(limit: 4))
            #expect(answers.flatMap(\.hits.ids) == ids("a.one", stride(from: 0, to: 333, by: 7)))
            #expect(answers.compactMap(\.filtered?.looked).reduce(0, +) == 333)
            #expect(answers.allSatisfy { $0.filtered?.kept == $0.hits.count && $0.sources[0].total == 333 })
            #expect(answers.dropLast().allSatisfy { $0.hits.count == 4 && !$0.sources[0].isEnd })
            #expect(answers.last?.sources[0].isEnd == true)
            var again = try Self.withThumbnails(limit: 4)
            again.cursor = answers[1].next
            let repeated = try await world.search(again).get()
            #expect(repeated.hits.ids == answers[2].hits.ids && repeated.filtered == answers[2].filtered)
        }
    }

    @Test func `hits without a date are left out by a date filter and counted`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: Self.script(total: 333, every: 7, undatedEvery: 2))
            var request = try Self.withThumbnails(limit: 4)
            request.filter?.since = DateBound("1970")
            let answers = try await world.walk(request)
            #expect(answers.flatMap(\.hits.ids) == ids("a.one", stride(from: 7, to: 333, by: 14)))
            // Hits without a thumbnail are not counted, even if they have no date.
            #expect(answers.compactMap(\.filtered?.undated).reduce(0, +) == 24)
        }
    }

    @Test func `a search checks a limited number of hits, and its cursor continues after these hits`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: Self.script(total: 5000, every: 600))
            let answer = try await world.search(Self.withThumbnails()).get()
            #expect(answer.hits.ids == ids("a.one", [0, 600]))
            #expect(answer.filtered == FilteredCount(looked: WireBounds.filterLookedMax, kept: 2))
            #expect(world.fetcher.calls.begun.count == WireBounds.filterLookedMax / 10)
            var next = try Self.withThumbnails()
            next.cursor = answer.next
            let second = try await world.search(next).get()
            #expect(second.hits.ids == ids("a.one", [1200, 1800]))
            #expect(second.filtered == FilteredCount(looked: 1000, kept: 2))
        }
    }

    @Test func `if no hit matches, the cursors still reach the end`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: Self.script(total: 2500, every: 10_000))
            var request = try Self.withThumbnails()
            request.filter?.site = Site("example.org")
            let answers = try await world.walk(request)
            #expect(answers.map { $0.filtered?.looked } == [1000, 1000, 500])
            #expect(answers.allSatisfy { $0.hits.isEmpty && $0.isComplete })
        }
    }

    @Test func `an offset above the number of matching hits among the checked hits is refused`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: Self.script(total: 5000, every: 600))
            let error = try #require(await world.search(Self.withThumbnails(offset: 10)).failure)
            #expect(error.path == "params.offset" && error.message.contains("only 2 of the first 1100 hits"))
        }
    }

    @Test func `a cursor is refused if the filter has changed`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: Self.script(total: 100, every: 2))
            var next = request()
            next.cursor = try await world.search(Self.withThumbnails()).get().next
            #expect(await world.search(next).failure?.path == "params.cursor")
            var forged = try Self.withThumbnails()
            forged.cursor = try Cursor(walk: #require(next.cursor).walk, position: 5000)
            #expect(await world.search(forged).failure?.path == "params.cursor")
        }
    }

    @Test func `a list by recency ends when all further hits are too old`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: Self.script(total: 5000, every: 1))
            var request = request([profile(sorts: [.relevance, .recency])], limit: 100)
            request.sort = .recency
            request.filter = HitFilter()
            let first = PublishedDate(epochSeconds: 4976 * 86_400, offsetMinutes: 0, precision: .second).text
            request.filter?.since = DateBound(first)
            let answer = try await world.search(request).get()
            #expect(answer.hits.ids == ids("a.one", 0..<25))
            #expect(answer.next == nil && answer.sources[0].isEnd && answer.isComplete)
            #expect(world.fetcher.calls.begun.count <= 10)
        }
    }

    @Test func `a full answer has no cursor if it ends with the last matching hit`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: Self.script(total: 20, every: 7))
            let two = [profile("a.one"), profile("b.two")]
            let answer = try await world.search(Self.withThumbnails(two, limit: 6)).get()
            #expect(answer.hits.count == 6 && answer.next == nil)
        }
    }
}

extension Result<SearchAnswer, SearchError> {
    fileprivate var failure: SearchError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
