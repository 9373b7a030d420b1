import Testing

@testable import Storage

@Suite struct PlausibleClocksTests {
    private static let day: Int64 = 86_400

    private func offsets(_ clocks: PlausibleClocks, at boot: Int64) -> [Int64] {
        clocks.counting(at: boot) { _ in Self.day }.map(\.offset)
    }

    private func observing(_ readings: [(boot: Int64, offset: Int64)], boot: String = "a") -> PlausibleClocks {
        var clocks = PlausibleClocks()
        for reading in readings {
            clocks.observe(
                ClockReading(wallSeconds: reading.boot + reading.offset, bootSeconds: reading.boot),
                boot: boot
            )
        }
        return clocks
    }

    @Test func `a clock that is never set is the only one`() {
        let clocks = observing([(0, 1000), (10, 1000), (Self.day * 30, 1000)])
        #expect(offsets(clocks, at: Self.day * 30) == [1000])
    }

    @Test func `drift is followed, a step is not`() {
        let drifting = observing([(0, 1000), (10, 1004), (20, 1008), (30, 1012)])
        #expect(offsets(drifting, at: 30) == [1012])
        #expect(offsets(observing([(0, 1000), (10, 1005)]), at: 10) == [1005])
        #expect(offsets(observing([(0, 1000), (10, 1006)]), at: 10) == [1006, 1000])
    }

    @Test func `what the clock said before a step counts for two days and a period more`() {
        let clocks = observing([(0, 1000), (50, 1000), (100, 95_000)])
        let end = 100 + PlausibleClocks.holdSeconds + Self.day
        #expect(offsets(clocks, at: end) == [95_000, 1000])
        #expect(offsets(clocks, at: end + 1) == [95_000])
    }

    @Test func `a step that is undone makes the first belief the current one again`() {
        let clocks = observing([(0, 1000), (100, 95_000), (200, 1001)])
        #expect(offsets(clocks, at: 200) == [1001, 95_000])
    }

    @Test func `a belief that did not count for a while begins anew when it comes back`() {
        let hold = PlausibleClocks.holdSeconds
        let early = observing([(0, 1000), (100, 95_000), (100 + hold, 1000)])
        #expect(early.beliefs[0].since == 0)
        #expect(early.beliefs.map(\.id) == [1, 2])
        let late = observing([(0, 1000), (100, 95_000), (101 + hold, 1000)])
        #expect(late.beliefs[0].since == 101 + hold)
        #expect(late.beliefs.map(\.id) == [3, 2])
    }

    @Test func `a new start of the machine keeps beliefs as far apart as they were`() {
        var clocks = observing([(0, 1000), (100, 95_000)])
        // A thousand seconds later by the clock.
        clocks.observe(ClockReading(wallSeconds: 96_107, bootSeconds: 7), boot: "b")
        #expect(offsets(clocks, at: 7) == [96_100, 2_100])
    }

    @Test func `a clock that went back while the machine was off is not alone`() {
        var clocks = observing([(100, 1000)])
        clocks.observe(ClockReading(wallSeconds: 40, bootSeconds: 7), boot: "b")
        #expect(offsets(clocks, at: 7) == [33, 1093])
    }

    @Test func `an uptime that went back is a new start, even under the same name`() {
        let clocks = observing([(100, 1000), (7, 1093)])
        #expect(clocks.beliefs.map(\.offset) == [1093])
        #expect(clocks.beliefs.map(\.seenAt) == [7])
    }

    @Test func `beliefs are bounded, the oldest goes first`() {
        let max = PlausibleClocks.beliefsMax
        let steps = (0..<max).map { (boot: Int64($0), offset: Int64($0) * 100) }
        #expect(offsets(observing(steps), at: Int64(max)).count == max)
        let clocks = observing(steps + [(boot: Int64(max), offset: -5000)])
        #expect(clocks.beliefs.count == max)
        #expect(!clocks.beliefs.contains { $0.offset == 0 })
    }
}
