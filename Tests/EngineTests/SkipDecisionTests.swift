import RPC
import SearchModel
import SearchTestSupport
import Testing
import Upstream

@testable import Engine

struct SkipDecisionTests {
    /// `wait` is the wait before the next call, and `usual` is the usual latency, both in milliseconds.
    private func candidate(
        _ name: String,
        _ reason: SkipReason? = nil,
        wait: Int = 0,
        usual: Int? = nil,
        isNamed: Bool = false
    ) -> SkipDecision.Candidate {
        let error = SearchError(.rateLimited, "not now", retryAfter: .milliseconds(wait))
        let outlook = CallPrediction(
            obstacle: reason.map { Skip(reason: $0, error: error) },
            usual: usual.map { .milliseconds($0) }
        )
        return (sourceName(name), isNamed, outlook)
    }

    private func skipped(
        _ candidates: SkipDecision.Candidate...,
        hasOthers: Bool = false,
        mayWait: Bool = false
    ) -> [String] {
        SkipDecision.skips(candidates, hasOthers: hasOthers, mayWait: mayWait).keys.map(\.text).sorted()
    }

    @Test func `a slow source is not skipped if its limits do not delay it`() {
        #expect(skipped(candidate("a.one"), candidate("b.two", usual: 5000)) == [])
    }

    @Test(arguments: [SkipReason.suspended, .quotaExhausted])
    func `a source that cannot be called is skipped, unless the search names it`(reason: SkipReason) {
        #expect(skipped(candidate("a.one", reason), candidate("b.two")) == ["a.one"])
        #expect(skipped(candidate("a.one", reason)) == ["a.one"])
        #expect(skipped(candidate("a.one", reason), mayWait: true) == ["a.one"])
        #expect(skipped(candidate("a.one", reason, isNamed: true), candidate("b.two", reason)) == ["b.two"])
    }

    @Test func `a wait is accepted if it delays the search by at most a tenth`() {
        let slow = candidate("s.low", usual: 1000)
        #expect(skipped(candidate("a.one", .rateLimit, wait: 800, usual: 200), slow) == [])
        #expect(skipped(candidate("a.one", .rateLimit, wait: 900, usual: 200), slow) == [])
        #expect(skipped(candidate("a.one", .rateLimit, wait: 901, usual: 200), slow) == ["a.one"])
        // If the latency of a source is unknown, the latency of the slowest other source is used.
        let slower = candidate("s.low", usual: 2000)
        #expect(skipped(candidate("a.one", .rateLimit, wait: 201), slower) == ["a.one"])
        #expect(skipped(candidate("a.one", .rateLimit, wait: 200), slower) == [])
        // A slow source may wait for a tenth of its own latency.
        let quick = candidate("q.uick", usual: 100)
        #expect(skipped(candidate("a.one", .rateLimit, wait: 200, usual: 2000), quick) == [])
        #expect(skipped(candidate("a.one", .rateLimit, wait: 201, usual: 2000), quick) == ["a.one"])
    }

    @Test func `if no latency is known, only a very short wait is accepted`() {
        #expect(skipped(candidate("a.one", .rateLimit, wait: 150), candidate("b.two")) == [])
        #expect(skipped(candidate("a.one", .rateLimit, wait: 151), candidate("b.two")) == ["a.one"])
        #expect(skipped(candidate("a.one", .rateLimit, wait: 151), hasOthers: true) == ["a.one"])
    }

    @Test func `if no other source can answer, a wait of up to a second is accepted`() {
        #expect(skipped(candidate("a.one", .rateLimit, wait: 1000)) == [])
        #expect(skipped(candidate("a.one", .rateLimit, wait: 1001)) == ["a.one"])
        let (soon, later) = (
            candidate("a.one", .rateLimit, wait: 400, usual: 100), candidate("b.two", .rateLimit, wait: 900, usual: 100)
        )
        #expect(skipped(later, soon) == ["b.two"])
        #expect(skipped(later, soon, candidate("c.off", .suspended)) == ["b.two", "c.off"])
    }

    @Test func `if a source is named or the search is in the background, rate limits do not skip the source`() {
        let held = candidate("a.one", .rateLimit, wait: 60_000, isNamed: true)
        #expect(skipped(held, candidate("b.two", .rateLimit, wait: 2000)) == ["b.two"])
        #expect(skipped(held) == [])
        #expect(skipped(candidate("b.two", .rateLimit, wait: 2000), candidate("c.ok"), mayWait: true) == [])
    }
}
