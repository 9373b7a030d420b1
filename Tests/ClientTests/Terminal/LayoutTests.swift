import Testing

@testable import Client

struct LayoutTests {
    @Test func `a text breaks at blanks and is indented behind its head`() {
        let layout = Layout(columns: 12)
        #expect(layout.lines("one two three four") == ["one two", "three four"])
        #expect(layout.lines("one two three", behind: "a: ") == ["a: one two", "   three"])
        #expect(layout.lines("one two three", behind: "a: ", indent: 1) == ["a: one two", " three"])
        #expect(layout.lines("", behind: "a  ") == ["a"])
    }

    @Test func `a word that is wider than the line stays whole`() {
        #expect(Layout(columns: 8).lines("see /a/long/path now") == ["see", "/a/long/path", "now"])
    }

    @Test func `a quoted command stays whole where it fits a line`() {
        #expect(Layout(columns: 16).lines("Then run “ctl keys set”.") == ["Then run", "“ctl keys set”."])
        #expect(Layout(columns: 10).lines("Run “ctl keys set”.") == ["Run “ctl", "keys set”."])
    }

    @Test func `what a terminal shows as two columns counts as two, and our escape sequences as none`() {
        #expect(Layout(columns: 8).lines("고양이 사료") == ["고양이", "사료"])
        #expect(Layout.width(Style(isOn: true).bold("고양이")) == 6)
    }

    @Test func `a table wraps its texts in their column, or below where that is too narrow`() {
        let rows = [(name: "a", text: "one two three four five six"), (name: "bcd", text: "x")]
        #expect(
            Layout(columns: 26).table(rows, indent: 1) == [" a    one two three four", "      five six", " bcd  x"]
        )
        #expect(Layout(columns: 20).table([(name: "name", text: "one two")], indent: 1) == [" name", "     one two"])
    }

    @Test func `columns share the room that there is`() {
        let layout = Layout(columns: 24)
        #expect(layout.widths(of: [["ab", "one two", "x"]]) == [2, 7, 1])
        let wide = String(repeating: "word ", count: 9)
        #expect(layout.widths(of: [["ab", wide, wide]]) == [2, 9, 9])
        #expect(Layout.row(["ab", "one two", "x"], widths: [2, 4, 9]) == ["ab  one   x", "    two"])
    }

    @Test func `errors are wrapped on a terminal, and one line elsewhere`() throws {
        let pipe = Pipe()
        var console = Console()
        console.errors = pipe.writing
        console.report("searchctl: one two three")
        console.errorColumns = 16
        console.report("searchctl: one two three")
        let bytes = try #require(try Transfers.read(pipe.reading, bytesMax: 4096))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text == "searchctl: one two three\nsearchctl: one\n  two three\n")
    }
}

struct LocalClockTests {
    /// 2026-11-22T16:05:09Z.
    private static let now: Int64 = 1_795_363_509
    private let seoul = LocalClock(now: now, zone: .fixed(hours: 9))

    @Test func `times are those of the zone, with the date beyond a day`() {
        #expect(seoul.time(Self.now) == "01:05")
        #expect(seoul.time(Self.now + 86_399) == "01:05")
        #expect(seoul.time(Self.now + 86_400) == "2026-11-24 01:05")
        #expect(seoul.time(Self.now - 86_400) == "2026-11-22 01:05")
        #expect(seoul.fullTime(Self.now) == "2026-11-23 01:05:09")
    }

    @Test(
        arguments: [
            (0, "0 s"), (89, "89 s"), (90, "2 min"), (5399, "90 min"), (5400, "2 h"), (28_800, "8 h"),
            (129_599, "36 h"), (129_600, "2 d"), (604_800, "7 d"),
        ] as [(Int64, String)]
    )
    func `distances are rounded as people do`(seconds: Int64, text: String) {
        #expect(seoul.distance(to: Self.now + seconds) == text)
        #expect(seoul.distance(to: Self.now - seconds) == text)
    }
}
