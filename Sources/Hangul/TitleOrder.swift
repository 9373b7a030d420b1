@_spi(_Unicode) import Swift

/// A sort key for titles, in the order of Korean dictionaries.
///
/// - Digits sort before Hangul, Hangul before Latin, and Latin before other scripts.
/// - Numbers are compared by value: "2권" is before "10권".
/// - Titles are compared word by word. Case, width and accents are ignored.
package struct TitleOrder: Comparable, Hashable, Sendable {
    private var weights: [UInt32] = []

    package init(_ title: String) {
        weights.reserveCapacity(title.utf8.count)
        var isBlankPending = false
        var digits: [UInt32] = []
        for scalar in NormalForm.composed(CharacterWidth.folded(title)) {
            if let digit = TitleWeight.digit(scalar) {
                if digits.isEmpty, isBlankPending { appendBlank() }
                isBlankPending = false
                // Leading zeros are kept until `appendNumber`, because "0" alone is a number, too.
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

    /// The key as bytes for a database; the bytes sort in the same order as the keys.
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

    /// Omits leading zeros.
    ///
    /// The count of the digits is appended first, so a longer number is greater.
    private mutating func appendNumber(_ digits: inout [UInt32]) {
        guard !digits.isEmpty else { return }
        let significant = digits.drop { $0 == 0 }
        weights.append(TitleWeight.number(digits: significant.count))
        weights.append(contentsOf: significant)
        digits.removeAll(keepingCapacity: true)
    }
}

/// The sort value of one scalar: the class in the upper byte, the rank in the other bytes.
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

    static func digit(_ scalar: Unicode.Scalar) -> UInt32? {
        if scalar.isASCII {
            return ("0"..."9").contains(scalar) ? scalar.value - 48 : nil
        }
        guard scalar.properties.generalCategory == .decimalNumber else { return nil }
        return scalar.properties.numericValue.map { UInt32($0) }
    }

    /// The scalar must not be a decimal digit.
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

/// The order of Hangul letters and syllables.
enum TitleHangul {
    private static let vowelCount: UInt32 = 21
    private static let tailCount: UInt32 = 28

    /// For each consonant from ㄱ on, the number of leads (initial consonants) up to this consonant.
    private static let leadsUpTo: [UInt32] = [
        1, 2, 2, 3, 3, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    ]

    /// Returns nil if the scalar is not Hangul; a rank is below 1 << 24.
    static func rank(of scalar: Unicode.Scalar) -> UInt32? {
        let value = scalar.value
        switch value {
        case 0xAC00...0xD7A3:
            let (lead, rest) = (value - 0xAC00).quotientAndRemainder(dividingBy: vowelCount * tailCount)
            return rank(lead: lead, vowel: rest / tailCount + 1) + rest % tailCount
        case 0x3131...0x314E:
            let index = Int(value - 0x3131)
            let lead = leadsUpTo[index] - 1
            // A consonant that is not a lead, such as ㄳ, is sorted after the previous lead.
            return rank(lead: lead, vowel: 0) + UInt32(index - (leadsUpTo.firstIndex(of: lead + 1) ?? index))
        case 0x314F...0x3163: return rank(lead: 19, vowel: value - 0x314F + 1)
        case 0x1100...0x1112: return rank(lead: value - 0x1100, vowel: 0)
        case 0x1161...0x1175: return rank(lead: 19, vowel: value - 0x1161 + 1)
        // Old letters and lone final consonants are last, by code point.
        case 0x1113...0x11FF, 0x3165...0x318E, 0xA960...0xA97C, 0xD7B0...0xD7FB: return 1 << 20 + value
        default: return nil
        }
    }

    private static func rank(lead: UInt32, vowel: UInt32) -> UInt32 {
        (lead * (vowelCount + 1) + vowel) * tailCount
    }
}

/// Replaces capitals with small letters, and removes accents.
enum PlainLetters {
    /// Latin letters that do not decompose into a letter and an accent.
    private static let spellings: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ß": ["s", "s"], "æ": ["a", "e"], "œ": ["o", "e"], "ø": ["o"], "ð": ["d"], "đ": ["d"], "ł": ["l"],
        "þ": ["t", "h"], "ı": ["i"], "ħ": ["h"],
    ]

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
