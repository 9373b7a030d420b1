import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

/// A source that fails sometimes or always, with the real breaker and real retries.
struct FailingSourceTests {
    private struct Run {
        var answered = 0
        var sent: [Instant] = []
    }

    private static func run(
        _ searches: Int,
        every interval: Duration,
        seed: UInt64,
        fault: @escaping @Sendable (_ chance: Double) -> SearchError.Kind?
    ) throws -> Run {
        try virtually { loop, _ in
            let random = Locked(SeededGenerator(seed: seed))
            let world = try await LimitedWorld(on: loop) { _, _ in
                guard let kind = fault(random.withLock { Double.random(in: 0..<1, using: &$0) }) else {
                    return .page(page("a.one", [1]))
                }
                let error = SearchError(kind, "the script says so", retryable: true)
                return ScriptedFetcher.Answer(outcome: .failure(error))
            }
            let run = Locked(Run())
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<searches {
                    group.addTask {
                        try? await loop.sleep(until: loop.now.advanced(by: interval * number))
                        let outcome = await world.fetch(page: number) { event in
                            if event == .sent { run.withLock { $0.sent.append(loop.now) } }
                        }
                        if outcome.error == nil { run.withLock { $0.answered += 1 } }
                    }
                }
            }
            return run.withLock { $0 }
        }
    }

    @Test func `if a fifth of all calls fail, nearly all searches are answered`() throws {
        let searches = 1500
        let run = try Self.run(searches, every: .milliseconds(100), seed: testSeed()) { $0 < 0.2 ? .unavailable : nil }
        #expect(run.answered * 100 >= searches * 95)
        // A search takes 1 / (1 - 0.2) calls on average.
        #expect(Double(run.sent.count) <= Double(searches) / 0.8 * 1.1)
        proved(
            "a fifth of the calls fail: \(run.answered) of \(searches) searches answered with \(run.sent.count) calls"
        )
    }

    @Test func `a source that is down gets five calls, and then one call after each longer pause`() throws {
        let run = try Self.run(1500, every: .milliseconds(100), seed: testSeed()) { _ in .unavailable }
        #expect(run.answered == 0)
        // In 150 s there are seven pauses of 1 s, 2 s, 4 s and so on. Two calls were in flight at the first pause.
        #expect((Breaker.consecutiveMax...Breaker.consecutiveMax + 2 + 7).contains(run.sent.count))
        let gaps = zip(run.sent, run.sent.dropFirst()).map { $0.duration(to: $1) }.filter { $0 >= Breaker.pauseMin }
        #expect((5...7).contains(gaps.count))
        #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $0 < $1 })
    }
}
