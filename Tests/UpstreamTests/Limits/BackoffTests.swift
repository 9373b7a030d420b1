import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

struct BackoffTests {
    private var backoff = Backoff()
    private var budget = RetryBudget()

    private func error(_ kind: SearchError.Kind = .unavailable, retryAfter: Duration? = nil) -> SearchError {
        SearchError(kind, "the test says so", retryable: true, retryAfter: retryAfter)
    }

    private mutating func fail(
        _ error: SearchError,
        deadline: Instant = at(.seconds(1000)),
        jitter: Double = 1
    ) -> Instant? {
        backoff.failed(error, at: at(.zero), deadline: deadline, jitter: jitter, budget: &budget)
    }

    private mutating func saveUp() {
        for _ in 0..<1000 { budget.called() }
    }

    @Test mutating func `the pause between attempts doubles, and a call has at most four attempts`() {
        saveUp()
        #expect(fail(error()) == at(.milliseconds(200)))
        #expect(fail(error()) == at(.milliseconds(400)))
        #expect(fail(error()) == at(.milliseconds(800)))
        #expect(fail(error()) == nil)
    }

    @Test mutating func `the wait before a retry is the pause multiplied by the jitter`() {
        saveUp()
        #expect(fail(error(), jitter: 0) == at(.zero))
        #expect(fail(error(), jitter: 0.25) == at(.milliseconds(100)))
    }

    @Test mutating func `a retry waits at least as long as the source requested`() {
        saveUp()
        #expect(fail(error(retryAfter: .seconds(3))) == at(.seconds(3)))
        #expect(fail(error(retryAfter: .milliseconds(1))) == at(.milliseconds(400)))
    }

    @Test mutating func `there is no retry at or after the deadline`() {
        saveUp()
        #expect(fail(error(), deadline: at(.milliseconds(200))) == nil)
        #expect(fail(error(retryAfter: .seconds(20)), deadline: at(.seconds(10))) == nil)
        #expect(fail(error(), deadline: at(.milliseconds(201))) == at(.milliseconds(200)))
    }

    @Test(arguments: [
        SearchError.Kind.quotaExhausted, .unauthorized, .invalidParams, .cancelled, .overloaded, .shuttingDown,
        .notFound, .internal,
    ])
    mutating func `only outages, timeouts and rate limits are retried`(_ kind: SearchError.Kind) {
        #expect(fail(error(kind)) == nil)
    }

    @Test func `n calls, of which s succeeded, allow at most n/10 + s/4 retries`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<200 {
            var budget = RetryBudget()
            var (calls, successes, retries) = (0, 0, 0)
            var share = Double.random(in: 0...1, using: &random)
            for _ in 0..<2000 {
                if Int.random(in: 0..<300, using: &random) == 0 { share = Double.random(in: 0...1, using: &random) }
                calls += 1
                budget.called()
                var hasFailed = Double.random(in: 0..<1, using: &random) < share
                while hasFailed, budget.spend() {
                    retries += 1
                    budget.called()
                    hasFailed = Double.random(in: 0..<1, using: &random) < share
                }
                if !hasFailed {
                    successes += 1
                    budget.succeeded()
                }
                if calls >= 100 { #expect(retries * 20 <= calls * 2 + successes * 5) }
            }
        }
    }
}
