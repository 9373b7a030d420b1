import Testing

@testable import Hangul

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("a", 1), ("é", 1), ("e\u{301}", 1), ("고", 2), ("고양이", 6), ("漢字", 4), ("かな", 4), ("ｱ", 1), ("Ａ", 2),
        ("，", 2), ("…", 1), ("·", 1), ("→", 1), ("①", 1), ("Ж", 1), ("א", 1),
    ])
    func `letters take one column, wide ones two`(text: String, columns: Int) {
        #expect(DisplayWidth.columns(of: text) == columns)
    }

    @Test func `decomposed Hangul is as wide as composed`() {
        #expect(DisplayWidth.columns(of: "\u{1100}\u{1169}\u{110B}\u{1163}\u{11BC}") == 4)
        #expect(DisplayWidth.columns(of: "ㄱ") == 2)
        #expect(DisplayWidth.columns(of: "\u{11BC}") == 0)
    }

    @Test(arguments: ["😀", "👨‍👩‍👧‍👦", "👍🏽", "🇰🇷", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "⌚", "🐈‍⬛", "☂️"])
    func `an emoji takes two, however many scalars it has`(emoji: String) {
        #expect(DisplayWidth.columns(of: emoji) == 2)
    }

    @Test(arguments: ["❤", "1", "☂", "©", "™"]) func `what may be an emoji but is not asked to be takes one`(
        sign: String
    ) {
        #expect(DisplayWidth.columns(of: sign) == 1)
    }

    @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}"]) func `marks that stand alone take none`(mark: String) {
        #expect(DisplayWidth.columns(of: mark) == 0)
    }

    @Test func `the wide ranges begin and end where they should`() {
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
