import JSON

/// Numbers in the bytes of texts.
enum DecimalText {
    /// Powers of ten that a double holds exactly.
    private static let powers: [Double] = (0...15).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
    /// So many digits make an integer that a double holds exactly, and that is no longer than a short text.
    private static let digitsMax = 15

    /// Whether a text is an integer as JSON writes it, and no long one.
    static func isInteger(_ text: Span<UInt8>) -> Bool {
        let start = !text.isEmpty && text[0] == UInt8(ascii: "-") ? 1 : 0
        guard start < text.count, text.count - start <= digitsMax else { return false }
        guard text[start] != UInt8(ascii: "0") || text.count == 1 else { return false }
        for offset in start..<text.count where !text[offset].isDigit { return false }
        return true
    }

    /// The number that a text spells, also with blanks and the commas between thousands; no letter is part of one.
    static func number(spelledBy text: Span<UInt8>) -> JSONNumber? {
        if let integer = Int(String(validated: text)) { return JSONNumber(integer) }
        var digits: [UInt8] = []
        for offset in 0..<text.count where text[offset] != UInt8(ascii: " ") && text[offset] != UInt8(ascii: ",") {
            digits.append(text[offset])
        }
        let trimmed = String(validated: digits.span)
        if let integer = Int(trimmed) { return JSONNumber(integer) }
        guard digits.allSatisfy({ $0 < 0x3A }), let double = Double(trimmed) else { return nil }
        return JSONNumber(double)
    }

    /// The nearest double to a number of JSON's grammar.
    static func double(_ text: Span<UInt8>) -> Double {
        let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
        var integer = 0
        var digits = 0
        /// How many digits stand before the point.
        var whole: Int?
        for offset in (isNegative ? 1 : 0)..<text.count {
            if text[offset] == UInt8(ascii: "."), whole == nil {
                whole = digits
            } else {
                guard text[offset].isDigit, digits < digitsMax else { return Double(String(validated: text)) ?? .nan }
                integer = integer * 10 + Int(text[offset] - UInt8(ascii: "0"))
                digits += 1
            }
        }
        // Both are exact, so that the quotient is the nearest one.
        let magnitude = Double(integer) / powers[digits - (whole ?? digits)]
        return isNegative ? -magnitude : magnitude
    }
}
