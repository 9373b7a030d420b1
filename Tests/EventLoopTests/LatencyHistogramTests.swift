import EventLoop
import Testing

struct LatencyHistogramTests {
    @Test func `a duration is counted in the first bucket whose bound is at least the duration`() {
        var histogram = LatencyHistogram(bounds: [.nanoseconds(10), .nanoseconds(20)])
        for nanoseconds in [0, 10, 11, 20, 21] as [Int64] { histogram.add(nanoseconds: nanoseconds) }
        #expect(histogram.counts == [2, 2, 1])
        #expect(histogram.count == 5)
        #expect(histogram.sumNanoseconds == 62)
        #expect(histogram.cumulative.map(\.count) == [2, 4])
    }

    @Test func `a loop counts its iterations and records the longest duration`() throws {
        let loop = try EventLoop()
        loop.perform {
            let begin = loop.now
            while begin.duration(to: loop.now) < .milliseconds(3) {}
            loop.perform { loop.stop() }
        }
        loop.run()
        let figures = Locked<LoopFigures?>(nil)
        loop.perform {
            figures.withLock { $0 = loop.figures }
            loop.stop()
        }
        loop.run()
        let seen = try #require(figures.withLock { $0 })
        #expect(seen.turns.count >= 1)
        #expect(seen.longestTurnNanoseconds >= 3_000_000)
    }
}
