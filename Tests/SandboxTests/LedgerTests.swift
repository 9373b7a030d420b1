import Testing

@testable import Sandbox

@Suite struct LedgerTests {
    static func nanoseconds(_ seconds: Int) -> Int64 { Int64(seconds) * second }

    @Test(arguments: [
        // Summer time begins on 2026-03-08 at 10:00 UTC and ends on 2026-11-01 at 09:00 UTC.
        (1_772_963_999, -8), (1_772_964_000, -7), (1_793_523_599, -7), (1_793_523_600, -8), (1_773_568_000, -7),
        (1_795_230_000, -8), (1_782_000_000, -7), (1_767_225_600, -8), (1_793_440_000, -7),
    ])
    func `California's clock follows its summer time`(seconds: Int, hours: Int) {
        #expect(Timestamp(seconds: seconds).pacificOffset == hours * 3_600)
    }

    @Test func `a day ends at midnight of its zone`() {
        var ledger = Ledger()
        let midnight = 1_795_186_800  // 2026-11-21 00:00 in Seoul
        let period = Ledger.Period.day(offset: Timestamp.koreaOffset)
        #expect(ledger.charge("a", per: period, at: Self.nanoseconds(midnight - 1)) == 1)
        #expect(ledger.charge("a", per: period, at: Self.nanoseconds(midnight)) == 1)
        #expect(ledger.charge("a", per: period, at: Self.nanoseconds(midnight + 86_399)) == 2)
        #expect(ledger.charge("b", per: period, at: Self.nanoseconds(midnight)) == 1)
    }

    @Test func `a month ends with the month in Korea`() {
        var ledger = Ledger()
        let december = 1_796_050_800  // 2026-12-01 00:00 in Seoul
        #expect(ledger.charge("a", per: .month, at: Self.nanoseconds(december - 1)) == 1)
        #expect(ledger.charge("a", per: .month, at: Self.nanoseconds(december - 2)) == 2)
        #expect(ledger.charge("a", per: .month, at: Self.nanoseconds(december)) == 1)
    }

    @Test func `a window begins with the first call and does not stretch`() {
        var ledger = Ledger()
        let window = Ledger.Period.window(nanoseconds: second)
        #expect(ledger.charge("a", per: window, at: 5) == 1)
        #expect(ledger.charge("a", per: window, at: second + 4) == 2)
        #expect(ledger.charge("a", per: window, at: second + 5) == 1)
        // A clock that was set back opens a new one.
        #expect(ledger.charge("a", per: window, at: 3) == 1)
    }

    @Test func `no limit admits and counts nothing, a limit counts refused calls too`() {
        var ledger = Ledger()
        let day = Ledger.Period.day(offset: 0)
        let admitted = [nil, 1, 1].map { ledger.admits("a", limit: $0, per: day, at: 0) }
        #expect(admitted == [true, true, false])
        #expect(ledger.charge("a", per: day, at: 0) == 3)
    }
}
