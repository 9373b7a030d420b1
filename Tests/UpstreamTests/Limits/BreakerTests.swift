import EventLoop
import SearchTestSupport
import Testing

@testable import Upstream

struct BreakerTests {
    private var breaker = Breaker()

    private mutating func fail(_ count: Int, at instant: Instant) {
        for _ in 0..<count { breaker.failed(probe: false, at: instant, jitter: 0) }
    }

    private var pauseEnd: Instant? { breaker.state == .open ? breaker.retryAt : nil }

    @Test mutating func `if no call has succeeded, the breaker opens at the fifth failure, not before`() {
        fail(Breaker.consecutiveMax - 1, at: at(.zero))
        #expect(breaker.state == .closed)
        fail(1, at: at(.zero))
        #expect(pauseEnd == at(.seconds(1)))
        #expect(breaker.openedAt == at(.zero))
    }

    @Test mutating func `after a success, the breaker opens at the eighth failure in a row, not before`() {
        for _ in 0..<2 {
            for _ in 0..<Breaker.samplesMax { breaker.succeeded(probe: false) }
            fail(Breaker.consecutiveAfterSuccessMax - 1, at: at(.zero))
            #expect(breaker.state == .closed)
        }
        fail(1, at: at(.zero))
        #expect(pauseEnd == at(.seconds(1)))
        #expect(breaker.openedAt == at(.zero))
    }

    @Test mutating func `after enough calls, the breaker opens if half of the latest calls failed`() {
        for _ in 1..<Breaker.samplesMin / 2 {
            breaker.succeeded(probe: false)
            fail(1, at: at(.zero))
        }
        breaker.succeeded(probe: false)
        #expect(breaker.state == .closed)
        fail(1, at: at(.zero))
        #expect(pauseEnd == at(.seconds(1)))
    }

    @Test mutating func `if one probe fails between two successful probes, the breaker does not reopen`() {
        fail(5, at: at(.zero))
        for isGood in [true, false, true] {
            #expect(breaker.obstacle(at: at(.seconds(1))) == nil)
            _ = breaker.passed(at: at(.seconds(1)))
            if isGood {
                breaker.succeeded(probe: true)
            } else {
                breaker.failed(probe: true, at: at(.seconds(1)), jitter: 0)
            }
        }
        #expect(breaker.state == .closed)
    }

    @Test mutating func `an open breaker allows no call during its pause, and one call after the pause`() {
        fail(5, at: at(.zero))
        #expect(breaker.obstacle(at: at(.milliseconds(999))) == at(.seconds(1)))
        #expect(breaker.obstacle(at: at(.seconds(1))) == nil)
        let isProbe = breaker.passed(at: at(.seconds(1)))
        #expect(isProbe)
        #expect(breaker.state == .halfOpen)
        #expect(breaker.obstacle(at: at(.seconds(1))) == at(.seconds(2)))
    }

    @Test mutating func `the breaker closes after two successful probes`() {
        fail(5, at: at(.zero))
        _ = breaker.passed(at: at(.seconds(1)))
        breaker.succeeded(probe: true)
        #expect(breaker.state == .halfOpen)
        #expect(breaker.obstacle(at: at(.seconds(1))) == nil)
        _ = breaker.passed(at: at(.seconds(1)))
        breaker.succeeded(probe: true)
        #expect(breaker.state == .closed)
        #expect(breaker.openedAt == nil)
        #expect(breaker.passed(at: at(.seconds(1))) == false)
    }

    @Test mutating func `each failed probe makes the pause longer, up to a limit`() {
        fail(5, at: at(.zero))
        var now = at(.seconds(1))
        var pauses: [Duration] = []
        for _ in 0..<12 {
            _ = breaker.passed(at: now)
            breaker.failed(probe: true, at: now, jitter: 0)
            guard let pauseEnd else { break }
            pauses.append(now.duration(to: pauseEnd))
            now = pauseEnd
        }
        #expect(pauses.prefix(4) == [.seconds(2), .seconds(4), .seconds(8), .seconds(16)])
        #expect(pauses.count == 12)
        #expect(pauses.last == Breaker.pauseMax)
        #expect(breaker.openedAt == at(.zero))
    }

    @Test mutating func `if the breaker opens again soon after it closed, the pause is longer`() {
        fail(5, at: at(.zero))
        for _ in 0..<2 {
            _ = breaker.passed(at: at(.seconds(1)))
            breaker.succeeded(probe: true)
        }
        fail(5, at: at(.seconds(10)))
        #expect(pauseEnd == at(.seconds(12)))
        for _ in 0..<2 {
            _ = breaker.passed(at: at(.seconds(12)))
            breaker.succeeded(probe: true)
        }
        for _ in 0..<Breaker.healedCount { breaker.succeeded(probe: false) }
        fail(Breaker.consecutiveAfterSuccessMax, at: at(.seconds(20)))
        #expect(pauseEnd == at(.seconds(21)))
    }

    @Test mutating func `if a probe is abandoned, the next call becomes the probe`() {
        fail(5, at: at(.zero))
        _ = breaker.passed(at: at(.seconds(1)))
        breaker.abandoned(probe: true)
        #expect(breaker.obstacle(at: at(.seconds(1))) == nil)
        #expect(breaker.state == .halfOpen)
    }

    @Test mutating func `calls that started before the breaker opened do not change the breaker`() {
        fail(5, at: at(.zero))
        breaker.succeeded(probe: false)
        fail(1, at: at(.milliseconds(500)))
        #expect(pauseEnd == at(.seconds(1)))
        _ = breaker.passed(at: at(.seconds(1)))
        breaker.succeeded(probe: false)
        breaker.succeeded(probe: false)
        fail(1, at: at(.seconds(1)))
        #expect(breaker.state == .halfOpen)
    }
}
