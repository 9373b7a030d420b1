import CBytes
import TestSupport
import Testing

/// The marks of texts, as they come out of the C.
enum MarkedText {
    /// Whether this processor makes marks.
    static var canBe: Bool { marks([]) != nil }

    /// Which of the bytes, and of the place behind them, have marks; nil when the text is refused.
    ///
    /// Bytes around the text are such that whoever heeds them is wrong.
    static func marks(_ text: [UInt8], alignment: Int = 0) -> [Bool]? {
        let strangers = [UInt8](repeating: 0xE1, count: alignment)
        let bytes = strangers + text + [UInt8](repeating: 0x80, count: 70)
        var words = [UInt64](repeating: .max, count: text.count / 64 + 2)
        // The text lies in the bytes, its words in the array, and both live through the call.
        let isMarked = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe words.withUnsafeMutableBufferPointer { words in
                guard let start = bytes.baseAddress, let first = words.baseAddress else { return false }
                return unsafe bytes_mark_json(start + alignment, text.count, first)
            }
        }
        guard isMarked else { return nil }
        #expect(words.last == .max, "no word behind the last is written")
        return (0...text.count).map { words[$0 / 64] >> UInt64($0 % 64) & 1 == 1 }
    }
}

@Suite("Marks of a text", .enabled(if: MarkedText.canBe))
struct JSONMarksTests {
    private static func expected(_ text: [UInt8]) -> [Bool]? {
        guard String(validating: text, as: UTF8.self) != nil else { return nil }
        return text.map { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") } + [true]
    }

    private static let pieces: [[UInt8]] =
        ["a", " ", "\"", "\\", "\u{1F}", "\u{7F}", "é", "고", "양", "한", "🐱", "\0"].map { Array($0.utf8) }
    /// The first and the last of each length and of each range, and what lies beside them.
    private static let edges: [[UInt8]] = [
        [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF],
        [0xF0, 0x90, 0x80, 0x80], [0xF3, 0xBF, 0xBF, 0xBF], [0xF4, 0x8F, 0xBF, 0xBF], [0x41, 0xC3, 0xA9, 0x80],
        [0xEA, 0xB3, 0xA0, 0x80], [0xF0, 0x9F, 0x90, 0xB1, 0x80], [0xEA, 0xB3, 0x41], [0xF0, 0x9F, 0x90, 0xC3],
    ]

    @Test func `texts of every length at every alignment are marked as byte by byte`() {
        var random = SeededGenerator(seed: testSeed())
        var refused = 0
        for length in 0...130 {
            for alignment in 0..<32 {
                var text: [UInt8] = []
                while text.count < length { text += Self.pieces.randomElement(using: &random) ?? [] }
                // Mostly cut in a character only where the length wants it, sometimes anywhere.
                text = Array(text.prefix(length))
                if length > 0, alignment % 4 == 0 {
                    text[Int.random(in: 0..<length, using: &random)] = UInt8.random(in: 0x80...0xFF, using: &random)
                }
                let expected = Self.expected(text)
                refused += expected == nil ? 1 : 0
                #expect(MarkedText.marks(text, alignment: alignment) == expected, "\(text)")
            }
        }
        #expect((500...3500).contains(refused))
    }

    @Test func `all pairs of bytes with none to three more are refused as byte by byte`() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                for more in 0...3 {
                    let text = [first, second] + [UInt8](repeating: 0x80, count: more)
                    let isUTF8 = String(validating: text, as: UTF8.self) != nil
                    if (MarkedText.marks(text) != nil) != isUTF8 { Issue.record("\(text)") }
                }
            }
        }
    }

    @Test(arguments: ["a", "\u{7FF}", "한"])
    func `characters may lie across blocks, and may not be cut there`(filler: String) {
        let filler = Array(filler.utf8)
        for sequence in Self.edges + Corpus.notUTF8 {
            for count in 0..<70 {
                let before = Array(repeating: filler, count: count).flatMap { $0 }
                for text in [before + sequence, before + sequence + filler, before + sequence.dropLast()] {
                    #expect(MarkedText.marks(text, alignment: count % 32) == Self.expected(text), "\(text)")
                }
            }
        }
    }
}
