import TestSupport
import Testing

@testable import Catalogue

struct CleaningTests {
    /// The first and the last of everything that is told apart, and what stands at the edges of blocks.
    private static let pieces = [
        "고양이", "가", "힣", "\u{AFFF}", "\u{B000}", "\u{CFFF}", "\u{D000}", "\u{D77F}", "\u{D780}", "\u{A9FF}", "\u{A960}",
        "書", "\u{3FFF}", "\u{4000}", "\u{9FFF}", "\u{A000}", "ㅋㅋ", "カタ", "é", "ß", "😀", "👩‍👩‍👧", "\u{FFFD}",
        " ", "  ", "\u{3000}", "\u{A0}", "\n", "\t", "\u{0}", "\u{1F}", "\u{7F}", "\u{200B}", "\u{202E}", "\u{FEFF}",

        "e\u{301}", "\u{301}", "\u{1100}\u{1169}\u{11BC}", "\u{1112}", "\u{1161}",
        "<b>", "</b>", "<b>", "</b>", "<B>", "</B >", "<b class=x>", "<b", "</b", "</", "<", ">", "<em>", "</em>",
        "<bb>", "</bb>",
        "<span class=\"searchmatch\">", "</span>", "<br>", "<p>", "<!-- x -->", "<script>", "</script>", "<3",
        "&amp;", "&lt;b&gt;", "&#39;", "&#x202E;", "&#10;", "&hellip;", "&nope;", "&", "&#xAC00;", "&#769;", "&#xFDD0;",
        "&#x10FFFF;",
    ]

    private func text(_ random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...(Int.random(in: 0..<30, using: &random) == 0 ? 400 : 12), using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: text += String(repeating: "x", count: .random(in: 1...18, using: &random))
            case 1: text += String(repeating: "나", count: .random(in: 1...7, using: &random))
            case 2:
                // What is no UTF-8 has been made so before anything is cleaned.
                let bytes = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
                text += String(decoding: bytes, as: UTF8.self)
            default: text += Self.pieces.randomElement(using: &random) ?? ""
            }
        }
        return text
    }

    @Test func `cleaning in runs does what cleaning scalar by scalar does`() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<6_000 {
            let text = text(&random)
            for markup in [TextCleaner.Markup.none, .entities, .html] {
                let bytesMax = [0, 1, 5, 16, 40, 100, 1024].randomElement(using: &random) ?? 1024
                var slow = SlowCleaner(text, markup)
                var cleaner = TextCleaner()
                let expected = slow.cleaned(bytesMax: bytesMax)
                let plain = cleaner.clean(text.utf8.span, markup: markup, bytesMax: bytesMax)
                // Byte by byte: strings also are equal when they are only spelt alike.
                #expect(
                    Array(plain.text.utf8) == Array(expected.text.utf8) && plain.marks == expected.marks,
                    "\(Array(text.utf8)) as \(markup) in \(bytesMax) bytes, seed \(seed)"
                )
            }
        }
    }

    private func isAllPlain(_ text: String, _ bytesMax: Int) -> Bool {
        PlainRun.isAll(of: text.utf8.span, markup: .html, bytesMax: bytesMax)
    }

    private func count(_ text: String, _ range: Range<Int>) -> Int { text.utf8.span.scalarCount(in: range) }

    @Test func `what is all plain is what stays as it is`() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<6_000 {
            let text = text(&random)
            let isAll = isAllPlain(text, 1024)
            var slow = SlowCleaner(text, .html)
            if isAll {
                #expect(slow.cleaned(bytesMax: 1024) == PlainText(text: text), "\(Array(text.utf8)), seed \(seed)")
            }
        }
        for plain in ["a", "고양이 산책", "가 나 다 라 마 바 사 아 자 차", "書", "x y", String(repeating: "가a ", count: 90) + "b"] {
            #expect(isAllPlain(plain, 1024))
            #expect(!isAllPlain(plain, plain.utf8.count - 1))
            #expect(isAllPlain(plain, plain.utf8.count))
        }
        for text in ["", " ", "a ", " a", "a  b", "a<", "a&", "e\u{301}", "가나다라마바사아자차카  타", "\u{A960}가나다라마바사"] {
            #expect(!isAllPlain(text, 1024))
        }
    }

    @Test func `scalars are counted in any part of a text`() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        var texts = (0..<2_000).map { _ in text(&random) }
        // More than a lane of eight bits counts.
        texts.append(String(repeating: "고양이 산책", count: 1_000))
        for text in texts {
            let scalars = Array(text.unicodeScalars)
            guard let one = scalars.indices.randomElement(using: &random) else { continue }
            let range = min(one, scalars.count / 2)..<max(one, scalars.count / 2)
            let before = scalars[..<range.lowerBound].reduce(0) { $0 + UTF8.width($1) }
            let bytes = scalars[range].reduce(0) { $0 + UTF8.width($1) }
            #expect(count(text, before..<before + bytes) == range.count, "\(Array(text.utf8)), seed \(seed)")
            #expect(count(text, 0..<text.utf8.count) == scalars.count, "\(Array(text.utf8)), seed \(seed)")
        }
    }
}
