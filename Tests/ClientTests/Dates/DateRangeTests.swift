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
    func `a date begins with its first second and ends with its last`(date: String, first: String, last: String) throws
    {
        let range = try range(since: date, until: date)
        #expect(range.sinceText == first && range.untilText == last)
    }

    @Test(arguments: ["9999", "9999-12", "9999-12-31"], [-5, 0, 9])
    func `the last day there is has an end too`(date: String, hours: Int) throws {
        let range = try range(since: date, until: date, hours: hours)
        #expect(range.untilText?.hasPrefix("9999-12-3") == true)
    }

    @Test func `days begin and end where we are, and are told in that zone`() throws {
        let seoul = try range(since: "2024-03-09", until: "2024-03-09", hours: 9)
        #expect(seoul.sinceText == "2024-03-09T00:00:00+09:00" && seoul.untilText == "2024-03-09T23:59:59+09:00")
        // Midnight has passed there already.
        #expect(try range(since: "today", hours: 13).sinceText == "2024-03-10T00:00:00+13:00")
    }

    @Test(arguments: [
        ("1d", "2024-03-08T12:00:00Z"), ("2w", "2024-02-24T12:00:00Z"), ("12h", "2024-03-09T00:00:00Z"),
        ("30min", "2024-03-09T11:30:00Z"), ("6mo", "2023-09-09T12:00:00Z"), ("1y", "2023-03-09T12:00:00Z"),
        ("25mo", "2022-02-09T12:00:00Z"),
    ])
    func `a time ago counts back from now`(ago: String, first: String) throws {
        let start = try #require(RFC3339.epochSeconds(first))
        #expect(try range(since: ago).since == start)
        #expect(try range(until: ago).until == start)
    }

    @Test func `a month ago is the last day of that month where it is shorter`() throws {
        let lastOfMay = try #require(RFC3339.epochSeconds("2024-05-31T12:00:00Z"))
        let range = try DateRange(since: "3mo", until: nil, now: lastOfMay, zone: .fixed(hours: 0))
        #expect(range.since == RFC3339.epochSeconds("2024-02-29T12:00:00Z"))
    }

    @Test func `what may mean months or minutes is refused, with how to write both`() throws {
        do {
            _ = try range(since: "6m")
            Issue.record("it was taken")
        } catch let error as ClientError {
            #expect(error.code == .usage)
            #expect(error.message == "--since 6m may mean months or minutes")
            #expect(error.hint == "Write 6mo for months, or 6min for minutes")
        }
    }

    @Test(arguments: [
        "", "7", "7x", "d", "-1d", "1.5d", "100000d", "2024-3-9", "2024-13", "2024-02-30", "0000", "tomorrow",
        "24-03-09",
        "2024-03-09T00", "９d",
    ])
    func `what is no date is refused`(text: String) {
        #expect(throws: ClientError.self) { try range(since: text) }
    }

    @Test func `a range that is empty is refused`() {
        #expect(throws: ClientError.self) { try range(since: "2024", until: "2023") }
    }
}
