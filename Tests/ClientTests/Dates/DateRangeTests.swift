import Testing

@testable import Client

struct DateRangeTests {
    /// 2024-03-09T12:00:00Z.
    private let now: Int64 = 1_709_985_600

    private func contains(_ published: String, since: String? = nil, until: String? = nil) throws -> Bool {
        try DateRange(since: since, until: until, now: now).contains(PublishedTime(published, precision: nil))
    }

    @Test(arguments: ["2024", "2024-03", "2024-03-09"])
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

    @Test func `a time ago counts back from now`() throws {
        #expect(try contains("2024-03-08T12:00:00Z", since: "1d"))
        #expect(try !contains("2024-03-08T11:59:59Z", since: "1d"))
        #expect(try contains("2024-03-08T11:59:59Z", until: "1d"))
    }

    @Test func `an item without a date is in no range`() throws {
        #expect(try !DateRange(since: "2000", until: nil, now: now).contains(nil))
    }
}
