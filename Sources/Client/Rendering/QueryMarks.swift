import Hangul

/// Finds the words of a query in a text.
///
/// Ignores case, width and accents.
package struct QueryMarks {
    package static let wordsMax = 16
    private static let prefixScalarsMin = 3

    private let words: [ArraySlice<Unicode.Scalar>]

    package init(query: String) {
        words = Array(FoldedText(query).words.prefix(Self.wordsMax))
    }

    package func ranges(in text: String) -> [Range<Int>] {
        guard !words.isEmpty else { return [] }
        var folded = FoldedText()
        var wordPending = true
        // For each folded scalar, the range of its original scalars in the text.
        var origins: [Range<Int>] = []
        var offset = 0
        for grapheme in text {
            let end = offset + grapheme.unicodeScalars.count
            folded.append(String(grapheme), wordPending: &wordPending)
            origins += repeatElement(offset..<end, count: folded.scalars.count - origins.count)
            offset = end
        }
        let found = words.flatMap { word in
            folded.scalars.indices.filter { isWord(word, at: $0, in: folded) }.map { start in
                origins[start].lowerBound..<origins[start + word.count - 1].upperBound
            }
        }
        return Self.joined(found)
    }

    package static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
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

    private func isWord(_ word: ArraySlice<Unicode.Scalar>, at start: Int, in text: FoldedText) -> Bool {
        let end = start + word.count
        guard end <= text.scalars.count, text.scalars[start..<end].elementsEqual(word), text.mayBegin(at: start) else {
            return false
        }
        return word.count >= Self.prefixScalarsMin || end == text.scalars.count || text.mayBegin(at: end)
    }
}
