import SearchModel
import Testing

@testable import Client

struct DateRangeTests {
    /// 2024-03-09T12:00:00Z.
    private let now: Int64 = 1_709_985_600

    private func range(since: String? = nil, until: String? = nil, hours: Int = 0) throws -> DateRange {
        try DateRange(since: since, until: until, now: now, zone: .fixed(hours: hours))
    }

    @Test(arguments: [
        ("2024", "2024-01-01T00:00:00Z", "2024-12-31T23:59:59Z"),
        ("2024-02", "2024-02-01T00:00:00Z", "2024-02-29T23:59:59Z"),
        ("2023-12", "2023-12-01T00:00:00Z", "2023-12-31T23:59:59Z"),
        ("2024-03-09", "2024-03-09T00:00:00Z", "2024-03-09T23:59:59Z"),
        ("today", "2024-03-09T00:00:00Z", "2024-03-09T23:59:59Z"),
        ("yesterday", "2024-03-08T00:00:00Z", "2024-03-08T23:59:59Z"),
    ])
    func `a date is the range from its first to its last second`(date: String, first: String, last: String) throws {
        let range = try range(since: date, until: date)
        #expect(range.sinceText == first && range.untilText == last)
    }

    @Test(arguments: [
        ("1d", "2024-03-08T12:00:00Z"), ("2w", "2024-02-24T12:00:00Z"), ("12h", "2024-03-09T00:00:00Z"),
        ("30min", "2024-03-09T11:30:00Z"), ("6mo", "2023-09-11T12:00:00Z"), ("1y", "2023-03-10T12:00:00Z"),
    ])
    func `a relative time counts back from now`(ago: String, first: String) throws {
        let start = try #require(RFC3339.epochSeconds(first))
        #expect(try range(since: ago).since == start)
        #expect(try range(until: ago).until == start)
    }

    @Test(arguments: [
        "", "7", "7x", "6m", "d", "-1d", "1.5d", "100000d", "2024-3-9", "2024-13", "2024-02-30", "0000", "tomorrow",
        "24-03-09",
        "2024-03-09T00", "９d",
    ])
    func `an invalid date is refused`(text: String) {
        #expect(throws: ClientError.self) { try range(since: text) }
    }

    @Test func `an empty range is refused`() {
        #expect(throws: ClientError.self) { try range(since: "2024", until: "2023") }
    }
}

struct LocalZoneTests {
    /// 2024-03-09T22:00:00+09:00.
    private let now: Int64 = 1_709_989_200
    private let zone = LocalZone.fixed(hours: 9)

    @Test func `a day begins at local midnight, and numbers such as day 38 or month 15 are accepted`() {
        #expect(zone.startOfDay(year: 2024, month: 3, day: 9) == 1_709_910_000)
        #expect(zone.startOfDay(year: 2024, month: 2, day: 38) == 1_709_910_000)
        #expect(zone.startOfDay(year: 2023, month: 15, day: 9) == 1_709_910_000)
        #expect(zone.startOfDay(year: 2024, month: 3, day: 0) == 1_709_132_400)
        #expect(zone.startOfDay(year: 10_000, month: 1, day: 1) == nil)
    }

    @Test func `conversion to this machine's zone and back is lossless`() {
        let civil = LocalZone.system.civil(now)
        #expect(LocalZone.system.instant(civil) == now)
    }
}

struct PublishedTimeTests {
    /// 2024-03-09T02:51:51Z.
    private static let published: Int64 = 1_709_952_711

    @Test(arguments: [
        ("2024-03-09T11:51:51+09:00", published), ("2024-03-09T02:51:51Z", published),
        ("2024-03-08T21:51:51.250-05:00", published), ("1970-01-01T00:00:00z", 0),
    ])
    func `an instant may be written in any time zone`(text: String, seconds: Int64) {
        #expect(RFC3339.epochSeconds(text) == seconds)
    }

    @Test(arguments: [
        "", "2024", "2024-03-09", "2024-03-09T11:51:51", "2024-02-30T00:00:00Z", "2024-03-09T11:51:51+9:00",
        "2024-03-09T11:51:51+24:00", "2024-03-09T25:00:00Z", "2024/03/09T11:51:51Z", "２０２４-03-09T11:51:51Z",
    ])
    func `an invalid instant is nil`(text: String) {
        #expect(RFC3339.epochSeconds(text) == nil)
    }

    private static let day = 86_400
    @Test(arguments: [("year", "2024"), ("month", "2024-03"), ("day", "yesterday")])
    func `an age is as precise as its date`(precision: String, words: String) throws {
        let time = try #require(PublishedTime("2024-03-09T00:00:00Z", precision: precision))
        #expect(time.age(at: Self.published + 86_400, in: .fixed(hours: 0)) == words)
    }

    @Test(arguments: [(-12, "today"), (0, "today"), (14, "today"), (22, "yesterday")])
    func `a date without a time is compared with the local date`(hours: Int, words: String) throws {
        let time = try #require(PublishedTime("2024-03-09T00:00:00+09:00", precision: "day"))
        // In UTC-12, 9 March begins at 12:00 UTC, so the time is 12 hours later in this case.
        let now = try #require(RFC3339.epochSeconds("2024-03-09T02:30:00Z")) + (hours == -12 ? 43_200 : 0)
        #expect(time.age(at: now, in: .fixed(hours: hours)) == words)
    }

    @Test(arguments: [
        ("second", "2024-03-09 06:51"), ("day", "2024-03-09"), ("month", "2024-03"), ("year", "2024"),
    ])
    func `instants are shown in local time, and dates are unchanged`(precision: String, shown: String) throws {
        let time = try #require(PublishedTime("2024-03-09T11:51:51+09:00", precision: precision))
        #expect(time.text(in: .fixed(hours: 4)) == shown)
        #expect(time.exact == (precision == "second" ? "2024-03-09T11:51:51+09:00" : shown))
    }
}
