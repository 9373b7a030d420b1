import Hangul
import TestSupport
import Testing

@testable import Client

struct FigureTextTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (-1234, "-1,234"),
        (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func `commas separate thousands`(number: Int, text: String) {
        #expect(NumberText.grouped(number) == text)
    }

    @Test(arguments: [
        (0.04, "0.0 ms"), (0.45, "0.5 ms"), (9.94, "9.9 ms"), (9.96, "10 ms"), (999.4, "999 ms"), (999.6, "1.0 s"),
        (2500, "2.5 s"), (59_400, "59 s"), (89_600, "2 min"), (200_000, "3 min"), (3_661_500, "61 min"),
        (18_000_000, "5 h"), (352_800_000, "4 days"), (.infinity, "?"), (-.infinity, "?"), (.nan, "?"), (1e300, "?"),
    ])
    func `times use a readable unit`(milliseconds: Double, text: String) {
        #expect(NumberText.time(milliseconds: milliseconds) == text)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (1023, "1,023 bytes"), (1024, "1 KiB"), (5500, "5.4 KiB"),
        (67_108_864, "64 MiB"),
        (1_047_552, "1 MiB"), (Int.max, "8388608 TiB"),
    ])
    func `sizes use a readable unit`(number: Int, text: String) {
        #expect(NumberText.bytes(number) == text)
    }

}

struct LineWrapTests {
    private func lines(_ text: String, _ columns: Int, linesMax: Int = 100) -> [String] {
        LineWrap.lines(Cell.cells(text), columns: columns, linesMax: linesMax).map { $0.map(\.text).joined() }
    }

    @Test func `lines of Hangul break at blanks, and a syllable is two columns wide`() {
        #expect(lines("고양이는 하루에 두 번 사료를", 16) == ["고양이는 하루에", "두 번 사료를"])
    }

    @Test func `a line may break between ideographs or kana, but not before closing punctuation`() {
        #expect(lines("日本語の文章も折り返し。終わり", 16) == ["日本語の文章も折", "り返し。終わり"])
        #expect(lines("日本語の文章も折。終", 16) == ["日本語の文章も", "折。終"])
    }

    @Test func `a word longer than a line is cut between graphemes`() {
        #expect(lines("abcdefghijklmnopqrstuvwxyz", 16) == ["abcdefghijklmnop", "qrstuvwxyz"])
        let families = String(repeating: "👨‍👩‍👧‍👦", count: 9)
        #expect(lines(families, 16) == [String(families.prefix(8)), "👨‍👩‍👧‍👦"])
    }

    @Test func `the last line ends with an ellipsis if text is omitted`() {
        #expect(
            lines("the quick brown fox jumps over the lazy dog", 16, linesMax: 2) == [
                "the quick brown", "fox jumps over…",
            ]
        )
        #expect(lines("고양이는고양이는고양이는", 16, linesMax: 1) == ["고양이는고양이…"])
        #expect(lines("the quick brown", 16, linesMax: 1) == ["the quick brown"])
    }

    @Test func `no line is too wide, and no text is lost`() {
        var random = SeededGenerator(seed: testSeed())
        let pieces = [
            "a", "word", " ", "  ", "고양이", "漢", "。", "」", "👨‍👩‍👧‍👦", "🇰🇷", "e\u{301}", "\u{1B}[31m", "\u{202E}", "-", "かな",
        ]
        for _ in 0..<2000 {
            let count = Int.random(in: 0...40, using: &random)
            let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            let columns = Int.random(in: 16...40, using: &random)
            let wrapped = lines(text, columns)
            #expect(wrapped.allSatisfy { DisplayWidth.columns(of: $0) <= columns })
            let whole = VisibleText.visible(text).filter { $0 != " " }
            #expect(wrapped.joined().filter { $0 != " " } == whole)
            let cut = lines(text, columns, linesMax: 2)
            #expect(cut.count <= 2 && cut.allSatisfy { DisplayWidth.columns(of: $0) <= columns })
        }
    }
}

struct QueryMarksTests {
    private func marked(_ query: String, in text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        return QueryMarks(query: query).ranges(in: text).map { range in
            String(String.UnicodeScalarView(scalars[range]))
        }
    }

    @Test(arguments: [
        ("고양이", "우리 고양이가 길고양이를", ["고양이", "고양이"]), ("고양이 사료", "사료와 고양이", ["사료", "고양이"]),
        ("CAT", "A cat, Cats and a bobcat", ["cat", "Cat"]), ("go", "go Google 고go", ["go", "go"]),
        ("스위프트", "Swift", []), ("ネコ", "黒ネコの本", ["ネコ"]), ("c++", "C and c++", ["c++"]),
        ("straße", "STRAßE", ["STRAßE"]), ("2024", "2024년", ["2024"]), ("!?", "!?", []), ("", "a", []),
        ("cafe", "Café", ["Café"]), ("кот", "кот, скот", ["кот"]),
    ])
    func `words match at the beginning of a word, but Hangul and kana match anywhere`(
        query: String,
        text: String,
        found: [String]
    ) {
        #expect(marked(query, in: text) == found)
    }

    @Test func `overlapping and adjacent marks are joined`() {
        #expect(QueryMarks(query: "고양 양이").ranges(in: "고양이") == [0..<3])
        #expect(QueryMarks.joined([4..<6, 0..<2, 2..<3, 5..<9]) == [0..<3, 4..<9])
    }

}

struct ReadableAddressTests {
    @Test(arguments: [
        ("https://ko.wikipedia.org/wiki/%EA%B3%A0%EC%96%91%EC%9D%B4", "https://ko.wikipedia.org/wiki/고양이"),
        ("https://a.example/%ea%b3%a0?q=%EC%96%91#%EC%9D%B4", "https://a.example/고?q=양#이"),
        ("https://ko.wikipedia.org/wiki/%EA%B3%A0_%28%EB%8F%99%29", "https://ko.wikipedia.org/wiki/고_(동)"),
        ("https://de.wikipedia.org/wiki/K%C3%A4se", "https://de.wikipedia.org/wiki/Käse"),
        ("https://ja.wikipedia.org/wiki/%E3%83%8D%E3%82%B3", "https://ja.wikipedia.org/wiki/ネコ"),
        ("https://a.example/%E1%84%80%E1%85%A9", "https://a.example/\u{1100}\u{1169}"),
        ("https://a.example/x", "https://a.example/x"),
        ("https://a.example/고", "https://a.example/고"), ("", ""), ("%", "%"),
    ])
    func `percent-encoded letters in an address are decoded`(address: String, text: String) {
        #expect(ReadableAddress.text(address).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(arguments: [
        "%20", "%0A", "%1B", "%00", "%2F", "%3F", "%23", "%26", "%3D", "%25", "%40", "%3A",
        // Control, no-break space, soft hyphen, zero width, direction, line separator, ideographic space, fillers.
        "%C2%85", "%C2%A0", "%C2%AD", "%E2%80%8B", "%E2%80%8F", "%E2%80%AE", "%E2%81%A6", "%E2%80%A8", "%E3%80%80",
        "%E3%85%A4", "%EF%BE%A0", "%E1%85%9F", "%EF%BB%BF",
        // Characters that look like URL syntax, a combining mark for the slash, private use, right-to-left letters.
        "%E2%88%95", "%EF%BC%8F", "%E2%81%84", "%CC%88", "%EE%80%80", "%D7%90", "%D8%A7",
        // Invalid UTF-8, incomplete sequences, invalid digits.
        "%FF", "%EA%B3", "%EA", "%C0%AF", "%ED%A0%80", "%G0", "%E",
    ])
    func `confusing characters stay encoded`(encoded: String) {
        let address = "https://a.example/x/\(encoded)"
        #expect(ReadableAddress.text(address) == address)
    }

    @Test func `the host of an address is not decoded`() {
        #expect(ReadableAddress.text("https://%EA%B3%A0.example/%EA%B3%A0") == "https://%EA%B3%A0.example/고")
        #expect(ReadableAddress.text("https://xn--o39a.example/") == "https://xn--o39a.example/")
    }

    @Test(arguments: [
        ("https://www.a.example/", "a.example"), ("http://blog.example/12", "blog.example/12"),
        ("https://ko.wikipedia.org/wiki/%EA%B3%A0", "ko.wikipedia.org/wiki/고"),
        ("https://books.example/books?id=xyz", "books.example"), ("https://a.example?x=1", "a.example"),
        ("https://a.example/b#c", "a.example/b#c"), ("x", "x"),
    ])
    func `a short address has no scheme, no www. and no query`(address: String, text: String) {
        #expect(ReadableAddress.short(address) == text)
    }

    @Test(arguments: Payloads.all) func `a percent-encoded control sequence never becomes unsafe text`(payload: String)
    {
        let encoded = payload.utf8.map { byte in
            "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
        for text in [
            ReadableAddress.text("https://a.example/\(encoded)"), ReadableAddress.short("https://a/\(encoded)"),
        ] {
            #expect(text.unicodeScalars.allSatisfy(VisibleText.isSafe))
        }
    }
}

struct StyleTests {
    private func isOn(_ environment: [String: String], words: String..., isTerminal: Bool = true) throws -> Bool {
        let request = try CommandLineParser.parse(["search", "x"] + words, commands: CommandTable.commands)
        guard case .run(_, let arguments) = request else { throw ClientError(.usage, "not a command") }
        return Style(arguments, environment: Environment(environment), isTerminal: isTerminal).isOn
    }

    @Test func `colours depend on the terminal, TERM, NO_COLOR, CLICOLOR_FORCE, --color and --plain`() throws {
        #expect(try isOn(["TERM": "xterm"]))
        #expect(try !isOn(["TERM": "dumb"]))
        #expect(try !isOn([:]))
        #expect(try !isOn(["TERM": "xterm", "NO_COLOR": "1"]))
        #expect(try isOn(["TERM": "xterm", "NO_COLOR": ""]))
        #expect(try !isOn(["TERM": "xterm"], isTerminal: false))
        #expect(try isOn(["TERM": "xterm", "CLICOLOR_FORCE": "1"], isTerminal: false))
        #expect(try !isOn(["TERM": "xterm"], words: "--color=never"))
        #expect(try isOn(["NO_COLOR": "1"], words: "--color=always", isTerminal: false))
        #expect(try !isOn(["TERM": "xterm"], words: "--plain"))
    }

    @Test func `a link is percent-encoded to printable ASCII`() {
        #expect(Style.linkTarget("https://a.example/고?q=a b") == "https://a.example/%EA%B3%A0?q=a%20b")
        #expect(Style.linkTarget("https://a.example/\u{1B}\\") == "https://a.example/%1B\\")
    }

    @Test(arguments: [
        "", "file:///etc/passwd", "javascript:alert(1)", "/relative", "mailto:a@b", "example.com", "httpsx://a",
    ])
    func `only web addresses become links`(target: String) {
        #expect(Style.linkTarget(target) == nil)
        #expect(Style(isOn: true).link("text", to: target, id: 1) == "text")
    }

}

struct LayoutTests {
    @Test func `a quoted command is not broken if it fits a line`() {
        #expect(Layout(columns: 16).lines("Then run “ctl keys set”.") == ["Then run", "“ctl keys set”."])
        #expect(Layout(columns: 10).lines("Run “ctl keys set”.") == ["Run “ctl", "keys set”."])
    }

    @Test func `wide characters take two columns, and escape sequences for colours take none`() {
        #expect(Layout(columns: 8).lines("고양이 사료") == ["고양이", "사료"])
        #expect(Layout.width(Style(isOn: true).bold("고양이")) == 6)
    }

    @Test func `a table wraps a text in its column, or below the name if space is short`() {
        let rows = [(name: "a", text: "one two three four five six"), (name: "bcd", text: "x")]
        #expect(
            Layout(columns: 26).table(rows, indent: 1) == [" a    one two three four", "      five six", " bcd  x"]
        )
        #expect(Layout(columns: 20).table([(name: "name", text: "one two")], indent: 1) == [" name", "     one two"])
    }

    @Test func `errors are wrapped on a terminal, but are one line elsewhere`() throws {
        let pipe = Pipe()
        var console = Console()
        console.errors = pipe.writing
        console.report("searchctl: one two three")
        console.errorColumns = 16
        console.report("searchctl: one two three")
        let bytes = try #require(try DescriptorIO.read(pipe.reading, bytesMax: 4096))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text == "searchctl: one two three\nsearchctl: one\n  two three\n")
    }
}

struct LocalClockTests {
    /// 2026-11-22T16:05:09Z.
    private static let now: Int64 = 1_795_363_509
    private let seoul = LocalClock(now: now, zone: .fixed(hours: 9))

    @Test func `times are in the local zone, and times more than a day away include the date`() {
        #expect(seoul.time(Self.now) == "01:05")
        #expect(seoul.time(Self.now + 86_399) == "tomorrow 01:05")
        #expect(seoul.time(Self.now + 86_400) == "2026-11-24 01:05")
        #expect(seoul.time(Self.now - 86_400) == "2026-11-22 01:05")
        #expect(seoul.fullTime(Self.now) == "2026-11-23 01:05:09")
    }

    @Test(
        arguments: [
            (0, "0 s"), (89, "89 s"), (90, "2 min"), (5399, "90 min"), (5400, "2 h"), (28_800, "8 h"),
            (129_599, "36 h"), (129_600, "2 days"), (604_800, "7 days"),
        ] as [(Int64, String)]
    )
    func `durations are rounded to readable units`(seconds: Int64, text: String) {
        #expect(seoul.distance(to: Self.now + seconds) == text)
        #expect(seoul.distance(to: Self.now - seconds) == text)
    }
}
