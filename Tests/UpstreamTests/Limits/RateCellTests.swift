import EventLoop
import TestSupport
import Testing

@testable import Upstream

struct RateCellTests {
    private var cell = RateCell(interval: 100, burst: 3)

    private func instant(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    private mutating func admitAll(at nanoseconds: Int64) -> Int {
        var count = 0
        while count < 9, cell.earliest(at: instant(nanoseconds)) == instant(nanoseconds) {
            cell.admit(at: instant(nanoseconds))
            count += 1
        }
        return count
    }

    @Test mutating func `after an idle time, a burst of calls may start at once, and then one call per interval`() {
        #expect(admitAll(at: 1000) == 3)
        #expect(cell.earliest(at: instant(1000)) == instant(1100))
        #expect(cell.earliest(at: instant(1099)) == instant(1100))
        #expect(admitAll(at: 1100) == 1)
        #expect(admitAll(at: 1300) == 2)
        #expect(admitAll(at: 10_000) == 3)
    }

    @Test mutating func `the start time of a call depends on the number of calls before it`() {
        #expect(cell.earliest(at: instant(500), behind: 2) == instant(500))
        #expect(cell.earliest(at: instant(500), behind: 3) == instant(600))
        #expect(admitAll(at: 500) == 3)
        #expect(cell.earliest(at: instant(550)) == instant(600))
        #expect(cell.earliest(at: instant(550), behind: 4) == instant(1000))
        #expect(cell.earliest(at: instant(550), behind: .max) == Instant(nanoseconds: .max))
    }

    @Test mutating func `only the call that started last can be taken back, and only once`() {
        cell.admit(at: instant(0))
        cell.admit(at: instant(1))
        cell.giveBack(admittedAt: instant(0))
        #expect(admitAll(at: 1) == 1)
        cell = RateCell(interval: 100, burst: 3)
        for _ in 0..<3 { cell.admit(at: instant(0)) }
        for _ in 0..<2 { cell.giveBack(admittedAt: instant(0)) }
        #expect(admitAll(at: 0) == 1)
    }

    @Test mutating func `if the rate changes, earlier calls still count`() {
        #expect(admitAll(at: 0) == 3)
        cell = RateCell(interval: 200, burst: 1, after: cell)
        #expect(cell.earliest(at: instant(0)) == instant(300))
    }

    @Test(arguments: [(1, 1), (1, 7), (1000, 3), (333_333_334, 12), (102_000_000, 10), (1_000_000_007, 2)])
    func `a rate cell allows the same calls as a token bucket, even if calls are taken back`(
        interval: Int64,
        burst: Int
    ) {
        var random = SeededGenerator(seed: testSeed())
        var cell = RateCell(interval: interval, burst: burst)
        // The token bucket counts in whole nanoseconds.
        let capacity = interval * Int64(burst)
        var (credit, filledAt, now, admitted) = (capacity, Int64(0), Int64(0), 0)
        for _ in 0..<testEvents(60_000) / 6 {
            now +=
                [0, 0, 1, interval - 1, interval, Int64.random(in: 0...interval * 4, using: &random)]
                .randomElement(using: &random) ?? 0
            credit = min(credit + (now - filledAt), capacity)
            filledAt = now
            let wait = max(0, interval - credit)
            #expect(cell.earliest(at: instant(now)) == instant(now + wait))
            guard wait == 0 else { continue }
            cell.admit(at: instant(now))
            if Int.random(in: 0..<4, using: &random) == 0 {
                cell.giveBack(admittedAt: instant(now))
            } else {
                credit -= interval
                admitted += 1
            }
        }
        #expect(admitted > 1000)
    }
}
