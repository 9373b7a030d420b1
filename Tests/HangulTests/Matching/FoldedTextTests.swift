import TestSupport
import Testing

@testable import Hangul

@Suite("A text as it is compared")
struct FoldedTextTests {
    @Test func `is the same whether all of it stands as it is or something must be folded`() {
        var random = SeededGenerator(seed: testSeed())
        let letters = ["고", "양", "힣", "가", " ", "  ", "a", "z", "0", "9"]
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? ""
            }.joined()
            // A mark that is left out has the whole text folded.
            #expect(FoldedText(text) == FoldedText(text + "\u{200B}"), "\(text)")
        }
    }

    @Test(arguments: ["가\u{11A8}", "고양ㅇ", "Cafe\u{301}", "한글, 漢字", "ㄳ", "\u{1100}\u{1161}", "A1", "\u{EA00}\u{D7A4}"])
    func `is folded as a whole from a letter on that may join the one before`(text: String) {
        #expect(FoldedText("고 1" + text) == FoldedText("\u{200B}고 1" + text))
    }

    @Test func `goes on with more of the same text`() {
        for (first, second) in [("고", "양이"), ("고 ", "양이"), ("고", "Ä"), ("고 ", "Ä")] {
            var (text, pending) = (FoldedText(), true)
            text.append(first, wordPending: &pending)
            text.append(second, wordPending: &pending)
            #expect(text == FoldedText(first + second))
        }
    }
}
