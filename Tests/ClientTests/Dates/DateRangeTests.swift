import SearchModel
import Testing

@testable import Client

struct DateRangeTests {
    /// 2024-03-09T12:00:00Z.
    private let now: Int64 = 1_709_985_600

    private func range(since: String? = nil, until: String? = nil, hours: Int = 0) throws -> DateRange {
        try DateRange(since: since, until: until, now: now, zone: .fixed(hours: hours))
    }

    private func contains(
        _ published: String,
        precision: String? = nil,
        since: String? = nil,
        until: String? = nil,
        hours: Int = 0
    ) throws -> Bool {
        let time = try #require(PublishedTime(published, precision: precision))
        return try range(since: since, until: until, hours: hours).contains(time)
    }

    @Test(arguments: ["2024", "2024-03", "2024-03-09", "today"])
    func `a date begins with its first second and ends after its last`(date: String) throws {
        #expect(try contains("2024-03-09T00:00:00Z", since: date, until: date))
        #expect(try contains("2024-03-09T23:59:59Z", since: date, until: date))
        #expect(try !contains("2023-12-31T23:59:59Z", since: date))
        #expect(try !contains("2025-01-01T00:00:00Z", until: date))
    }

    @Test func `December is followed by the next year`() throws {
        #expect(try contains("2023-12-31T23:59:59Z", until: "2023-12"))
        #expect(try !contains("2024-01-01T00:00:00Z", until: "2023-12"))
    }

    @Test(arguments: ["9999", "9999-12", "9999-12-31"]) func `the last day there is has an end too`(date: String) throws
    {
        #expect(try contains("9999-12-31T00:00:00Z", since: date, until: date))
        #expect(try contains("9999-12-31T23:59:59Z", since: date, until: date))
        #expect(try !contains("2024-03-09T00:00:00Z", since: date))
    }

    @Test func `days begin and end where we are`() throws {
        #expect(try contains("2024-03-08T15:00:00Z", since: "2024-03-09", hours: 9))
        #expect(try !contains("2024-03-08T14:59:59Z", since: "2024-03-09", hours: 9))
        #expect(try contains("2024-03-09T14:59:59Z", until: "2024-03-09", hours: 9))
        #expect(try !contains("2024-03-09T15:00:00Z", until: "2024-03-09", hours: 9))
        // Midnight has passed there already.
        #expect(try contains("2024-03-09T12:00:00Z", since: "today", hours: 13))
        #expect(try contains("2024-03-09T10:59:59Z", since: "yesterday", until: "yesterday", hours: 13))
    }

    @Test func `a bare date of a source is that date, whatever zone it is written in`() throws {
        for zone in ["+09:00", "Z", "-08:00"] {
            #expect(try contains("2024-03-09T00:00:00\(zone)", precision: "day", since: "2024-03-09", hours: -5))
            #expect(try !contains("2024-03-08T00:00:00\(zone)", precision: "day", since: "2024-03-09", hours: -5))
        }
        #expect(try contains("2024-01-01T00:00:00Z", precision: "year", since: "2024-03"))
        #expect(try !contains("2023-01-01T00:00:00Z", precision: "year", since: "2024-03"))
        #expect(try contains("2024-03-01T00:00:00Z", precision: "month", until: "2024-03-09"))
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

    @Test func `a hit from before the range ends a list of the newest first`() throws {
        let time = try #require(PublishedTime("2024-03-08T00:00:00Z", precision: "day"))
        #expect(try range(since: "2024-03-09").isAfter(time))
        #expect(try !range(since: "2024-03-08").isAfter(time))
        #expect(try !range(until: "2024-03-07").isAfter(time))
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
