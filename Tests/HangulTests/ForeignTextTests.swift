@_spi(_Unicode) import Swift
import Testing

@testable import Hangul

/// Texts that no one types: each has an outcome, and costs no more than its length.
@Suite("Hangul that is none")
struct ForeignTextTests {
    @Test(arguments: [
        // Lone letters of every block are compatibility letters.
        ("\u{1100}", "ㄱ"), ("\u{1161}", "ㅏ"), ("\u{11A8}", "ㄱ"), ("\u{FFA1}", "ㄱ"), ("ㄳ", "ㄱㅅ"), ("\u{11AA}", "ㄱㅅ"),
        ("ㅘ", "ㅗㅏ"),
        // In an order that makes no syllable, each stands alone.
        ("\u{1161}\u{1100}", "ㅏㄱ"), ("\u{11A8}\u{1161}\u{1100}", "ㄱㅏㄱ"), ("\u{1100}\u{1100}\u{1161}", "ㄱ가"),
        ("\u{1100}\u{11A8}", "ㄱㄱ"), ("가\u{11A8}", "각"), ("각\u{11A8}", "각ㄱ"), ("가\u{1161}", "가ㅏ"),
        // Mixed forms are one text.
        ("고\u{110B}\u{1163}\u{11BC}이", "고양이"), ("\u{1100}\u{1169}양이", "고양이"),
        // Marks and joiners are left out, fillers too.
        ("가\u{301}나\u{302}", "가나"), ("고\u{200D}양\u{FE0F}", "고양"), ("\u{115F}\u{1161}", "ㅏ"), ("\u{3164}가\u{FFA0}", "가"),
        // Old letters stand for themselves.
        ("\u{1112}\u{119E}\u{11AB}", "\u{1112}\u{119E}\u{11AB}"), ("ㆍ", "ㆍ"), ("\u{A960}", "\u{A960}"),
        ("👩‍👩‍👧‍👦", "👩👩👧👦"), ("\u{200F}שלום\u{202E}", "שלום"), ("\u{0}가\u{7F}", "가"), ("", ""), (" \u{3000}\t", ""),
    ])
    func `is folded to what can be compared`(text: String, letters: String) {
        let folded = FoldedText(text).scalars
        // Old letters that begin a syllable have a compatibility letter when today's alphabet has them.
        let expected = Array(letters.unicodeScalars).map { $0.value == 0x1112 ? "ㅎ" : $0.value == 0x11AB ? "ㄴ" : $0 }
        #expect(folded == expected, "\(folded.map { String($0.value, radix: 16) })")
    }

    private static let pieces = [
        "ㅋ", "가", "ㄱㅏ", "\u{1100}", "\u{1100}\u{1161}\u{11A8}", "\u{11A8}\u{1161}\u{1100}", "가\u{301}\u{302}",
        "\u{301}",
        "\u{FFA1}\u{FFC2}", "\u{1113}\u{119E}\u{11D9}", "👩‍👩‍👧‍👦", "🇰🇷", "שלום", "\u{202E}", "ㄳㅘ", "rkqt", "a ", "ㅎ ", "값",
        "\u{1161}", "9",
    ]

    @Test(arguments: pieces) func `costs no more than its length`(piece: String) {
        func long(_ bytes: Int) -> String { String(repeating: piece, count: max(1, bytes / piece.utf8.count)) }
        let pattern = TypedPattern(String(piece.unicodeScalars.prefix(1)))
        let steps: [(name: String, body: (String) -> Void)] = [
            ("fold", { _ = FoldedText($0) }), ("normalise", { _ = NormalForm.line($0) }),
            ("to Hangul", { _ = KeyboardLayout.hangul(typedAs: $0) }),
            ("to Latin", { _ = KeyboardLayout.latin(typedAs: $0) }),
            ("pattern", { _ = TypedPattern($0)?.readings }), ("meant", { _ = WrongLayout.meant(by: $0) }),
            ("order", { _ = TitleOrder($0) }), ("width", { _ = DisplayWidth.columns(of: $0) }),
            ("half typed", { _ = HalfTyped.isEnd(of: $0, whileTyping: true) }), ("bytes", { _ = FoldedBytes($0) }),
            ("match", { _ = pattern?.match(in: FoldedText($0)) }),
            ("slips", { _ = pattern?.slips(in: FoldedText($0)) }),
        ]
        for step in steps {
            let (shortText, fullText) = (long(256), long(1024))
            var (short, full) = (Duration.seconds(1), Duration.seconds(1))
            // Other work only ever adds, so the least of several counts; a text four times as long may take thrice as
            // long again.
            for _ in 0..<50 {
                short = min(short, ContinuousClock().measure { step.body(shortText) })
                full = min(full, ContinuousClock().measure { step.body(fullText) })
                if full <= short * 12 { break }
            }
            #expect(full <= short * 12, "\(step.name): \(short) and \(full)")
        }
    }

    @Test(arguments: pieces) func `is a width, an order and a text in the other layout`(piece: String) {
        let text = String(repeating: piece, count: 1024 / piece.utf8.count)
        #expect((0...2048).contains(DisplayWidth.columns(of: text)))
        #expect(!(TitleOrder(text) < TitleOrder(text)))
        #expect(KeyboardLayout.hangul(typedAs: text).utf8.count <= text.utf8.count * 3)
        #expect(KeyboardLayout.latin(typedAs: text).utf8.count <= text.utf8.count * 3)
        #expect(TypedPattern(text) == nil || FoldedText(text).scalars.count <= TypedPattern.lengthMax)
    }
}
