import SearchModel
import TestSupport
import Testing

@Suite("Civil time")
struct CivilTimeTests {
    /// Counts days one by one, without the arithmetic of the code under test.
    private struct DayCounter {
        var year = 1600
        var month = 1
        var day = 1
        /// Days since 1970-01-01; the 370 years from 1600 to 1970 have 90 leap days.
        var number = -(370 * 365 + 90)

        mutating func step() {
            let isLeap = year.isMultiple(of: 400) || (year.isMultiple(of: 4) && !year.isMultiple(of: 100))
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            number += 1
            day += 1
            if day > lengths[month - 1] { (day, month) = (1, month + 1) }
            if month > 12 { (month, year) = (1, year + 1) }
        }
    }

    @Test func `every day of the years 1600 to 2400 converts to seconds and back`() {
        var walker = DayCounter()
        var days = 0
        while walker.year <= 2400 {
            let seconds = Int64(walker.number) * 86_400
            let civil = CivilTime(year: walker.year, month: walker.month, day: walker.day)
            let isRight =
                civil?.epochSeconds == seconds && CivilTime(epochSeconds: seconds) == civil
                && CivilTime(epochSeconds: seconds + 86_399)
                    == CivilTime(
                        year: walker.year,
                        month: walker.month,
                        day: walker.day,
                        hour: 23,
                        minute: 59,
                        second: 59
                    )
            guard isRight else {
                Issue.record("\(walker)")
                return
            }
            walker.step()
            days += 1
        }
        #expect(days == 292_560)
        #expect(walker.number == 157_420)
    }

    @Test func `seconds of all years convert to dates and back`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<20_000 {
            let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
            let civil = CivilTime(epochSeconds: seconds)
            #expect(civil.epochSeconds == seconds)
            #expect((0...9999).contains(civil.year))
        }
    }

    @Test func `known instants convert correctly`() {
        #expect(CivilTime(epochSeconds: 0) == CivilTime(year: 1970, month: 1, day: 1))
        #expect(
            CivilTime(epochSeconds: -1)
                == CivilTime(year: 1969, month: 12, day: 31, hour: 23, minute: 59, second: 59)
        )
        #expect(
            CivilTime(year: 2024, month: 3, day: 9, hour: 2, minute: 51, second: 51)?.epochSeconds == 1_709_952_711
        )
        #expect(CivilTime(year: 2000, month: 2, day: 29)?.epochSeconds == 951_782_400)
        #expect(CivilTime(year: 0, month: 1, day: 1)?.epochSeconds == -62_167_219_200)
        #expect(CivilTime(year: 9999, month: 12, day: 31)?.epochSeconds == 253_402_214_400)
    }

    @Test func `dates that do not exist are refused`() {
        #expect(CivilTime(year: 1900, month: 2, day: 29) == nil)
        #expect(CivilTime(year: 2023, month: 2, day: 29) == nil)
        #expect(CivilTime(year: 2024, month: 4, day: 31) == nil)
        #expect(CivilTime(year: 2024, month: 0, day: 1) == nil)
        #expect(CivilTime(year: 2024, month: 13, day: 1) == nil)
        #expect(CivilTime(year: 2024, month: 1, day: 0) == nil)
        #expect(CivilTime(year: 2024, month: 1, day: 32) == nil)
        #expect(CivilTime(year: -1, month: 1, day: 1) == nil)
        #expect(CivilTime(year: 10_000, month: 1, day: 1) == nil)
        #expect(CivilTime(year: 2024, month: 1, day: 1, hour: 24) == nil)
        #expect(CivilTime(year: 2024, month: 1, day: 1, minute: 60) == nil)
        #expect(CivilTime(year: 2024, month: 1, day: 1, second: 61) == nil)
        #expect(CivilTime(year: 2024, month: 1, day: 1, hour: -1) == nil)
    }

    @Test func `a fraction needs a digit`() {
        #expect(RFC3339.epochSeconds("2024-03-09T11:51:51.5Z") == RFC3339.epochSeconds("2024-03-09T11:51:51Z"))
        #expect(RFC3339.epochSeconds("2024-03-09T11:51:51.Z") == nil)
    }

    @Test func `a leap second becomes the second before it`() {
        let leap = CivilTime(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 60)
        #expect(leap == CivilTime(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 59))
    }

    @Test func `any number of seconds converts without a crash`() {
        #expect(CivilTime(epochSeconds: .min).hour < 24)
        #expect(CivilTime(epochSeconds: .max).month <= 12)
    }
}

@Suite("A publication date")
struct PublishedDateTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_700_000_000_120, "2023-11-14T22:13:20.120Z"),
        ] as [(Int64, String)]
    )
    func `an instant in milliseconds is written and read`(_ instant: Int64, _ text: String) {
        #expect(RFC3339.preciseText(instant) == text)
        #expect(RFC3339.epochMilliseconds(text) == instant)
    }

    @Test func `an instant in milliseconds is read in several spellings`() {
        #expect(RFC3339.epochMilliseconds("1970-01-01T09:00:00.5+09:00") == 500)
        #expect(RFC3339.epochMilliseconds("1970-01-01T00:00:00.123456Z") == 123)
        #expect(RFC3339.epochMilliseconds("yesterday") == nil)
    }

    private func text(_ seconds: Int64, _ offset: Int) -> String {
        PublishedDate(epochSeconds: seconds, offsetMinutes: offset, precision: .second).text
    }

    @Test func `a date is written in the zone of the source`() {
        #expect(text(1_709_952_711, 540) == "2024-03-09T11:51:51+09:00")
        #expect(text(1_709_952_711, 0) == "2024-03-09T02:51:51Z")
        #expect(text(1_709_952_711, -210) == "2024-03-08T23:21:51-03:30")
        #expect(text(1_709_952_711, -30) == "2024-03-09T02:21:51-00:30")
        #expect(text(-62_135_596_800, 0) == "0001-01-01T00:00:00Z")
    }

    @Test func `a date that is precise only to the year is written with all its parts`() {
        let date = PublishedDate(epochSeconds: 1_704_034_800, offsetMinutes: 540, precision: .year)
        #expect(date.text == "2024-01-01T00:00:00+09:00")
    }

    @Test func `the first and the last possible day are kept in every zone`() {
        for offset in [-14 * 60, -1, 0, 1, 540, 14 * 60] {
            let zone = Int64(offset) * 60
            #expect(text(253_402_300_799 - zone, offset).hasPrefix("9999-12-31T23:59:59"))
            #expect(text(253_402_300_800 - zone, offset).hasPrefix("9999-12-31T23:59:59"))
            #expect(text(253_402_214_400 - zone, offset).hasPrefix("9999-12-31T00:00:00"))
            #expect(text(-62_167_219_200 - zone, offset).hasPrefix("0000-01-01T00:00:00"))
            #expect(text(-62_167_219_201 - zone, offset).hasPrefix("0000-01-01T00:00:00"))
        }
    }

    @Test func `a date is clamped to the range that can be written`() {
        #expect(text(.max, 540) == "9999-12-31T23:59:59+09:00")
        #expect(text(.max, 100_000) == "9999-12-31T23:59:59+23:59")
        #expect(text(.min, -540) == "0000-01-01T00:00:00-09:00")
        #expect(text(.min, .min) == "0000-01-01T00:00:00-23:59")
    }
}

struct DurationTextTests {
    @Test(arguments: [
        ("500ms", 500), ("1s", 1000), ("0s", 0), ("10m", 600_000), ("2h", 7_200_000), ("10000d", 864_000_000_000),
    ])
    func `a duration is a number and a unit`(text: String, milliseconds: Int) {
        #expect(DurationText.duration(text) == .milliseconds(milliseconds))
        #expect(DurationText.duration(text, onCommandLine: true) == .milliseconds(milliseconds))
    }

    @Test(arguments: [("1.5s", 1500), ("30", 30_000), ("0", 0)])
    func `fractions and seconds without a unit are valid only on a command line`(text: String, milliseconds: Int) {
        #expect(DurationText.duration(text) == nil)
        #expect(DurationText.duration(text, onCommandLine: true) == .milliseconds(milliseconds))
    }

    @Test(arguments: ["0ms", "1ms", "999ms", "1s", "90s", "2m", "36h", "365d"])
    func `a duration is written in the largest unit that gives a whole number`(text: String) throws {
        #expect(DurationText.text(try #require(DurationText.duration(text))) == text)
    }

    @Test(arguments: [
        "", "s", "ms", "-1s", "1 s", "1x", "1.s", ".5s", "1..5s", "1e3", "10001d", "99999999999999999999d", "nan",
        "inf",
        "١s", "1S",
    ])
    func `a text without a valid number and unit is not a duration`(text: String) {
        #expect(DurationText.duration(text, onCommandLine: true) == nil)
    }
}
