import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

/// Searches with `wait: enough` do not wait for slow sources once enough hits were found.
struct EnoughTests {
    private static let sources = [profile("a.one"), profile("b.two"), profile("c.three")]

    private static func world(on loop: EventLoop, _ latencies: [String: Int], total: Int = 15) -> World {
        World(on: loop) { key, call in
            steadyScript(total: total, after: .milliseconds(latencies[key.source.text] ?? 100))(key, call)
        }
    }

    private static func request(limit: Int = 10, wait: WaitMode = .enough) -> SearchRequest {
        var request = SearchRequest(query: query(), sources: sources)
        request.limit = limit
        request.wait = wait
        return request
    }

    @Test func `a source that hangs delays even the first search by at most 500 ms`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop, ["c.three": 60_000])
            let answer = try await world.search(Self.request()).get()
            #expect(loop.now == at(.milliseconds(600)))
            #expect(answer.hits.count == 10 && !answer.isComplete)
            #expect(answer.sources.map(\.status) == [.ok, .ok, .late])
            let late = try #require(answer.sources[2].error)
            #expect(late.kind == .timeout && late.source == sourceName("c.three") && late.retryable == true)
            #expect(late.message.contains("600 ms") && late.hint?.isEmpty == false)
        }
    }

    @Test func `a source that waits to repeat a failed call is reported as failed`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in
                var answer = ScriptedFetcher.Answer.page(page(key.source.text, 0..<15, isEnd: true))
                if key.source.text == "c.three" {
                    let error = SearchError(.unavailable, "answered 503")
                    answer.events = [(.retrying(attempt: 2, wait: .seconds(60), after: error), .seconds(60))]
                }
                return answer
            }
            let answer = try await world.search(Self.request()).get()
            #expect(answer.sources[2].status == .failed && answer.sources[2].error?.message == "answered 503")
        }
    }

    @Test func `if a source hangs, further pages of the other sources fill the list`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop, ["c.three": 60_000], total: 40)
            var request = Self.request(limit: 50)
            request.sort = .recency
            let answer = try await world.search(request).get()
            #expect(answer.hits.count == 50 && answer.sources[2].status == .late)
            #expect(loop.now <= at(.milliseconds(900)))
        }
    }

    @Test func `a source that is only a little slower is part of the answer`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop, ["b.two": 300, "c.three": 500])
            let answer = try await world.search(Self.request()).get()
            #expect(loop.now == at(.milliseconds(500)))
            #expect(answer.sources.allSatisfy { $0.status == .ok } && answer.isComplete)
            let all = try await Self.world(on: loop, [:]).search(Self.request(wait: .all)).get()
            #expect(answer.hits.ids == all.hits.ids)
        }
    }

    @Test func `after a search has ended, its waiting calls are still sent, unless the search is private`() throws {
        for isPrivate in [false, true] {
            try virtually { loop, _ in
                let world = World(on: loop) { key, call in
                    var answer = steadyScript(total: 15)(key, call)
                    if key.source.text == "c.three" { answer.beforeSending = .seconds(2) }
                    return answer
                }
                var request = Self.request()
                request.isPrivate = isPrivate
                #expect(try await world.search(request).get().sources[2].status == .late)
                try await world.sleep(.seconds(3))
                #expect(world.fetcher.calls.begun.count == 3)
                #expect(world.fetcher.calls.sent.count == (isPrivate ? 2 : 3))
                #expect(await world.inFlight.flightCount == 0)
            }
        }
    }

    @Test func `all hits of a late source are on later pages, without duplicates`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop, ["c.three": 1000], total: 35)
            let answers = try await world.walk(Self.request()) { _ in try await world.sleep(.milliseconds(300)) }
            let ids = answers.flatMap(\.hits.ids)
            #expect(answers[0].sources[2].status == .late && answers[0].hits.allSatisfy { $0.source.text != "c.three" })
            #expect(ids.count == 105 && Set(ids).count == 105)
            #expect(answers.dropLast().allSatisfy { $0.hits.count == 10 })
        }
    }

    @Test func `the latency of earlier calls decides whether a search waits for a source`() throws {
        try virtually { loop, _ in
            let slow = Locked(700)
            let world = await LimitedSearches(on: loop) { key, _ in
                let delay = key.source.account == "openlibrary" ? slow.withLock { $0 } : 100
                return .page(page(key.source.text, 0..<30, total: 30, isEnd: true), after: .milliseconds(delay))
            }
            func search(_ text: String) async throws -> (answer: SearchAnswer, elapsed: Duration) {
                var request = try world.request(text)
                request.wait = .enough
                request.explain = true
                let outcome = try await world.search(request)
                try await world.sleep(.seconds(5))
                return outcome
            }
            // The latency is first unknown, then high, and then low.
            #expect(try await search("first").elapsed == .milliseconds(600))
            let second = try await search("second")
            // Each source gets at least `waitMin` before it is considered slow.
            #expect(second.elapsed == .milliseconds(150))
            #expect(second.answer.report("openlibrary.books")?.error?.message.contains("700 ms") == true)
            let steps = try #require(second.answer.trace)
            #expect(steps.contains { $0.event == "full" })
            #expect(steps.filter { $0.event == "left" }.map(\.source) == [sourceName("openlibrary.books")])
            slow.withLock { $0 = 120 }
            for number in 0..<8 { _ = try await search("query \(number)") }
            let healed = try await search("last")
            #expect(healed.elapsed == .milliseconds(120) && healed.answer.isComplete)
        }
    }
}
