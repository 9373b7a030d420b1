import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

struct FederationFailureTests {
    private let two = [profile("a.one"), profile("b.two")]

    private static func world(
        on loop: EventLoop,
        second: @escaping @Sendable (PageKey, Int) -> ScriptedFetcher.Answer
    ) -> World {
        let steady = steadyScript(total: 15)
        return World(on: loop) { key, call in key.source.text == "b.two" ? second(key, call) : steady(key, call) }
    }

    @Test func `a source that fails does not fail the search`() throws {
        try virtually { [two] loop, _ in
            let world = Self.world(on: loop) { _, _ in .failure(.badResponse) }
            let answer = try await world.search(request(two)).get()
            #expect(answer.hits.ids == ids("a.one", 0..<10))
            #expect(answer.sources.map(\.status) == [.ok, .failed])
            #expect(answer.sources[1].error?.kind == .badResponse)
            #expect(!answer.isComplete && answer.next != nil)
        }
    }

    @Test func `a source that exceeds the timeout is late, but its page is still cached`() throws {
        try virtually { [two] loop, _ in
            let world = Self.world(on: loop) { key, _ in
                .page(page(key.source.text, 0..<10, isEnd: true), after: .seconds(5))
            }
            var request = request(two)
            request.timeout = .milliseconds(200)
            let answer = try await world.search(request).get()
            #expect(loop.now == at(.milliseconds(200)))
            #expect(answer.hits.ids == ids("a.one", 0..<10))
            #expect(answer.sources.map(\.status) == [.ok, .late])
            #expect(answer.sources[1].error?.kind == .timeout)
            #expect(answer.sources[1].error?.source == sourceName("b.two"))
            #expect(answer.sources[1].elapsed == .milliseconds(200))
            try await world.sleep(.seconds(5))
            let later = try #require(try await world.cachedAnswer(request))
            #expect(later.isComplete && later.sources[1].count == 5)
            #expect(world.fetcher.calls.sent.count == 2)
        }
    }

    @Test func `if all sources fail, the search fails with the error of the first source`() throws {
        try virtually { [two] loop, _ in
            let world = World(on: loop) { key, _ in .failure(key.source.text == "a.one" ? .rateLimited : .unavailable) }
            #expect(await world.search(request(two)).failureKind == .rateLimited)
            #expect(await world.search(request([two[1]])).failureKind == .unavailable)
        }
    }

    @Test func `if all sources are late, the search times out`() throws {
        try virtually { [two] loop, _ in
            let world = World(on: loop) { key, _ in .page(page(key.source.text, 0..<1), after: .seconds(60)) }
            var request = request(two)
            request.timeout = .seconds(1)
            #expect(await world.search(request).failureKind == .timeout)
            #expect(loop.now == at(.seconds(1)))
        }
    }

    @Test func `if the search times out, a source that answered all its calls is not late`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, call in
                let isQuick = key.source.text == "a.one"
                return steadyScript(total: 500, after: isQuick ? .milliseconds(20) : .seconds(60))(key, call)
            }
            var request = request([profile("a.one"), profile("b.two")], limit: 100)
            request.timeout = .seconds(1)
            let answer = try await world.search(request).get()
            #expect(loop.now == at(.seconds(1)))
            #expect(answer.sources.map(\.status) == [.ok, .late])
            #expect(answer.sources[0].error == nil && !answer.isComplete && answer.next != nil)
            #expect(answer.hits.ids == ids("a.one", 0..<50))
        }
    }

    @Test func `the pages before a failure are returned, and a cursor returns the rest`() throws {
        try virtually { loop, _ in
            let steady = steadyScript(total: 60)
            let world = World(on: loop) { key, call in
                key.request.page == 3 && loop.now < at(.seconds(2)) ? .failure(.unavailable) : steady(key, call)
            }
            let answer = try await world.search(request(limit: 60)).get()
            #expect(answer.hits.ids == ids("a.one", 0..<30))
            #expect(answer.sources[0].status == .partial)
            #expect(answer.sources[0].error?.kind == .unavailable)
            var rest = request(limit: 60)
            rest.cursor = answer.next
            #expect(rest.cursor != nil)
            try await world.sleep(.seconds(1))
            #expect(await world.search(rest).failureKind == .unavailable)
            try await world.sleep(.seconds(1))
            let healed = try await world.search(rest).get()
            #expect(healed.hits.ids == ids("a.one", 30..<60))
            #expect(healed.isComplete && healed.next == nil)
        }
    }

    @Test func `a cursor returns all hits of a source that recovers`() throws {
        try virtually { [two] loop, _ in
            let steady = steadyScript(total: 35)
            let world = Self.world(on: loop) { key, call in call < 4 ? .failure(.unavailable) : steady(key, call) }
            let answers = try await world.walk(request(two, limit: 8)) { _ in try await world.sleep(.seconds(1)) }
            let all = answers.flatMap(\.hits.ids)
            #expect(all.count == 50)
            #expect(Set(all) == Set(ids("a.one", 0..<15) + ids("b.two", 0..<35)))
            #expect(answers.first?.sources[1].status == .failed)
            #expect(answers.last?.isComplete == true)
        }
    }

    @Test func `an unavailable source is not called, and the cursors still reach the end`() throws {
        try virtually { [two] loop, _ in
            let world = Self.world(on: loop) { _, _ in .failure(.internal) }
            var sources = two
            sources[1].unavailable = SearchError(.notConfigured, "no key")
            let answers = try await world.walk(request(sources, limit: 10))
            #expect(answers.flatMap(\.hits.ids) == ids("a.one", 0..<15))
            #expect(answers.allSatisfy { $0.sources[1].status == .failed })
            #expect(answers.allSatisfy { $0.sources[1].error?.kind == .notConfigured })
            #expect(world.fetcher.calls.begun.allSatisfy { $0.source.text == "a.one" })
            #expect(try await world.cachedAnswer(request(sources)) == nil)
        }
    }
}
