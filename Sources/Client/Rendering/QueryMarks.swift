import Hangul
import SearchModel

/// Where the words of a query stand in a text, whatever the source marks; pure.
///
/// Case and normal form make no difference. Hangul, kana and ideographs are found anywhere, since endings and other
/// words are written right beside them; words of other scripts at the beginning of a word.
struct QueryMarks {
    static let wordsMax = 16
    /// A shorter word of letters is marked only as a whole word.
    private static let prefixScalarsMin = 3

    private let words: [[Unicode.Scalar]]

    init(query: String) {
        let folded = NormalForm.composed(query).flatMap { $0.properties.lowercaseMapping.unicodeScalars }
        words = folded.split { !Self.isWordPart($0) }.prefix(Self.wordsMax).map(Array.init)
    }

    /// Ranges of the text's Unicode scalars, ascending and apart.
    func ranges(in text: String) -> [Range<Int>] {
        guard !words.isEmpty else { return [] }
        var scalars: [Unicode.Scalar] = []
        /// For each folded scalar, the scalars of the text that it was made of.
        var origins: [Range<Int>] = []
        var offset = 0
        for grapheme in text {
            let count = grapheme.unicodeScalars.count
            for scalar in NormalForm.composed(String(grapheme)) {
                for folded in scalar.properties.lowercaseMapping.unicodeScalars {
                    scalars.append(folded)
                    origins.append(offset..<offset + count)
                }
            }
            offset += count
        }
        let found = words.flatMap { word in
            scalars.indices.filter { stands(word, at: $0, in: scalars) }.map { start in
                origins[start].lowerBound..<origins[start + word.count - 1].upperBound
            }
        }
        return Self.joined(found)
    }

    /// Ranges in order, those that touch made one.
    static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    private func stands(_ word: [Unicode.Scalar], at start: Int, in text: [Unicode.Scalar]) -> Bool {
        guard let first = word.first, text[start] == first, start + word.count <= text.count,
            text[start..<start + word.count].elementsEqual(word)
        else { return false }
        if Self.isSpaced(first), start > 0, Self.isSpaced(text[start - 1]) { return false }
        let end = start + word.count
        guard let last = word.last, Self.isSpaced(last), word.count < Self.prefixScalarsMin, end < text.count
        else { return true }
        return !Self.isSpaced(text[end])
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
            true
        default: false
        }
    }

    /// Whether a scalar is of a script that puts blanks around each word and nothing else.
    private static func isSpaced(_ scalar: Unicode.Scalar) -> Bool {
        guard isWordPart(scalar) else { return false }
        return switch scalar.value {
        case 0x1100...0x11FF, 0x3041...0x318F, 0x31A0...0x31FF, 0x3400...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF,
            0xF900...0xFAFF, 0x20000...0x3FFFD:
            false
        default: true
        }
    }
}
