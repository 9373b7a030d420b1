@_spi(_Unicode) import Swift
import TestSupport
import Testing

@testable import Hangul

/// The room beside a model of its own kind, over all syllables and many random texts.
@Suite("Hangul by another model")
struct KeyModelTests {
    @Test func `all syllables have the keys, the initials and the width that Unicode gives them`() throws {
        for (scalar, _) in SyllableTests.all {
            let keys = KeyModel.keys(scalar)
            try #require(String(String.UnicodeScalarView(KeyboardLayout.keys(of: [scalar]))) == keys)
            try #require(Character(Jamo.initial(of: scalar)) == KeyModel.initial(scalar))
            let decomposed = String(String.UnicodeScalarView(String(scalar)._nfd))
            try #require(DisplayWidth.columns(of: String(scalar)) == 2 && DisplayWidth.columns(of: decomposed) == 2)
            try #require(FoldedText(decomposed) == FoldedText(String(scalar)))
        }
    }

    @Test func `all syllables are found at every key on the way to them, in both layouts, and by no other initial`()
        throws
    {
        for (scalar, _) in SyllableTests.all {
            let text = FoldedText("\(scalar)나다")
            let keys = KeyModel.keys(scalar)
            for count in 1...keys.count {
                let typed = KeyModel.typed(String(keys.prefix(count)))
                let match = TypedPattern(typed)?.match(in: text, atWords: true)
                try #require(
                    match.map { $0.form < .layout && $0.position == .beginning } == true,
                    "\(typed), \(scalar)"
                )
            }
            let latin = KeyboardLayout.latin(typedAs: "\(scalar)나다")
            try #require(TypedPattern(latin)?.match(in: text)?.form == .layout, "\(latin)")
            let other = KeyModel.initial(scalar) == "ㅎ" ? "ㅋ" : "ㅎ"
            try #require(TypedPattern(other)?.match(in: text, atWords: true) == nil)
        }
    }

    @Test func `keys make what looking ahead makes of them`() throws {
        var random = SeededGenerator(seed: testSeed())
        let keys = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎㅏㅐㅑㅒㅓㅔㅕㅖㅗㅛㅜㅠㅡㅣㅗㅜㅏㅣㄱㄹㅂㅅㄴㅇ"
        for _ in 0..<20_000 {
            let typed = String(
                (0..<Int.random(in: 1...10, using: &random)).map { _ in keys.randomElement(using: &random) ?? "ㄱ" }
            )
            var composer = SyllableComposer()
            for key in typed.unicodeScalars { composer.type(key) }
            try #require(composer.finish() == KeyModel.typed(typed), "\(typed)")
        }
    }

    @Test func `what was typed is on the way to a word, or is not, as the model has it`() throws {
        var random = SeededGenerator(seed: testSeed())
        let letters = Array("가각갃갅강거과곽관고곡공곳곿아악앙앗오옥와왁사산삯상소솨갔값닭달걀ㄱㅅㅇㄱㅅㅇ".unicodeScalars)
        func text(_ lengths: ClosedRange<Int>) -> [Unicode.Scalar] {
            (0..<Int.random(in: lengths, using: &random)).map { _ in letters.randomElement(using: &random) ?? "가" }
        }
        var counts = (yes: 0, no: 0)
        for _ in 0..<60_000 {
            let (typed, word) = (text(1...3), text(1...4))
            let match = TypedPattern(String(String.UnicodeScalarView(typed)))?
                .match(in: FoldedText(String(String.UnicodeScalarView(word))), atWords: true)
            let isMatch = match.map { $0.form < .layout } == true
            let expected = KeyModel.isOnTheWay(typed, to: word)
            if expected { counts.yes += 1 } else { counts.no += 1 }
            let shown = typed.map { String($0) }.joined() + " in " + word.map { String($0) }.joined()
            try #require(isMatch == expected, "\(shown)")
        }
        #expect(counts.yes > 1000 && counts.no > 1000)
    }
}
