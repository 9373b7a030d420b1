import SearchModel
import Testing

@testable import Catalogue

struct DateFormatTests {
    @Test(arguments: [
        ("2024-03-09T11:51:51.000+09:00", "2024-03-09T11:51:51+09:00", "second"),
        ("2024-03-09T11:51:51Z", "2024-03-09T11:51:51Z", "second"),
        ("2024-03-09T11:51:51-0530", "2024-03-09T11:51:51-05:30", "second"),
        ("2024-03-09 11:51", "2024-03-09T11:51:00+09:00", "second"),
        ("2024-03-09", "2024-03-09T00:00:00+09:00", "day"),
        ("2024-03", "2024-03-01T00:00:00+09:00", "month"),
        ("2024-3-9", "2024-03-09T00:00:00+09:00", "day"),
        ("2024", "2024-01-01T00:00:00+09:00", "year"),
        ("1984*", "1984-01-01T00:00:00+09:00", "year"),
        ("2003-01?", "2003-01-01T00:00:00+09:00", "month"),
        ("  2024 ", "2024-01-01T00:00:00+09:00", "year"),
    ])
    func `ISO dates keep their precision`(_ text: String, _ expected: String, _ precision: String) throws {
        let date = try #require(DateFormat.iso.read(text, zone: 540))
        #expect(date.text == expected)
        #expect(date.precision.rawValue == precision)
    }

    @Test(arguments: [
        ("Mon, 26 Sep 2016 11:01:35 +0900", "2016-09-26T11:01:35+09:00"),
        ("26 Sep 2016 11:01 GMT", "2016-09-26T11:01:00Z"),
        ("Sat, 5 MARCH 2022 01:02:03 Z", "2022-03-05T01:02:03Z"),
    ])
    func `RFC 822 dates are read`(_ text: String, _ expected: String) {
        #expect(DateFormat.rfc822.read(text, zone: 0)?.text == expected)
    }

    @Test func `compact dates and epochs are read`() {
        #expect(DateFormat.compact.read("20240309", zone: 540)?.text == "2024-03-09T00:00:00+09:00")
        #expect(DateFormat.compact.read("20240309", zone: 540)?.precision == .day)
        #expect(DateFormat.epochSeconds.read("1710000000", zone: 0)?.text == "2024-03-09T16:00:00Z")
        #expect(DateFormat.epochMilliseconds.read("1710000000123", zone: 540)?.text == "2024-03-10T01:00:00+09:00")
    }

    @Test(arguments: [
        "", " ", "x", "24", "2024-13-01", "2024-02-30", "0000", "0000-00-00", "2024-03-09T25:00:00Z", "202",
        "2024-03-09T11:60:00Z",
    ])
    func `texts that are not valid ISO dates are rejected`(_ text: String) {
        #expect(DateFormat.iso.read(text, zone: 0) == nil)
    }

    @Test(arguments: [
        (DateFormat.iso, "9999-12-31T23:59:59Z", "99999-12-31T23:59:59Z"),
        (.iso, "9999-12-31", "99999-12-31"),
        (.iso, "9999-12", "10000-12"),
        (.iso, "9999", "10000"),
        (.iso, "1234", "12345678901234567890"),
        (.iso, "2024-03", "2024-031"),
        (.iso, "2024-03-09", "2024-03-091"),
        (.iso, "2024-03-09T11:51:51", "2024-03-09T11:51:511"),
        (.compact, "99991231", "999991231"),
        (.compact, "20240309", "12345678901234567890"),
        (.rfc822, "Fri, 31 Dec 9999 23:59:59 +0900", "Fri, 31 Dec 10000 23:59:59 +0900"),
        (.rfc822, "31 Dec 9999", "31 Dec 99999"),
        (.rfc822, "09 Mar 2024", "109 Mar 2024"),
        (.epochSeconds, "253402268399", "253402268400"),
        (.epochSeconds, "-62167251600", "-62167251601"),
        (.epochMilliseconds, "253402268399999", "253402268400000"),
        (.epochMilliseconds, "-62167251600000", "-62167251601000"),
        (.epochMilliseconds, "1710000000123", "12345678901234567890"),
    ])
    func `a date outside the years 0 to 9999 or with too many digits is rejected`(
        _ format: DateFormat,
        _ last: String,
        _ past: String
    ) {
        #expect(format.read(last, zone: 540) != nil)
        #expect(format.read(past, zone: 540) == nil)
    }
}

extension DateFormat {
    func read(_ text: String, zone: Int) -> PublishedDate? { read(text.utf8.span, zone: zone) }
}
