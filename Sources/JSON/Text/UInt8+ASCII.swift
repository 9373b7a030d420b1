/// What a byte is as a character of ASCII.
extension UInt8 {
    package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// Whether it is a letter of either case.
    package var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    package var isSmallLetter: Bool { self &- UInt8(ascii: "a") < 26 }

    /// Whether it is a hexadecimal digit of either case.
    package var isHexDigit: Bool { isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }

    /// The value of a hexadecimal digit of either case; nil of any other byte.
    package var hexValue: UInt8? {
        guard isHexDigit else { return nil }
        return isDigit ? self & 0x0F : (self & 0x0F) + 9
    }

    /// The same letter in lower case, if it is a capital one.
    package var lowered: UInt8 { isLetter ? self | 0x20 : self }

    /// The same letter as a capital one, if it is a small one.
    package var raised: UInt8 { isSmallLetter ? self & ~0x20 : self }
}
