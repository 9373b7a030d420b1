@_spi(_Unicode) import Swift
import TestSupport
import Testing

@testable import Hangul

@Suite("Syllables")
struct SyllableTests {
    /// All syllables, with their letters from the tables of Unicode.
    static let all: [(scalar: Unicode.Scalar, letters: [Unicode.Scalar])] = (0xAC00...0xD7A3).compactMap { value in
        guard let scalar = Unicode.Scalar(UInt32(value)) else { return nil }
        // The code points of these letters are in the order of the alphabet.
        let letters = String(scalar)._nfd.map { part -> Unicode.Scalar in
            switch part.value {
            case 0x1100...0x1112: Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)[Int(part.value) - 0x1100]
            case 0x1161...0x1175: Array("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ".unicodeScalars)[Int(part.value) - 0x1161]
            default: Array("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ".unicodeScalars)[Int(part.value) - 0x11A8]
            }
        }
        return (scalar, letters)
    }

    @Test func `every syllable has the letters that Unicode lists, and these letters compose to the syllable`() throws {
        #expect(Self.all.count == 11_172)
        for (scalar, letters) in Self.all {
            let syllable = try #require(Syllable(scalar))
            let own = [syllable.lead, syllable.vowel] + (syllable.tail.map { [$0] } ?? [])
            try #require(own == letters)
            let again = Syllable(lead: letters[0], vowel: letters[1], tail: letters.count > 2 ? letters[2] : nil)
            try #require(again == syllable)
            try #require(syllable.scalar == scalar)
        }
    }

    @Test func `the last of the final consonants can move to the next syllable`() {
        #expect(Syllable("각").flatMap(\.withTailMoved).map { [$0.syllable.scalar, $0.lead] } == ["가", "ㄱ"])
        #expect(Syllable("닭").flatMap(\.withTailMoved).map { [$0.syllable.scalar, $0.lead] } == ["달", "ㄱ"])
        #expect(Syllable("있").flatMap(\.withTailMoved).map { [$0.syllable.scalar, $0.lead] } == ["이", "ㅆ"])
        #expect(Syllable("가")?.withTailMoved == nil)
    }

    @Test(arguments: ["ㄱ", "ㅏ", "a", "\u{1100}", "\u{A960}", "\u{D7A4}", "\u{ABFF}"] as [Unicode.Scalar])
    func `scalars that are not whole syllables are refused`(scalar: Unicode.Scalar) {
        #expect(Syllable(scalar) == nil)
    }

    @Test func `letters in invalid positions do not compose`() {
        #expect(Syllable(lead: "ㄳ", vowel: "ㅏ") == nil)
        #expect(Syllable(lead: "ㄱ", vowel: "ㄴ") == nil)
        #expect(Syllable(lead: "ㄱ", vowel: "ㅏ", tail: "ㄸ") == nil)
    }

    @Test(
        arguments: [
            ("\u{1100}", "ㄱ"), ("\u{1112}", "ㅎ"), ("\u{1161}", "ㅏ"), ("\u{1175}", "ㅣ"), ("\u{11A8}", "ㄱ"),
            ("\u{11AA}", "ㄳ"),
            ("\u{11C2}", "ㅎ"), ("\u{FFA1}", "ㄱ"), ("\u{FFC2}", "ㅏ"), ("\u{FFDC}", "ㅣ"), ("ㄱ", "ㄱ"), ("가", "가"),
            ("\u{1113}", "\u{1113}"), ("x", "x"),
        ] as [(Unicode.Scalar, Unicode.Scalar)]
    )
    func `modern letters of any Unicode block become compatibility letters`(
        letter: Unicode.Scalar,
        expected: Unicode.Scalar
    ) {
        #expect(Jamo.compatibility(letter) == expected)
    }
}

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("a", 1), ("é", 1), ("e\u{301}", 1), ("고", 2), ("고양이", 6), ("漢字", 4), ("かな", 4), ("ｱ", 1), ("Ａ", 2),
        ("，", 2), ("…", 1), ("·", 1), ("→", 1), ("①", 1), ("Ж", 1), ("א", 1),
    ])
    func `narrow letters take one column, and wide letters take two`(text: String, columns: Int) {
        #expect(DisplayWidth.columns(of: text) == columns)
    }

    @Test func `decomposed Hangul is as wide as composed Hangul`() {
        #expect(DisplayWidth.columns(of: "\u{1100}\u{1169}\u{110B}\u{1163}\u{11BC}") == 4)
        #expect(DisplayWidth.columns(of: "ㄱ") == 2)
        #expect(DisplayWidth.columns(of: "\u{11BC}") == 0)
    }

    @Test(arguments: ["😀", "👨‍👩‍👧‍👦", "👍🏽", "🇰🇷", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "⌚", "🐈‍⬛", "☂️"])
    func `an emoji of any number of scalars takes two columns`(emoji: String) {
        #expect(DisplayWidth.columns(of: emoji) == 2)
    }

    @Test(arguments: ["❤", "1", "☂", "©", "™"])
    func `a sign that can be an emoji takes one column if it has no emoji selector`(sign: String) {
        #expect(DisplayWidth.columns(of: sign) == 1)
    }

    @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}"]) func `combining marks without a letter take no column`(
        mark: String
    ) {
        #expect(DisplayWidth.columns(of: mark) == 0)
    }

    @Test func `the wide ranges have the correct bounds`() {
        for (value, columns) in [
            (0x10FF, 1), (0x1100, 2), (0x115F, 2), (0x2E7F, 1), (0x2E80, 2), (0x303E, 2), (0x303F, 1), (0xABFF, 1),
            (0xAC00, 2), (0xD7A3, 2), (0xFF00, 1), (0xFF01, 2), (0xFF60, 2), (0xFF61, 1), (0x1FFFF, 1), (0x20000, 2),
            (0x3FFFD, 2), (0x3FFFE, 1),
        ] {
            let scalar = Unicode.Scalar(UInt32(value))
            #expect(scalar.map { DisplayWidth.columns(of: $0) } == columns, "U+\(String(value, radix: 16))")
        }
    }
}

@Suite("Unusual text")
struct UnusualTextTests {
    @Test(arguments: [
        ("\u{1100}", "ㄱ"), ("\u{1161}", "ㅏ"), ("\u{11A8}", "ㄱ"), ("\u{FFA1}", "ㄱ"), ("ㄳ", "ㄱㅅ"), ("\u{11AA}", "ㄱㅅ"),
        ("ㅘ", "ㅗㅏ"),
        ("\u{1161}\u{1100}", "ㅏㄱ"), ("\u{11A8}\u{1161}\u{1100}", "ㄱㅏㄱ"), ("\u{1100}\u{1100}\u{1161}", "ㄱ가"),
        ("\u{1100}\u{11A8}", "ㄱㄱ"), ("가\u{11A8}", "각"), ("각\u{11A8}", "각ㄱ"), ("가\u{1161}", "가ㅏ"),
        ("고\u{110B}\u{1163}\u{11BC}이", "고양이"), ("\u{1100}\u{1169}양이", "고양이"),
        ("가\u{301}나\u{302}", "가나"), ("고\u{200D}양\u{FE0F}", "고양"), ("\u{115F}\u{1161}", "ㅏ"), ("\u{3164}가\u{FFA0}", "가"),
        ("\u{1112}\u{119E}\u{11AB}", "\u{1112}\u{119E}\u{11AB}"), ("ㆍ", "ㆍ"), ("\u{A960}", "\u{A960}"),
        ("👩‍👩‍👧‍👦", "👩👩👧👦"), ("\u{200F}שלום\u{202E}", "שלום"), ("\u{0}가\u{7F}", "가"), ("", ""), (" \u{3000}\t", ""),
    ])
    func `unusual text is folded to plain letters`(text: String, letters: String) {
        let folded = FoldedText(text).scalars
        let expected = Array(letters.unicodeScalars).map { $0.value == 0x1112 ? "ㅎ" : $0.value == 0x11AB ? "ㄴ" : $0 }
        #expect(folded == expected, "\(folded.map { String($0.value, radix: 16) })")
    }

    private static let pieces = [
        "ㅋ", "가", "ㄱㅏ", "\u{1100}", "\u{1100}\u{1161}\u{11A8}", "\u{11A8}\u{1161}\u{1100}", "가\u{301}\u{302}",
        "\u{301}",
        "\u{FFA1}\u{FFC2}", "\u{1113}\u{119E}\u{11D9}", "👩‍👩‍👧‍👦", "🇰🇷", "שלום", "\u{202E}", "ㄳㅘ", "rkqt", "a ", "ㅎ ", "값",
        "\u{1161}", "9",
    ]

    @Test(arguments: pieces) func `unusual text is processed in linear time`(piece: String) {
        func long(_ bytes: Int) -> String { String(repeating: piece, count: max(1, bytes / piece.utf8.count)) }
        let pattern = TypedPattern(String(piece.unicodeScalars.prefix(1)))
        let steps: [(name: String, body: (String) -> Void)] = [
            ("fold", { _ = FoldedText($0) }), ("normalise", { _ = NormalForm.line($0) }),
            ("to Hangul", { _ = KeyboardLayout.hangul(typedAs: $0) }),
            ("to Latin", { _ = KeyboardLayout.latin(typedAs: $0) }),
            ("pattern", { _ = TypedPattern($0)?.readings }), ("corrected", { _ = WrongLayout.corrected($0) }),
            ("order", { _ = TitleOrder($0) }), ("width", { _ = DisplayWidth.columns(of: $0) }),
            ("unfinished", { _ = UnfinishedSyllable.isEnd(of: $0, whileTyping: true) }),
            ("bytes", { _ = FoldedBytes($0) }),
            ("match", { _ = pattern?.match(in: FoldedText($0)) }),
            ("typo", { _ = pattern?.matchWithTypo(in: FoldedText($0)) }),
        ]
        for step in steps {
            let (shortText, fullText) = (long(256), long(1024))
            var (short, full) = (Duration.seconds(1), Duration.seconds(1))
            // Other load makes a run slower, so the fastest of several runs is used. Quadratic time would grow 16-fold.
            for _ in 0..<50 {
                short = min(short, ContinuousClock().measure { step.body(shortText) })
                full = min(full, ContinuousClock().measure { step.body(fullText) })
                if full <= short * 12 { break }
            }
            #expect(full <= short * 12, "\(step.name): \(short) and \(full)")
        }
    }

    @Test(arguments: pieces) func `any text has a width, an order and a conversion`(piece: String) {
        let text = String(repeating: piece, count: 1024 / piece.utf8.count)
        #expect((0...2048).contains(DisplayWidth.columns(of: text)))
        #expect(!(TitleOrder(text) < TitleOrder(text)))
        #expect(KeyboardLayout.hangul(typedAs: text).utf8.count <= text.utf8.count * 3)
        #expect(KeyboardLayout.latin(typedAs: text).utf8.count <= text.utf8.count * 3)
        #expect(TypedPattern(text) == nil || FoldedText(text).scalars.count <= TypedPattern.lengthMax)
    }
}
