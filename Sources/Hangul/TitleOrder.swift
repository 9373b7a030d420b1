@_spi(_Unicode) import Swift

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

/// What one scalar of a title weighs; the class is in the upper byte, the rank within it below.
enum TitleWeight {
    /// What a scalar does to a key.
    enum Effect {
        case ignored
        case separator
        case letters([UInt32])
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

    /// The value of a decimal digit of any script.
    static func digit(_ scalar: Unicode.Scalar) -> UInt32? {
        if scalar.isASCII {
            return ("0"..."9").contains(scalar) ? scalar.value - 48 : nil
        }
        guard scalar.properties.generalCategory == .decimalNumber else { return nil }
        return scalar.properties.numericValue.map { UInt32($0) }
    }

    /// The effect of a scalar of a composed text that is no decimal digit.
    static func of(_ scalar: Unicode.Scalar) -> Effect {
        if let rank = TitleHangul.rank(of: scalar) { return .letters([hangulClass + rank]) }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return .ignored
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .otherNumber, .spacingMark, .privateUse, .unassigned:
            return .letters(letters(of: scalar))
        default:
            return scalar == "'" || scalar == "\u{2019}" ? .ignored : .separator
        }
    }

    /// The plain letters, each by its code point.
    private static func letters(of scalar: Unicode.Scalar) -> [UInt32] {
        if scalar.isASCII { return [latinClass + (scalar.value | 0x20)] }
        return PlainLetters.of(scalar).map { (isLatin($0) ? latinClass : otherClass) + $0.value }
    }

    /// The blocks of Latin letters.
    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x2AF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA722...0xA7FF: true
        default: false
        }
    }
}

/// The Hangul alphabet: ranks such that a lone letter comes before the syllables it begins.
enum TitleHangul {
    private static let vowelCount: UInt32 = 21
    private static let tailCount: UInt32 = 28

    /// How many of the 19 letters that begin a syllable stand before or at each compatibility consonant, from ㄱ on.
    ///
    /// One that begins none, as ㄳ, shares the number of the letter before it.
    private static let leadsUpTo: [UInt32] = [
        1, 2, 2, 3, 3, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    ]

    /// The rank of a syllable or letter, below 1 << 24; nil when it is no Hangul.
    static func rank(of scalar: Unicode.Scalar) -> UInt32? {
        let value = scalar.value
        switch value {
        case 0xAC00...0xD7A3:
            let (lead, rest) = (value - 0xAC00).quotientAndRemainder(dividingBy: vowelCount * tailCount)
            return rank(lead: lead, vowel: rest / tailCount + 1) + rest % tailCount
        case 0x3131...0x314E:
            let index = Int(value - 0x3131)
            let lead = leadsUpTo[index] - 1
            // The letters of one number follow each other.
            return rank(lead: lead, vowel: 0) + UInt32(index - (leadsUpTo.firstIndex(of: lead + 1) ?? index))
        case 0x314F...0x3163: return rank(lead: 19, vowel: value - 0x314F + 1)
        case 0x1100...0x1112: return rank(lead: value - 0x1100, vowel: 0)
        case 0x1161...0x1175: return rank(lead: 19, vowel: value - 0x1161 + 1)
        // Old letters and lone final ones come last, by code point.
        case 0x1113...0x11FF, 0x3165...0x318E, 0xA960...0xA97C, 0xD7B0...0xD7FB: return 1 << 20 + value
        default: return nil
        }
    }

    private static func rank(lead: UInt32, vowel: UInt32) -> UInt32 {
        (lead * (vowelCount + 1) + vowel) * tailCount
    }
}

/// The plain letters that readers look a letter up under: without accents, in lower case.
enum PlainLetters {
    /// Latin letters that no accent makes, and their spellings.
    private static let spellings: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ß": ["s", "s"], "æ": ["a", "e"], "œ": ["o", "e"], "ø": ["o"], "ð": ["d"], "đ": ["d"], "ł": ["l"],
        "þ": ["t", "h"], "ı": ["i"], "ħ": ["h"],
    ]

    /// Those of a letter, in their order; none for a lone accent.
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
