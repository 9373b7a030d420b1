import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

/// Searches sources that have some items in common.
struct FederationDuplicateTests {
    /// The latencies are random, and the pages selected by `failing` fail.
    private static func script(
        _ sources: MirroredSources,
        seed: UInt64,
        failing: @escaping @Sendable (PageKey, _ call: Int) -> Bool = { _, _ in false }
    ) -> @Sendable (PageKey, Int) -> ScriptedFetcher.Answer {
        { key, call in
            var random = SeededGenerator(seed: seed &+ UInt64(call))
            let delay = Duration.milliseconds(Int.random(in: 1...400, using: &random))
            return failing(key, call) ? .failure(.unavailable, after: delay) : .page(sources.page(key), after: delay)
        }
    }

    @Test func `a stream ends with the same order as the search without a stream`() throws {
        let seed = testSeed()
        for round in 0..<40 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let sort = Sort.allCases.randomElement(using: &random) ?? .relevance
            let sources = MirroredSources(sort: sort, &random)
            var request = request(sources.profiles, offset: Int.random(in: 0...30, using: &random))
            request.limit = Int.random(in: 1...60, using: &random)
            request.sort = sort
            let failed = Int.random(in: 0..<8, using: &random)
            // The same pages fail with and without a stream.
            let failing: @Sendable (PageKey, Int) -> Bool = { key, _ in
                key.source == sources.profiles.last?.name && key.request.page >= failed
            }
            let kept = Locked<[SearchAnswer]>([])
            for streamed in [false, true] {
                try virtually { [request] loop, _ in
                    let script = Self.script(sources, seed: seed &+ UInt64(streamed ? 1000 : 2000), failing: failing)
                    let world = World(on: loop, script: script)
                    let recorder = StreamRecorder(on: loop)
                    let outcome = await world.search(request, observer: streamed ? recorder : nil)
                    guard let answer = outcome.value else { return }
                    kept.withLock { $0.append(answer) }
                    guard streamed else { return }
                    #expect(Set(recorder.hits).count == recorder.hits.count)
                    #expect(Set(recorder.hits).isSuperset(of: answer.hits.ids))
                }
            }
            let answers = kept.withLock { $0 }
            guard answers.count == 2 else { continue }
            #expect(answers[0].hits.ids == answers[1].hits.ids)
            #expect(answers[0].hits.map(\.duplicates) == answers[1].hits.map(\.duplicates))
            #expect(answers[0].sources.map(\.count) == answers[1].sources.map(\.count))
            #expect((answers[0].next == nil) == (answers[1].next == nil))
        }
    }

    @Test func `a cursor returns every item once, even if sources fail or are late`() throws {
        let seed = testSeed()
        for round in 0..<40 {
            try virtually { loop, _ in
                var random = SeededGenerator(seed: seed &+ UInt64(round))
                let sources = MirroredSources(&random)
                let world = World(on: loop) { key, call in
                    var random = SeededGenerator(seed: seed &+ UInt64(1000 * round + call))
                    // Failures become rarer, so that the cursors reach the end.
                    let fate = Int.random(in: 0..<(4 + call / 4), using: &random)
                    var page = sources.page(key)
                    page.total = page.total.map { $0 + Int.random(in: -5...5, using: &random) }
                    let late = Duration.seconds(3)
                    if fate == 0 { return .failure(.unavailable) }
                    return .page(page, after: fate == 1 ? late : .milliseconds(Int.random(in: 1...90, using: &random)))
                }
                var request = request(sources.profiles, limit: Int.random(in: 1...25, using: &random))
                request.timeout = .seconds(1)
                var things: [Int] = []
                var isAtEnd = false
                for _ in 0..<400 where !isAtEnd {
                    try await world.sleep(Freshness.passingFailureTTL)
                    guard let answer = await world.search(request).value else { continue }
                    things += answer.hits.map(MirroredSources.thing)
                    request.cursor = answer.next ?? request.cursor
                    isAtEnd = answer.next == nil
                    #expect(!isAtEnd || answer.sources.allSatisfy(\.isEnd))
                }
                #expect(isAtEnd)
                #expect(Set(things).count == things.count)
                #expect(Set(things) == Set(sources.lists.values.flatMap(\.self)))
            }
        }
    }

    @Test func `an offset above the maximum of a merged list is refused without a call`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 20))
            let two = [profile("a.one"), profile("b.two")]
            var unsorted = request(offset: WireBounds.mergedOffsetMax + 1)
            unsorted.sort = .title
            for deep in [request(two, offset: WireBounds.mergedOffsetMax + 1), unsorted] {
                let failure = await world.search(deep).failure
                #expect(failure?.kind == .invalidParams && failure?.path == "params.offset")
                #expect(failure?.hint?.contains("cursor") == true)
                await #expect(throws: SearchError.self) { try await world.cachedAnswer(deep) }
            }
            #expect(world.fetcher.calls.begun.isEmpty)
            let allowed = try await world.search(request(two, offset: WireBounds.mergedOffsetMax)).get()
            #expect(allowed.hits.isEmpty && allowed.next == nil)
            #expect(await world.search(request(offset: WireBounds.offset.upperBound)).value?.hits.isEmpty == true)
        }
    }
}
