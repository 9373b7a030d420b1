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

    @Test func `can always be written, whatever a source sends`() {
        #expect(text(.max, 540) == "9999-12-31T08:59:59+09:00")
        #expect(text(.max, 100_000) == "9999-12-31T23:58:59+23:59")
        #expect(text(.min, -540) == "0000-01-01T15:00:00-09:00")
        #expect(text(.min, .min) == "0000-01-01T00:01:00-23:59")
    }
}
