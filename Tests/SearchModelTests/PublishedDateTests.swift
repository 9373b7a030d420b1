import SearchModel
import Testing

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
