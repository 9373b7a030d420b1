import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

struct FederationStreamTests {
    private static func stream(
        _ request: SearchRequest,
        _ world: World
    ) async throws -> (answer: SearchAnswer, recorder: StreamRecorder) {
        let recorder = StreamRecorder(on: world.loop)
        let answer = try await world.search(request, observer: recorder).get()
        #expect(Set(recorder.hits).count == recorder.hits.count)
        #expect(Set(recorder.hits).isSuperset(of: answer.hits.ids))
        for notification in recorder.notifications {
            #expect(notification.hits?.allSatisfy { $0.hasPrefix("\(notification.source):") } ?? true)
        }
        #expect(recorder.reports == request.sources.map(\.name))
        #expect(recorder.notifications.suffix(recorder.reports.count).allSatisfy { $0.hits == nil })
        return (answer, recorder)
    }

    @Test func `hits of a fast source are sent before a slow source has answered`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in
                let isSlow = key.source.text == "b.two"
                return .page(page(key.source.text, 0..<10, isEnd: true), after: .milliseconds(isSlow ? 900 : 20))
            }
            let (answer, recorder) = try await Self.stream(request([profile("a.one"), profile("b.two")]), world)
            #expect(recorder.notifications.first?.source == sourceName("a.one"))
            #expect(recorder.notifications.first?.at == at(.milliseconds(20)))
            let plain = try await world.search(request([profile("a.one"), profile("b.two")])).get()
            #expect(answer.hits.ids == plain.hits.ids)
        }
    }

    @Test func `hits of cached pages are sent without progress and without a call`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            let request = request([profile("a.one"), profile("b.two")])
            let (first, whileAsking) = try await Self.stream(request, world)
            let (answer, recorder) = try await Self.stream(request, world)
            #expect(answer.hits.ids == first.hits.ids)
            #expect(Set(recorder.hits) == Set(answer.hits.ids))
            #expect(whileAsking.answered.first == 0 && recorder.answered.isEmpty)
            #expect(world.fetcher.calls.begun.count == 2)
        }
    }

    @Test func `further pages of a fast source do not wait for a slow source`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, call in
                let isSlow = key.source.text == "b.two"
                return steadyScript(total: 500, after: .milliseconds(isSlow ? 900 : 20))(key, call)
            }
            let sources = [profile("a.one"), profile("b.two")]
            let (answer, recorder) = try await Self.stream(request(sources, limit: 60), world)
            let times = recorder.notifications.filter { $0.source.text == "a.one" && $0.hits != nil }.map(\.at)
            #expect(times.prefix(2) == [at(.milliseconds(20)), at(.milliseconds(40))])
            #expect(Set(recorder.hits) == Set(answer.hits.ids))
            #expect(loop.now == at(.milliseconds(1800)))
            #expect(world.fetcher.calls.begun.count == 6)
        }
    }

    @Test func `random streams send every hit of the answer once`() throws {
        let seed = testSeed()
        for round in 0..<25 {
            try virtually { loop, _ in
                var random = SeededGenerator(seed: seed &+ UInt64(round))
                let sources = (0..<Int.random(in: 1...4, using: &random)).map { profile("s.n\($0)") }
                let totals = sources.map { _ in Int.random(in: 0...60, using: &random) }
                let delays = (0..<100).map { _ in Int.random(in: 1...500, using: &random) }
                let failing = Int.random(in: 0...12, using: &random)
                let world = World(on: loop) { key, call in
                    let place = sources.firstIndex { $0.name == key.source } ?? 0
                    var answer = steadyScript(total: totals[place])(key, call)
                    if call == failing { answer = .failure(.unavailable) }
                    answer.afterSending = .milliseconds(delays[call % 100])
                    return answer
                }
                var request = request(sources, limit: Int.random(in: 1...40, using: &random))
                request.offset = Int.random(in: 0...30, using: &random)
                let recorder = StreamRecorder(on: loop)
                guard let answer = await world.search(request, observer: recorder).value else { return }
                #expect(Set(recorder.hits).count == recorder.hits.count)
                #expect(Set(recorder.hits).isSuperset(of: answer.hits.ids))
                if sources.count == 1 { #expect(recorder.hits == answer.hits.ids) }
            }
        }
    }

    @Test func `a failed source is reported at once, and a working source when its hits are complete`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in
                guard key.source.text == "a.one" else { return .failure(.unavailable, after: .milliseconds(20)) }
                return .page(page("a.one", 0..<10, isEnd: true), after: .milliseconds(900))
            }
            var refused = profile("c.three")
            refused.unavailable = SearchError(.notConfigured, "no key")
            let sources = [profile("a.one"), profile("b.two"), refused]
            let recorder = StreamRecorder(on: loop)
            let answer = try await world.search(request(sources), observer: recorder).get()
            let reports = recorder.notifications.filter { $0.hits == nil }
            #expect(reports.map(\.source.text) == ["c.three", "b.two", "a.one"])
            #expect(reports.map(\.at) == [at(.zero), at(.milliseconds(20)), at(.milliseconds(900))])
            #expect(answer.sources.map(\.status) == [.ok, .failed, .failed])
        }
    }

    @Test func `before a search fails, the state of each source is reported`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { _, _ in .failure(.unavailable) }
            let recorder = StreamRecorder(on: loop)
            #expect(await world.search(request(), observer: recorder).failureKind == .unavailable)
            #expect(recorder.reports == request().sources.map(\.name))
        }
    }
}
