import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import Testing
import Upstream

@testable import Engine

struct PatienceTests {
    private func at(_ milliseconds: Int) -> Instant {
        Instant(nanoseconds: 0).advanced(by: .milliseconds(milliseconds))
    }

    private func need(_ source: String, page: Int = 0) -> PageNeed {
        PageNeed(key: pageKey(source, page: page), freshness: profile(source).freshness)
    }

    /// Calls that began at 0, each with what it usually takes, and an answer of another at a time.
    private func patience(_ usual: [Int?], answeredAt: Int) -> Patience {
        var patience = Patience(at: at(0))
        patience.began(need("z.answered"), nil, at: at(0))
        for (number, usual) in usual.enumerated() {
            let outlook = CallOutlook(obstacle: nil, usual: usual.map { .milliseconds($0) })
            patience.began(need("s.n\(number)"), outlook, at: at(0))
        }
        patience.ended(need("z.answered").key, at: at(answeredAt))
        return patience
    }

    @Test func `a source that has never answered is given a quarter of a second after the latest answer`() {
        var patience = patience([nil, nil], answeredAt: 100)
        #expect(patience.end(at: at(100), .none) == at(350))
        #expect(patience.end(at: at(349), .none) == at(350))
        #expect(patience.end(at: at(350), .none) == nil)
        patience.ended(need("s.n0").key, at: at(200))
        #expect(patience.end(at: at(200), .none) == at(450))
        patience.ended(need("s.n1").key, at: at(300))
        #expect(patience.end(at: at(300), .none) == nil && patience.calls.isEmpty)
    }

    @Test func `one that is known is given its usual time and half of it, and no more`() {
        #expect(patience([120], answeredAt: 100).end(at: at(100), .none) == at(230))
        #expect(patience([300], answeredAt: 100).end(at: at(100), .none) == at(350))
        // It is overdue.
        #expect(patience([60], answeredAt: 200).end(at: at(200), .none) == nil)
    }

    @Test func `one that usually takes longer than the search would wait is not waited for`() {
        #expect(patience([350], answeredAt: 100).end(at: at(100), .none) == at(350))
        #expect(patience([351], answeredAt: 100).end(at: at(100), .none) == nil)
        // What comes meanwhile may make it worth it.
        var both = patience([200, 500], answeredAt: 100)
        #expect(both.end(at: at(100), .none) == at(350))
        both.ended(need("s.n0").key, at: at(260))
        #expect(both.end(at: at(260), .none) == at(510))
    }

    @Test func `what its rate limit makes a call wait is part of its usual time`() {
        var patience = Patience(at: at(0))
        let held = Skip(
            reason: .rateLimit,
            error: SearchError(.rateLimited, "wait", retryAfter: .milliseconds(400))
        )
        patience.began(need("a.one"), CallOutlook(obstacle: held, usual: .milliseconds(100)), at: at(0))
        #expect(patience.end(at: at(0), .none) == nil)
    }

    @Test func `what is all in the cache is waited for from the beginning`() {
        var patience = Patience(at: at(1000))
        patience.began(need("a.one"), nil, at: at(1001))
        #expect(patience.end(at: at(1002), .none) == at(1250))
    }

    @Test func `those that alone can fill the window have several times as long`() {
        #expect(patience([nil], answeredAt: 100).end(at: at(100), .rest) == at(3100))
        #expect(patience([200, 600], answeredAt: 100).end(at: at(100), .rest) == at(2050))
        #expect(patience([200], answeredAt: 100).end(at: at(850), .rest) == nil)
    }

    @Test func `while nothing has been found all are waited for, also one that is overdue`() {
        #expect(patience([2], answeredAt: 100).end(at: at(400), .all) == at(3100))
        #expect(patience([1500], answeredAt: 100).end(at: at(100), .all) == at(4750))
        #expect(patience([2], answeredAt: 100).end(at: at(3100), .all) == nil)
    }
}
