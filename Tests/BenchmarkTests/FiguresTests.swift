import JSON
import Testing

@testable import Benchmark

@Suite struct FiguresTests {
    @Test func `the median of an odd count is the middle one`() throws {
        let spread = try #require(Spread([5, 1, 3]))
        #expect(spread.median == 3)
        #expect(spread.lowest == 1)
        #expect(spread.highest == 5)
    }

    @Test func `the median of an even count lies between the middle two`() {
        #expect(Spread([4, 1, 2, 10])?.median == 3)
    }

    @Test func `nothing has no median`() {
        #expect(Spread([]) == nil)
    }

    @Test func `ratios compare each round with itself`() throws {
        // The quotient of the medians would be 1.
        let spread = try #require(Spread(ratiosOf: [100, 200, 300], to: [200, 100, 300]))
        #expect(spread.lowest == 0.5)
        #expect(spread.median == 1)
        #expect(spread.highest == 2)
    }

    @Test func `there are no ratios to zero, nor of unlike rounds`() {
        #expect(Spread(ratiosOf: [1], to: [0]) == nil)
        #expect(Spread(ratiosOf: [1, 2], to: [1]) == nil)
    }

    @Test func `numbers are grouped and rounded`() {
        #expect(Numbers.decimal(0) == "0")
        #expect(Numbers.decimal(999.6) == "1,000")
        #expect(Numbers.decimal(1_234_567.4) == "1,234,567")
        #expect(Numbers.decimal(1.005, places: 1) == "1.0")
        #expect(Numbers.decimal(0.07, places: 2) == "0.07")
        #expect(Numbers.decimal(-1_234.5, places: 1) == "-1,234.5")
        #expect(Numbers.decimal(-0.001, places: 2) == "0.00")
        #expect(Numbers.decimal(.infinity) == "–")
        #expect(Unit.microseconds.text(1_250) == "1.3")
        #expect(Unit.mebibytes.text(1_572_864) == "1.5")
    }

    @Test func `a table aligns names to the left and figures to the right`() {
        var table = ResultTable(["name", "rate", "µs"])
        table.add("a", [.one(1_000), .text("7")])
        table.add("longer", [.one(2)])
        #expect(table.lines == ["name     rate  µs", "a       1,000   7", "longer      2"])
    }

    @Test func `a figure shows its median, and hands programs every round in the unit of its column`() {
        var table = ResultTable(["name", "µs", "ratio", "absent"])
        table.add(
            "a",
            [
                .rounds(Spread([3_000, 1_000, 2_000]), .microseconds),
                .rounds(Spread([1, 2, 3]), .ratio, withExtremes: true),
                .rounds(nil),
            ]
        )
        #expect(table.lines.last == "a     2.0  2.00 (1.00–3.00)       –")
        #expect(
            table.json == [["name": "a", "µs": [3.0, 1.0, 2.0], "ratio": [1.0, 2.0, 3.0], "absent": nil]]
        )
    }

    @Test func `a verdict says what was promised and what came of it`() {
        #expect(Verdict("fast", measured: "1.1", passed: true).line == "pass  fast: 1.1")
        #expect(Verdict("fast", measured: "0.9", passed: false).line == "MISS  fast: 0.9")
    }

    @Test func `figures of the kernel are found by their name`() {
        let status = Array("Name:\tsearchd\nVmRSS:\t    9876 kB\nvoluntary_ctxt_switches:\t12\n".utf8)
        #expect(ProcessFigures.field("VmRSS", in: status) == 9876)
        #expect(ProcessFigures.field("voluntary_ctxt_switches", in: status) == 12)
        #expect(ProcessFigures.field("ctxt_switches", in: status) == nil)
    }
}
