import Testing

@testable import Benchmark

@Suite struct FiguresTests {
    @Test func `a median is the middle value or the mean of the two middle values`() {
        #expect(Spread([5, 1, 3])?.median == 3 && Spread([4, 1, 2, 10])?.median == 3)
        #expect(Spread([5, 1, 3])?.lowest == 1 && Spread([5, 1, 3])?.highest == 5 && Spread([]) == nil)
    }

    @Test func `a spread of two lists has the lowest, median and highest ratio`() {
        let spread = Spread(ratiosOf: [100, 200, 300], to: [200, 100, 300])
        #expect(spread?.lowest == 0.5 && spread?.median == 1 && spread?.highest == 2)
        #expect(Spread(ratiosOf: [1], to: [0]) == nil && Spread(ratiosOf: [1, 2], to: [1]) == nil)
    }

    @Test func `numbers are grouped and rounded`() {
        #expect(Unit.count.text(999.6) == "1,000" && Unit.count.text(1_234_567.4) == "1,234,567")
        #expect(Unit.ratio.text(0.07) == "0.07" && Unit.ratio.text(-0.001) == "0.00")
        #expect(Unit.ratio.text(-1_234.5) == "-1,234.50" && Unit.count.text(Double.infinity) == "–")
        #expect(Unit.microseconds.text(1_250.0) == "1.3" && Unit.mebibytes.text(1_572_864.0) == "1.5")
    }

    @Test func `a table aligns names to the left and numbers to the right`() {
        var table = ResultTable(["name", "rate", "µs"])
        table.add("a", ["1,000", "7"])
        table.add("longer", ["2"])
        #expect(table.lines == ["name     rate  µs", "a       1,000   7", "longer      2    "])
    }

    @Test func `a verdict fails if its number is missing or beyond the limit`() {
        let spread = Spread([0.79, 0.8, 0.81])
        let reached = Verdict("fast", spread, .ratio, atLeast: 0.8)
        #expect(reached.line == "pass  fast: 0.80 (0.79–0.81)")
        #expect(!Verdict("fast", spread, .ratio, atLeast: 0.81).passed)
        #expect(
            Verdict("cheap", spread, .ratio, atMost: 0.8).passed && !Verdict("cheap", nil, .ratio, atMost: 1).passed
        )
    }

    @Test func `kernel statistics are found by name`() {
        let status = Array("Name:\tsearchd\nVmRSS:\t    9876 kB\nvoluntary_ctxt_switches:\t12\n".utf8)
        #expect(ChildProcess.field("VmRSS", in: status) == 9876)
        #expect(ChildProcess.field("voluntary_ctxt_switches", in: status) == 12)
        #expect(ChildProcess.field("ctxt_switches", in: status) == nil)
    }
}
