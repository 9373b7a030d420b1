/// Where a title stands in a list that a reader of Korean looks through.
///
/// As Korean dictionaries and catalogues file: digits before Hangul before Latin before all other scripts. Digits count
/// as numbers ("2권" before "10권"), Hangul goes by the alphabet with a lone letter before its syllables, Latin without
/// regard to case, width and accents. Filing is word by word: punctuation, symbols and blanks before the first word are
/// ignored, and any of them between words count as one blank, which sorts before everything. Apostrophes are ignored.
/// A title of nothing but symbols comes first, by its symbols. Other scripts go by their code points: Han characters
/// therefore after kana, and not by their readings, for which there is no table here.
///
/// Titles that differ only in what is ignored are equal; break the tie by something else.
package struct TitleOrder: Comparable, Hashable, Sendable {
    /// Weights compared one by one; a title that is the beginning of another comes first.
    private var weights: [UInt32] = []

    /// - Complexity: O(n) in the title; keep the key while sorting.
    package init(_ title: String) {
        weights.reserveCapacity(title.utf8.count)
        var isBlankPending = false
        var digits: [UInt32] = []
        for scalar in NormalForm.composed(CharacterWidth.folded(title)) {
            if let digit = TitleWeight.digit(scalar) {
                if digits.isEmpty, isBlankPending { appendBlank() }
                isBlankPending = false
                // A leading zero doesn't change a number, but it makes one.
                digits.append(digit)
                continue
            }
            appendNumber(&digits)
            switch TitleWeight.of(scalar) {
            case .ignored: break
            case .separator: isBlankPending = true
            case .letters(let letters):
                if isBlankPending { appendBlank() }
                isBlankPending = false
                weights.append(contentsOf: letters)
            }
        }
        appendNumber(&digits)
        if weights.isEmpty {
            weights = NormalForm.composed(title).filter { !$0.properties.isWhitespace }.map { TitleWeight.symbol($0) }
        }
    }

    /// Bytes in the same order, for keys of a table.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * weights.count)
        for weight in weights {
            for shift in stride(from: 24, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: weight >> UInt32(shift)))
            }
        }
        return bytes
    }

    package static func < (left: TitleOrder, right: TitleOrder) -> Bool {
        left.weights.lexicographicallyPrecedes(right.weights)
    }

    private mutating func appendBlank() {
        if !weights.isEmpty { weights.append(TitleWeight.blank) }
    }

    /// Of two numbers without leading zeros the one with more digits is greater, so the count goes first.
    private mutating func appendNumber(_ digits: inout [UInt32]) {
        guard !digits.isEmpty else { return }
        let significant = digits.drop { $0 == 0 }
        weights.append(TitleWeight.number(digits: significant.count))
        weights.append(contentsOf: significant)
        digits.removeAll(keepingCapacity: true)
    }
}
