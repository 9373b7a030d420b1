import Hangul
import TestSupport
import Testing

@testable import Client

struct LineWrapTests {
    private func lines(_ text: String, _ columns: Int, linesMax: Int = 100) -> [String] {
        LineWrap.lines(Cell.cells(text), columns: columns, linesMax: linesMax).map { $0.map(\.text).joined() }
    }

    @Test func `lines break at blanks`() {
        #expect(lines("the quick brown fox jumps over", 16) == ["the quick brown", "fox jumps over"])
    }

    @Test func `Hangul breaks at blanks and counts two columns`() {
        #expect(lines("고양이는 하루에 두 번 사료를", 16) == ["고양이는 하루에", "두 번 사료를"])
    }

    @Test func `ideographs and kana break anywhere but before a closing sign`() {
        #expect(lines("日本語の文章も折り返し。終わり", 16) == ["日本語の文章も折", "り返し。終わり"])
        #expect(lines("日本語の文章も折。終", 16) == ["日本語の文章も", "折。終"])
    }

    @Test func `a word longer than a line is cut between graphemes`() {
        #expect(lines("abcdefghijklmnopqrstuvwxyz", 16) == ["abcdefghijklmnop", "qrstuvwxyz"])
        let families = String(repeating: "👨‍👩‍👧‍👦", count: 9)
        #expect(lines(families, 16) == [String(families.prefix(8)), "👨‍👩‍👧‍👦"])
    }

    @Test func `the last line ends in an ellipsis when something is left out`() {
        #expect(
            lines("the quick brown fox jumps over the lazy dog", 16, linesMax: 2) == [
                "the quick brown", "fox jumps over…",
            ]
        )
        #expect(lines("고양이는고양이는고양이는", 16, linesMax: 1) == ["고양이는고양이…"])
        #expect(lines("the quick brown", 16, linesMax: 1) == ["the quick brown"])
    }

    @Test func `nothing gives no lines`() {
        #expect(lines("", 20).isEmpty)
        #expect(lines("    ", 20).isEmpty)
    }

    @Test func `no line is wider than it may be, and no text is lost`() {
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
