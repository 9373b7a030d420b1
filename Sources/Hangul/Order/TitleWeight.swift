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
