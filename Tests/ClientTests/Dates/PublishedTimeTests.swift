import SearchModel
import Testing

@testable import Client

struct PublishedTimeTests {
    /// 2024-03-09T02:51:51Z.
    private static let published: Int64 = 1_709_952_711

    @Test(arguments: [
        ("2024-03-09T11:51:51+09:00", published), ("2024-03-09T02:51:51Z", published),
        ("2024-03-08T21:51:51.250-05:00", published), ("1970-01-01T00:00:00z", 0),
    ])
    func `the same instant is read in every zone`(text: String, seconds: Int64) {
        #expect(RFC3339.epochSeconds(text) == seconds)
    }

    @Test(arguments: [
        "", "2024", "2024-03-09", "2024-03-09T11:51:51", "2024-02-30T00:00:00Z", "2024-03-09T11:51:51+9:00",
        "2024-03-09T11:51:51+24:00", "2024-03-09T25:00:00Z", "2024/03/09T11:51:51Z", "２０２４-03-09T11:51:51Z",
    ])
    func `what is no instant is none`(text: String) {
        #expect(RFC3339.epochSeconds(text) == nil)
    }

    private static let day = 86_400
    private static let ages: [(Int, String)] = [
        (-5, "2024-03-09 11:51"), (0, "just now"), (59, "just now"), (60, "1 min ago"), (3599, "59 min ago"),
        (3600, "1 h ago"), (day - 1, "23 h ago"), (day, "1 day ago"), (13 * day, "13 days ago"),
        (14 * day, "2 weeks ago"), (60 * day, "2 months ago"), (365 * day, "1 year ago"),
        (3649 * day, "9 years ago"), (3650 * day, "2024-03-09"),
    ]

    @Test(arguments: ages)
    func `the age of an item is told in words`(seconds: Int, words: String) throws {
        let time = try #require(PublishedTime("2024-03-09T11:51:51+09:00", precision: nil))
        #expect(time.age(at: Self.published + Int64(seconds), in: .fixed(hours: 9)) == words)
    }

    @Test(arguments: [("year", "2024"), ("month", "2024-03"), ("day", "yesterday")])
    func `an age is no more exact than its date`(precision: String, words: String) throws {
        let time = try #require(PublishedTime("2024-03-09T00:00:00Z", precision: precision))
        #expect(time.age(at: Self.published + 86_400, in: .fixed(hours: 0)) == words)
    }

    @Test(arguments: [(-12, "today"), (0, "today"), (14, "today"), (22, "yesterday")])
    func `a bare date is a day of the local calendar, wherever it was written`(hours: Int, words: String) throws {
        let time = try #require(PublishedTime("2024-03-09T00:00:00+09:00", precision: "day"))
        // Half past two at night in Greenwich: fourteen hours ahead it is the same day still.
        let now = try #require(RFC3339.epochSeconds("2024-03-09T02:30:00Z")) + (hours == -12 ? 43_200 : 0)
        #expect(time.age(at: now, in: .fixed(hours: hours)) == words)
    }

    @Test(arguments: [
        ("second", "2024-03-09 06:51"), ("day", "2024-03-09"), ("month", "2024-03"), ("year", "2024"),
    ])
    func `instants are shown in local time, dates as they are`(precision: String, shown: String) throws {
        let time = try #require(PublishedTime("2024-03-09T11:51:51+09:00", precision: precision))
        #expect(time.text(in: .fixed(hours: 4)) == shown)
        #expect(time.exact == (precision == "second" ? "2024-03-09T11:51:51+09:00" : shown))
    }
}
