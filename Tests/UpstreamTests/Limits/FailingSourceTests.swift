import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

/// A source that fails now and then, mostly, or always, with the breaker and the retries as they are.
struct FailingSourceTests {
    /// What became of a run of searches.
    private struct Run {
        var answered = 0
        /// When calls went out.
        var sent: [Instant] = []
        /// Searches whose first call went out.
        var firsts = 0
        /// Calls of the searches that were answered, and the first ones of the others: what success took.
        var needed = 0
    }

    /// Searches one after the other, each so long after the one before began; each call meets the fault that is drawn.
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
                let wait: Duration? = kind == .rateLimited ? .milliseconds(300) : nil
                let error = SearchError(kind, "the script says so", retryable: true, retryAfter: wait)
                return ScriptedFetcher.Answer(outcome: .failure(error))
            }
            let run = Locked(Run())
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<searches {
                    group.addTask {
                        try? await loop.sleep(until: loop.now.advanced(by: interval * number))
                        let calls = Locked(0)
                        let outcome = await world.fetch(page: number) { event in
                            guard event == .sent else { return }
                            calls.withLock { $0 += 1 }
                            run.withLock { $0.sent.append(loop.now) }
                        }
                        let isAnswered = outcome.error == nil
                        let count = calls.withLock { $0 }
                        run.withLock { run in
                            if isAnswered { run.answered += 1 }
                            if count > 0 { run.firsts += 1 }
                            run.needed += isAnswered ? count : min(count, 1)
                        }
                    }
                }
            }
            return run.withLock { $0 }
        }
    }

    @Test func `where every fifth call fails nearly all searches are answered`() throws {
        let searches = 1500
        let run = try Self.run(searches, every: .milliseconds(100), seed: testSeed()) { $0 < 0.2 ? .unavailable : nil }
        #expect(run.answered * 100 >= searches * 95)
        // Each search takes 1 / (1 - 0.2) calls on average, and chance moves that by a few hundredths.
        #expect(Double(run.sent.count) <= Double(searches) / 0.8 * 1.1)
        proved(
            "\(run.answered) of \(searches) searches answered where a fifth of the calls fail, \(run.sent.count) calls"
        )
    }

    @Test func `a source that is down is asked five times, then once a pause, and pauses grow`() throws {
        let run = try Self.run(1500, every: .milliseconds(100), seed: testSeed()) { _ in .unavailable }
        #expect(run.answered == 0)
        // 150 s hold seven pauses, of 1 s, 2 s, 4 s and so on; two calls were under way when the first began.
        #expect((Breaker.consecutiveMax...Breaker.consecutiveMax + 2 + 7).contains(run.sent.count))
        let gaps = zip(run.sent, run.sent.dropFirst()).map { $0.duration(to: $1) }.filter { $0 >= Breaker.pauseMin }
        #expect((5...7).contains(gaps.count))
        #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `under any mix of faults the sources get a tenth more calls than success needs`() throws {
        let seed = testSeed()
        for round in 0..<12 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let share = round == 0 ? 1 : Double.random(in: 0...1, using: &random)
            let kinds: [SearchError.Kind?] = [.unavailable, .timeout, .badResponse, .rateLimited, nil, nil]
            let faults = kinds.shuffled(using: &random).prefix(3)
            let run = try Self.run(600, every: .milliseconds(100), seed: random.next()) { chance in
                chance < share ? faults[Int(chance / share * 3)] : nil
            }
            // A tenth on average: of 600 searches chance has some thirty calls more wasted, and a fresh budget two.
            #expect(run.sent.count <= run.needed + run.needed / 10 + 32, "\(share) \(faults)")
            // The budget itself knows no chance.
            let retries = run.sent.count - run.firsts
            #expect(retries * 100 <= 2 * 108 + run.firsts * 8 + run.answered * 25, "\(share) \(faults)")
            #expect(run.sent.count >= run.firsts)
        }
    }
}
