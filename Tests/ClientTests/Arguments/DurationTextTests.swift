import Testing

@testable import Client

struct DurationTextTests {
    @Test(arguments: [
        ("500ms", 500), ("1s", 1000), ("1.5s", 1500), ("30", 30_000), ("0", 0), ("10m", 600_000), ("2h", 7_200_000),
        ("366d", 31_622_400_000),
    ])
    func `a time is a number and a unit`(text: String, milliseconds: Int) {
        #expect(DurationText.duration(text) == .milliseconds(milliseconds))
    }

    @Test(arguments: ["0ms", "1ms", "999ms", "1s", "90s", "2m", "36h", "365d"])
    func `a time is written in the largest unit of which it is so many`(text: String) throws {
        #expect(DurationText.text(try #require(DurationText.duration(text))) == text)
    }

    @Test(arguments: [
        "", "s", "ms", "-1s", "1 s", "1x", "1.s", ".5s", "1..5s", "1e3", "367d", "99999999999999999999d", "nan", "inf",
        "١s", "1S",
    ])
    func `everything else is none`(text: String) {
        #expect(DurationText.duration(text) == nil)
    }
}
