@_spi(_Unicode) import Swift

/// A sort key for titles, in the order of Korean dictionaries and catalogues.
///
/// - Digits sort before Hangul, Hangul before Latin, and Latin before all other scripts.
/// - Digits are compared as numbers: "2권" before "10권".
/// - A lone Hangul letter sorts before its syllables.
/// - Case, width, accents and apostrophes are ignored.
/// - Titles are compared word by word. Punctuation, symbols and blanks between two words count as one blank, which
///   sorts first. They are ignored before the first word and after the last.
/// - A title that has only symbols sorts before all other titles, by its symbols.
/// - Other scripts sort by code point, so Han characters sort after kana, and not by their readings.
///
/// Titles that differ only in ignored characters are equal.
package struct TitleOrder: Comparable, Hashable, Sendable {
    private var weights: [UInt32] = []

    /// - Complexity: O(n) in the title. Compute the key once per title when sorting.
    package init(_ title: String) {
        weights.reserveCapacity(title.utf8.count)
        var isBlankPending = false
        var digits: [UInt32] = []
        for scalar in NormalForm.composed(CharacterWidth.folded(title)) {
            if let digit = TitleWeight.digit(scalar) {
                if digits.isEmpty, isBlankPending { appendBlank() }
                isBlankPending = false
                // Leading zeros are kept here, because "0" is a number too.
                digits.append(digit)
                continue
            }
            appendNumber(&digits)
            switch TitleWeight.of(scalar) {
            case .ignored: break
            case .separator: isBlankPending = true
            case .letters:
                if isBlankPending { appendBlank() }
                isBlankPending = false
                TitleWeight.appendLetters(of: scalar, to: &weights)
            }
        }
        appendNumber(&digits)
        if weights.isEmpty {
            weights = NormalForm.composed(title).filter { !$0.properties.isWhitespace }.map { TitleWeight.symbol($0) }
        }
    }

    /// The key as bytes that sort in the same order, for a database.
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

    /// Appends the count of digits and then the digits without leading zeros, so a longer number is greater.
    private mutating func appendNumber(_ digits: inout [UInt32]) {
        guard !digits.isEmpty else { return }
        let significant = digits.drop { $0 == 0 }
        weights.append(TitleWeight.number(digits: significant.count))
        weights.append(contentsOf: significant)
        digits.removeAll(keepingCapacity: true)
    }
}

/// The weight of a scalar, with its class in the upper byte and its rank within the class in the other bytes.
enum TitleWeight {
    enum Effect {
        case ignored
        case separator
        case letters
    }

    static let blank: UInt32 = 0
    private static let symbolClass: UInt32 = 1 << 24
    private static let numberClass: UInt32 = 2 << 24
    private static let hangulClass: UInt32 = 3 << 24
    private static let latinClass: UInt32 = 4 << 24
    private static let otherClass: UInt32 = 5 << 24

    static func symbol(_ scalar: Unicode.Scalar) -> UInt32 {
        symbolClass + scalar.value
    }

    static func number(digits: Int) -> UInt32 {
        numberClass + UInt32(clamping: digits)
    }

    /// Returns the value of a decimal digit in any script, or nil for other scalars.
    static func digit(_ scalar: Unicode.Scalar) -> UInt32? {
        if scalar.isASCII {
            return ("0"..."9").contains(scalar) ? scalar.value - 48 : nil
        }
        guard scalar.properties.generalCategory == .decimalNumber else { return nil }
        return scalar.properties.numericValue.map { UInt32($0) }
    }

    /// Returns the effect of a scalar of a composed text that is not a decimal digit.
    static func of(_ scalar: Unicode.Scalar) -> Effect {
        if TitleHangul.rank(of: scalar) != nil { return .letters }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return .ignored
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .otherNumber, .spacingMark, .privateUse, .unassigned:
            return .letters
        default:
            return scalar == "'" || scalar == "\u{2019}" ? .ignored : .separator
        }
    }

    static func appendLetters(of scalar: Unicode.Scalar, to weights: inout [UInt32]) {
        if let rank = TitleHangul.rank(of: scalar) {
            weights.append(hangulClass + rank)
        } else if scalar.isASCII {
            weights.append(latinClass + (scalar.value | 0x20))
        } else {
            weights += PlainLetters.of(scalar).map { (isLatin($0) ? latinClass : otherClass) + $0.value }
        }
    }

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x2AF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA722...0xA7FF: true
        default: false
        }
    }
}

/// The ranks of Hangul letters and syllables; a lone letter ranks before the syllables that it begins.
enum TitleHangul {
    private static let vowelCount: UInt32 = 21
    private static let tailCount: UInt32 = 28

    /// For each compatibility consonant from ㄱ on, the number of leads up to and including it.
    ///
    /// A consonant that cannot be a lead, such as ㄳ, has the number of the letter before it.
    private static let leadsUpTo: [UInt32] = [
        1, 2, 2, 3, 3, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    ]

    /// Returns the rank of a syllable or letter, below 1 << 24, or nil if it is not Hangul.
    static func rank(of scalar: Unicode.Scalar) -> UInt32? {
        let value = scalar.value
        switch value {
        case 0xAC00...0xD7A3:
            let (lead, rest) = (value - 0xAC00).quotientAndRemainder(dividingBy: vowelCount * tailCount)
            return rank(lead: lead, vowel: rest / tailCount + 1) + rest % tailCount
        case 0x3131...0x314E:
            let index = Int(value - 0x3131)
            let lead = leadsUpTo[index] - 1
            // Letters with the same number follow each other.
            return rank(lead: lead, vowel: 0) + UInt32(index - (leadsUpTo.firstIndex(of: lead + 1) ?? index))
        case 0x314F...0x3163: return rank(lead: 19, vowel: value - 0x314F + 1)
        case 0x1100...0x1112: return rank(lead: value - 0x1100, vowel: 0)
        case 0x1161...0x1175: return rank(lead: 19, vowel: value - 0x1161 + 1)
        // Old letters and lone tails come last, by code point.
        case 0x1113...0x11FF, 0x3165...0x318E, 0xA960...0xA97C, 0xD7B0...0xD7FB: return 1 << 20 + value
        default: return nil
        }
    }

    private static func rank(lead: UInt32, vowel: UInt32) -> UInt32 {
        (lead * (vowelCount + 1) + vowel) * tailCount
    }
}

/// Converts letters to lower case without accents.
enum PlainLetters {
    /// Spellings of Latin letters that do not decompose to a letter and an accent.
    private static let spellings: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ß": ["s", "s"], "æ": ["a", "e"], "œ": ["o", "e"], "ø": ["o"], "ð": ["d"], "đ": ["d"], "ł": ["l"],
        "þ": ["t", "h"], "ı": ["i"], "ħ": ["h"],
    ]

    /// Returns the plain letters of a letter, or no letters for a lone accent.
    static func of(_ letter: Unicode.Scalar) -> [Unicode.Scalar] {
        if letter.isASCII {
            return [("A"..."Z").contains(letter) ? Unicode.Scalar(UInt8(letter.value) | 0x20) : letter]
        }
        return String(letter)._nfd.flatMap { base -> [Unicode.Scalar] in
            guard base.properties.generalCategory != .nonspacingMark else { return [] }
            return base.properties.lowercaseMapping.unicodeScalars.flatMap { spellings[$0] ?? [$0] }
        }
    }
}
