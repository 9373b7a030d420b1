import Catalogue
import SearchModel
import TestSupport
import Testing

private func instant(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) throws -> Int64 {
    try #require(CivilTime(year: year, month: month, day: day, hour: hour, minute: minute)).epochSeconds
}

struct QuotaTests {
    private let korea = Quota(name: "d", limit: 1, period: .day, scope: .account, zone: .fixed(minutes: 540))
    private let pacific = Quota(name: "d", limit: 1, period: .day, scope: .account, zone: .pacific)

    @Test func `messages group the digits of a number of calls, and files do not`() {
        let quota = Quota(name: "d", limit: 25_000, period: .day, scope: .account, zone: .pacific)
        #expect(quota.text(quota.limit) == "25,000 calls" && quota.writtenLimit == "25000")
    }

    @Test func `a day begins at midnight in the quota's zone`() throws {
        let period = korea.period(at: try instant(2024, 3, 9, 14, 59))
        #expect(period == (try instant(2024, 3, 8, 15)..<instant(2024, 3, 9, 15)))
        #expect(korea.period(at: period.upperBound - 1) == period)
        #expect(korea.period(at: period.upperBound).lowerBound == period.upperBound)
        #expect(korea.period(at: period.lowerBound) == period)
    }

    @Test func `a day may begin later than midnight`() throws {
        var naver = korea
        naver.resetMinute = 60
        #expect(
            naver.period(at: try instant(2024, 3, 9, 15, 30)) == (try instant(2024, 3, 8, 16)..<instant(2024, 3, 9, 16))
        )
        #expect(naver.period(at: try instant(2024, 3, 9, 16)).lowerBound == (try instant(2024, 3, 9, 16)))
    }

    @Test func `a Pacific day has 23 or 25 hours when the clock changes`() throws {
        // In 2024, daylight saving time begins on 10 March and ends on 3 November.
        let spring = pacific.period(at: try instant(2024, 3, 10, 20))
        #expect(spring == (try instant(2024, 3, 10, 8)..<instant(2024, 3, 11, 7)))
        let autumn = pacific.period(at: try instant(2024, 11, 3, 20))
        #expect(autumn == (try instant(2024, 11, 3, 7)..<instant(2024, 11, 4, 8)))
        #expect(pacific.zone.offsetMinutes(at: try instant(2024, 3, 10, 9, 59)) == -480)
        #expect(pacific.zone.offsetMinutes(at: try instant(2024, 3, 10, 10)) == -420)
        #expect(pacific.zone.offsetMinutes(at: try instant(2024, 11, 3, 8, 59)) == -420)
        #expect(pacific.zone.offsetMinutes(at: try instant(2024, 11, 3, 9)) == -480)
    }

    @Test func `months, hours and minutes begin at their boundaries`() throws {
        let month = Quota(name: "m", limit: 1, period: .month, scope: .account, zone: .fixed(minutes: 540))
        #expect(
            month.period(at: try instant(2023, 12, 31, 15))
                == (try instant(2023, 12, 31, 15)..<instant(2024, 1, 31, 15))
        )
        #expect(
            month.period(at: try instant(2023, 12, 31, 14))
                == (try instant(2023, 11, 30, 15)..<instant(2023, 12, 31, 15))
        )
        let minute = Quota(name: "i", limit: 1, period: .minute, scope: .account, zone: .pacific)
        #expect(minute.period(at: 119) == 60..<120)
        #expect(minute.period(at: -1) == -60..<0)
        let hour = Quota(name: "h", limit: 1, period: .hour, scope: .account, zone: .pacific)
        #expect(hour.period(at: 3600) == 3600..<7200)
    }
}

struct QuotaResetTests {
    @Test func `a quota resets at the end of its period, and the time is in the quota's zone`() throws {
        var day = Quota(name: "d", limit: 1, period: .day, scope: .account, zone: .fixed(minutes: 540))
        day.resetMinute = 60
        let now = try instant(2024, 3, 9, 16)
        #expect(day.resetsAt(after: now - 1).text == "2024-03-10T01:00:00+09:00")
        #expect(day.resetsAt(after: now).text == "2024-03-11T01:00:00+09:00")
        let pacific = Quota(name: "d", limit: 1, period: .day, scope: .account, zone: .pacific)
        #expect(pacific.resetsAt(after: try instant(2024, 7, 1, 12)).text == "2024-07-02T00:00:00-07:00")
        let minute = Quota(name: "m", limit: 1, period: .minute, scope: .account, zone: .fixed(minutes: 0))
        #expect(minute.resetsAt(after: now + 59).text == "2024-03-09T16:01:00Z")
    }
}

extension Quota {
    fileprivate func resetsAt(after epochSeconds: Int64) -> PublishedDate { date(period(at: epochSeconds).upperBound) }
}
