import TestSupport
import Testing

@testable import Benchmark

@Suite struct HistogramTests {
    @Test func `an empty histogram has no percentile`() {
        #expect(Histogram().percentile(0.5) == nil)
    }

    @Test func `small values are kept exactly`() {
        var histogram = Histogram()
        for value in 1...200 { histogram.record(Int64(value)) }
        #expect(histogram.count == 200)
        #expect(histogram.percentile(0.5) == 100)
        #expect(histogram.percentile(0.99) == 198)
        #expect(histogram.percentile(1) == 200)
        #expect(histogram.percentile(0) == 1)
    }

    @Test func `a percentile is never below the true one and at most a 128th above`() throws {
        var generator = SeededGenerator(seed: testSeed())
        var histogram = Histogram()
        var values: [Int64] = []
        for _ in 0..<5_000 {
            let bits = Int.random(in: 1...40, using: &generator)
            values.append(Int64.random(in: 0..<(1 << Int64(bits)), using: &generator))
        }
        for value in values { histogram.record(value) }
        values.sort()
        for fraction in [0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1] {
            let exact = values[Int((fraction * Double(values.count)).rounded(.up)) - 1]
            let found = try #require(histogram.percentile(fraction))
            #expect(found >= exact)
            #expect(found <= exact + exact / 128)
        }
    }

    @Test func `what is too long or negative counts as the limit`() {
        var histogram = Histogram()
        histogram.record(-5)
        #expect(histogram.percentile(1) == 0)
        histogram.record(Histogram.nanosecondsMax)
        histogram.record(Histogram.nanosecondsMax + 1)
        histogram.record(.max)
        #expect(histogram.count == 4)
        #expect(histogram.percentile(1) == Histogram.nanosecondsMax)
    }
}
