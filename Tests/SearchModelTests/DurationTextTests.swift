import SearchModel
import Testing

struct DurationTextTests {
    @Test(arguments: [
        ("500ms", 500), ("1s", 1000), ("0s", 0), ("10m", 600_000), ("2h", 7_200_000), ("10000d", 864_000_000_000),
    ])
    func `a duration is a number and a unit`(text: String, milliseconds: Int) {
        #expect(DurationText.duration(text) == .milliseconds(milliseconds))
        #expect(DurationText.duration(text, onCommandLine: true) == .milliseconds(milliseconds))
    }

    @Test(arguments: [("1.5s", 1500), ("30", 30_000), ("0", 0)])
    func `only a command line takes fractions and bare seconds`(text: String, milliseconds: Int) {
        #expect(DurationText.duration(text) == nil)
        #expect(DurationText.duration(text, onCommandLine: true) == .milliseconds(milliseconds))
    }

    @Test(arguments: ["0ms", "1ms", "999ms", "1s", "90s", "2m", "36h", "365d"])
    func `a duration is written in the largest unit of which it is a whole number`(text: String) throws {
        #expect(DurationText.text(try #require(DurationText.duration(text))) == text)
    }

    @Test(arguments: [
        "", "s", "ms", "-1s", "1 s", "1x", "1.s", ".5s", "1..5s", "1e3", "10001d", "99999999999999999999d", "nan",
        "inf",
        "١s", "1S",
    ])
    func `other texts are not durations`(text: String) {
        #expect(DurationText.duration(text, onCommandLine: true) == nil)
    }
}
