import TestSupport
import Testing

@testable import Upstream

/// Who waits how long when more is asked than a source gives.
struct FairnessTests {
    @Test(arguments: [1, 8])
    func `a light client among 64 that flood mostly waits for less than a call of each`(slots: Int) {
        var source = ThrottledSource(slots: slots, callTime: .milliseconds(50)...(.milliseconds(150)), seed: testSeed())
        source.add(.floods(waiting: 5), count: 64)
        source.add(.asks(every: .milliseconds(100 * 65 * 4 / slots)))
        source.run(until: 64, hasBegun: 60)
        #expect(source.clients[64].wait(atPercentile: 50) <= .milliseconds(100 * 65 / slots + 150))
    }

    @Test func `equal clients get equal shares`() {
        var source = ThrottledSource(slots: 4, callTime: .milliseconds(1)...(.milliseconds(500)), seed: testSeed())
        source.add(.floods(waiting: 1), count: 8)
        source.add(.floods(waiting: 20), count: 8)
        source.run(until: 0, hasBegun: 250)
        let shares = source.clients.map { Double($0.waits.count) }
        let sum = shares.reduce(0, +)
        let jain = sum * sum / (Double(shares.count) * shares.map { $0 * $0 }.reduce(0, +))
        #expect(jain >= 0.999)
    }

    @Test func `background calls take what interactive ones leave, and get it`() {
        var source = ThrottledSource(slots: 4, callTime: .milliseconds(50)...(.milliseconds(150)), seed: testSeed())
        source.add(.floods(waiting: 10), .background, count: 4)
        // Eight tenths of what the source gives.
        source.add(.asks(every: .milliseconds(1000)), count: 32)
        source.run(until: 4, hasBegun: 100)
        let background = source.clients[..<4]
        let interactive = source.clients[4...]
        let waits = interactive.flatMap(\.waits).sorted()
        #expect(waits.count > 2000)
        // One slot is never theirs, so most interactive calls begin within a call's time, and of each client many.
        #expect(waits[waits.count / 2] <= 100_000_000)
        #expect(interactive.allSatisfy { $0.wait(atPercentile: 50) <= .milliseconds(200) })
        #expect(background.allSatisfy { $0.waits.count > 50 && $0.longestGap < .seconds(15) })
    }

    @Test func `background calls wait as long as interactive ones take everything`() {
        var source = ThrottledSource(slots: 2, callTime: .milliseconds(50)...(.milliseconds(150)), seed: testSeed())
        source.add(.floods(waiting: 2), count: 3)
        source.add(.floods(waiting: 2), .background)
        source.run(until: 0, hasBegun: 300)
        #expect(source.clients[3].waits.isEmpty)
    }
}
