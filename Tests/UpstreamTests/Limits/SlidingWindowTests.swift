import EventLoop
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

struct SlidingWindowTests {
    private var window = SlidingWindow(length: .seconds(60), limit: 3)

    @Test mutating func `a call over the limit waits until a minute after the first call`() {
        for second in 0..<3 {
            #expect(window.earliest(at: at(.seconds(second))) == at(.seconds(second)))
            window.admit(at: at(.seconds(second)))
        }
        #expect(window.earliest(at: at(.seconds(3))) == at(.seconds(60)))
        #expect(window.earliest(at: at(.seconds(3)), behind: 1) == at(.seconds(61)))
        #expect(window.earliest(at: at(.seconds(60))) == at(.seconds(60)))
    }

    @Test mutating func `a call that was not sent does not count`() {
        for second in 0..<3 { window.admit(at: at(.seconds(second))) }
        window.giveBack(admittedAt: at(.seconds(1)))
        #expect(window.earliest(at: at(.seconds(3))) == at(.seconds(3)))
    }

    @Test func `the limit is not exceeded in any 60 seconds`() {
        var random = SeededGenerator(seed: testSeed())
        var window = SlidingWindow(length: .seconds(60), limit: 20)
        var admitted: [Instant] = []
        var now = at(.zero)
        for _ in 0..<5000 {
            now = now.advanced(by: .milliseconds(Int.random(in: 0...2000, using: &random)))
            let earliest = window.earliest(at: now)
            if Bool.random(using: &random) { now = earliest }
            guard earliest <= now else { continue }
            window.admit(at: now)
            admitted.append(now)
        }
        #expect(admitted.count > 1000)
        let tooClose = zip(admitted, admitted.dropFirst(20)).filter { $0.duration(to: $1) < .seconds(60) }
        #expect(tooClose.isEmpty)
    }
}
