import SearchModel
import TestSupport
import Testing

@Suite("Civil time")
struct CivilTimeTests {
    /// The calendar by walking it: no arithmetic in common with the code under test.
    private struct Walker {
        var year = 1600
        var month = 1
        var day = 1
        /// From 1970-01-01; 370 years with 90 leap days before it.
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

    @Test func `every day of the years 1600 to 2400 goes there and back`() {
        var walker = Walker()
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

    @Test func `seconds go there and back over all the years`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<20_000 {
            let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
            let civil = CivilTime(epochSeconds: seconds)
            #expect(civil.epochSeconds == seconds)
            #expect((0...9999).contains(civil.year))
        }
    }

    @Test func `known instants`() {
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

    @Test func `only real dates are dates`() {
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

    @Test func `a leap second is the second before it`() {
        let leap = CivilTime(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 60)
        #expect(leap == CivilTime(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 59))
    }

    @Test func `no number of seconds traps`() {
        #expect(CivilTime(epochSeconds: .min).hour < 24)
        #expect(CivilTime(epochSeconds: .max).month <= 12)
    }
}

@Suite("The date of publication")
struct PublishedDateTests {
    private func text(_ seconds: Int64, _ offset: Int) -> String {
        PublishedDate(epochSeconds: seconds, offsetMinutes: offset, precision: .second).text
    }

    @Test func `is written in the zone of its source`() {
        #expect(text(1_709_952_711, 540) == "2024-03-09T11:51:51+09:00")
        #expect(text(1_709_952_711, 0) == "2024-03-09T02:51:51Z")
        #expect(text(1_709_952_711, -210) == "2024-03-08T23:21:51-03:30")
        #expect(text(1_709_952_711, -30) == "2024-03-09T02:21:51-00:30")
        #expect(text(-62_135_596_800, 0) == "0001-01-01T00:00:00Z")
    }

    @Test func `is complete whatever its precision`() {
        let date = PublishedDate(epochSeconds: 1_704_034_800, offsetMinutes: 540, precision: .year)
        #expect(date.text == "2024-01-01T00:00:00+09:00")
    }

    @Test func `keeps the first and the last day there is, in every zone`() {
        for offset in [-14 * 60, -1, 0, 1, 540, 14 * 60] {
            let zone = Int64(offset) * 60
            #expect(text(253_402_300_799 - zone, offset).hasPrefix("9999-12-31T23:59:59"))
            #expect(text(253_402_300_800 - zone, offset).hasPrefix("9999-12-31T23:59:59"))
            #expect(text(253_402_214_400 - zone, offset).hasPrefix("9999-12-31T00:00:00"))
            #expect(text(-62_167_219_200 - zone, offset).hasPrefix("0000-01-01T00:00:00"))
            #expect(text(-62_167_219_201 - zone, offset).hasPrefix("0000-01-01T00:00:00"))
        }
    }

    @Test func `can always be written, whatever a source sends`() {
        #expect(text(.max, 540) == "9999-12-31T23:59:59+09:00")
        #expect(text(.max, 100_000) == "9999-12-31T23:59:59+23:59")
        #expect(text(.min, -540) == "0000-01-01T00:00:00-09:00")
        #expect(text(.min, .min) == "0000-01-01T00:00:00-23:59")
    }
}
