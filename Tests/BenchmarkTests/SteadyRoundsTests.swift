import Testing

@testable import Benchmark

@Suite struct SteadyRoundsTests {
    private static func rounds(_ readings: [[Int64]], wanted: Int = 2, fastest: Int64 = 100) -> SteadyRounds<Int> {
        var rounds = SteadyRounds<Int>(wanted: wanted, fastest: fastest)
        for (number, readings) in readings.enumerated() { rounds.add(number, readings: readings) }
        return rounds
    }

    @Test func `a round beside which the machine was slow does not count, whenever it was slow`() {
        let rounds = Self.rounds([[100, 100, 160], [101, 100, 100], [160, 100, 100], [100, 105, 110]])
        #expect(rounds.chosen == [1, 3])
        #expect(rounds.all == [0, 1, 2, 3])
        #expect(rounds.isComplete && rounds.disturbedCount == 0)
    }

    @Test func `as long as too few count another is measured, up to a limit`() {
        let slow = Array(repeating: [Int64(150)], count: 2 * SteadyRounds<Int>.attemptsPerRound - 1)
        #expect(!Self.rounds(slow).isComplete)
        let all = Self.rounds(slow + [[150]])
        #expect(all.isComplete && all.disturbedCount == 2)
        #expect(all.chosen == [0, 1])
    }

    @Test func `a tenth slower is steady, and more is not`() {
        #expect(Self.rounds([[110], [110]]).disturbedCount == 0)
        #expect(Self.rounds([[110], [111]]).disturbedCount == 1)
    }

    @Test func `what is fastest may show later, and the rounds before it count no more`() {
        let rounds = Self.rounds([[100], [100], [80, 80], [80]], fastest: 100)
        #expect(rounds.chosen == [2, 3])
        #expect(rounds.disturbedCount == 0)
    }
}
