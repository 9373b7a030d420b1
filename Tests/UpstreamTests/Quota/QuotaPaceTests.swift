import Testing

@testable import Upstream

struct QuotaPaceTests {
    @Test func `a steady use goes on as it is`() throws {
        var pace = QuotaPace(period: 86_400, used: 0, elapsed: 0, at: 0)
        // One a minute for a day.
        for minute in 0..<1440 { pace.used(at: Int64(minute) * 60) }
        let seconds = try #require(pace.seconds(toUse: 100, at: 86_400))
        #expect((5700...6300).contains(seconds))
    }

    @Test func `what nobody uses lasts`() {
        let pace = QuotaPace(period: 86_400, used: 0, elapsed: 0, at: 0)
        #expect(pace.seconds(toUse: 1, at: 100) == nil)
    }

    @Test func `what only the ledger knows of is taken as steady`() throws {
        let pace = QuotaPace(period: 86_400, used: 432, elapsed: 43_200, at: 0)
        #expect(try #require(pace.seconds(toUse: 10, at: 0)) == 1000)
    }

    @Test func `a pace fades when the use has ended`() throws {
        var pace = QuotaPace(period: 86_400, used: 0, elapsed: 0, at: 0)
        for second in 0..<100 { pace.used(at: Int64(second)) }
        let busy = try #require(pace.seconds(toUse: 100, at: 100))
        let idle = try #require(pace.seconds(toUse: 100, at: 4 * 3600))
        #expect(idle > busy * 20)
    }
}
