import EventLoop
import TestSupport
import Testing

@testable import Engine

struct AdaptiveConcurrencyTests {
    private var concurrency = AdaptiveConcurrency(bounds: 1...8)

    /// A good call at an instant that took so long.
    private mutating func succeed(_ latency: Duration, at instant: Instant, inUse: Int = 8) {
        let start = instant.advanced(by: .zero - latency)
        concurrency.succeeded(latency: latency, startedAt: start, inUse: inUse, at: instant)
    }

    @Test func `it begins with all that is allowed`() {
        #expect(concurrency.allowed == 8)
    }

    @Test mutating func `a failure halves it, once for all calls that were under way together`() {
        concurrency.failed(startedAt: at(.seconds(1)), at: at(.seconds(2)))
        #expect(concurrency.allowed == 4)
        concurrency.failed(startedAt: at(.seconds(1)), at: at(.seconds(2)))
        #expect(concurrency.allowed == 4)
        concurrency.failed(startedAt: at(.seconds(3)), at: at(.seconds(4)))
        #expect(concurrency.allowed == 2)
    }

    @Test mutating func `it never falls below its bound`() {
        for second in 0..<20 { concurrency.failed(startedAt: at(.seconds(second)), at: at(.seconds(second))) }
        #expect(concurrency.allowed == 1)
    }

    @Test mutating func `a round of good calls raises it by one, up to its bound`() {
        concurrency.failed(startedAt: at(.seconds(1)), at: at(.seconds(1)))
        for call in 0..<5 { succeed(.milliseconds(10), at: at(.seconds(2 + call)), inUse: 4) }
        #expect(concurrency.allowed == 5)
        for call in 0..<100 { succeed(.milliseconds(10), at: at(.seconds(10 + call))) }
        #expect(concurrency.allowed == 8)
    }

    @Test mutating func `a limit that is not reached does not grow`() {
        concurrency.failed(startedAt: at(.seconds(1)), at: at(.seconds(1)))
        for call in 0..<100 { succeed(.milliseconds(10), at: at(.seconds(2 + call)), inUse: 3) }
        #expect(concurrency.allowed == 4)
    }

    @Test mutating func `answers that become slow lower it`() {
        for call in 0..<10 { succeed(.milliseconds(50), at: at(.seconds(call))) }
        #expect(concurrency.allowed == 8)
        succeed(.milliseconds(400), at: at(.seconds(20)))
        #expect(concurrency.allowed == 6)
        succeed(.milliseconds(400), at: at(.seconds(30)))
        #expect(concurrency.allowed == 5)
    }

    @Test mutating func `a little slower is not slow`() {
        for call in 0..<10 { succeed(.milliseconds(5), at: at(.seconds(call))) }
        for call in 0..<10 { succeed(.milliseconds(40), at: at(.seconds(20 + call))) }
        #expect(concurrency.allowed == 8)
    }

    @Test func `whatever happens it stays within its bounds`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<50 {
            let bounds = 1...Int.random(in: 1...20, using: &random)
            var concurrency = AdaptiveConcurrency(bounds: bounds)
            var now = at(.zero)
            for _ in 0..<200 {
                now = now.advanced(by: .milliseconds(Int.random(in: 0...100, using: &random)))
                let latency = Duration.milliseconds(Int.random(in: 0...500, using: &random))
                if Bool.random(using: &random) {
                    concurrency.failed(startedAt: now.advanced(by: .zero - latency), at: now)
                } else {
                    concurrency.succeeded(
                        latency: latency,
                        startedAt: now.advanced(by: .zero - latency),
                        inUse: Int.random(in: 1...20, using: &random),
                        at: now
                    )
                }
                #expect(bounds.contains(concurrency.allowed))
            }
        }
    }
}
