/// The text of a validated JSON string.
enum JSONString {
    /// Undoes the escapes of what stands between the quotes; half a surrogate pair becomes U+FFFD.
    ///
    /// - Complexity: O(n); what stands between escapes is copied at once.
    static func unescape<Text: RandomAccessCollection<UInt8>>(_ escaped: Text) -> String where Text.Index == Int {
        var plain: [UInt8] = []
        plain.reserveCapacity(escaped.count)
        var index = escaped.startIndex
        /// A leading surrogate that waits for its other half.
        var lead: UInt32?
        while let backslash = escaped[index...].firstIndex(of: UInt8(ascii: "\\")) {
            if backslash > index, lead != nil {
                append(0xFFFD, to: &plain)
                lead = nil
            }
            plain += escaped[index..<backslash]
            let letter = escaped[backslash + 1]
            let isUnit = letter == UInt8(ascii: "u")
            let unit = isUnit ? fourDigits(escaped, at: backslash + 2) : UInt32(short(letter))
            index = backslash + (isUnit ? 6 : 2)
            if let high = lead, (0xDC00...0xDFFF).contains(unit) {
                append(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00), to: &plain)
                lead = nil
                continue
            }
            if lead != nil { append(0xFFFD, to: &plain) }
            lead = (0xD800...0xDBFF).contains(unit) ? unit : nil
            if lead == nil { append(unit, to: &plain) }
        }
        if lead != nil { append(0xFFFD, to: &plain) }
        plain += escaped[index...]
        return String(decoding: plain, as: UTF8.self)
    }

    /// The reader has seen that four hexadecimal digits stand there.
    private static func fourDigits<Text>(_ escaped: Text, at start: Int) -> UInt32
    where Text: RandomAccessCollection<UInt8>, Text.Index == Int {
        escaped[start..<start + 4].reduce(0) { $0 << 4 | (HexDigit.value($1) ?? 0) }
    }

    private static func short(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 8
        case UInt8(ascii: "f"): 12
        case UInt8(ascii: "n"): 10
        case UInt8(ascii: "r"): 13
        case UInt8(ascii: "t"): 9
        default: letter
        }
    }

    private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
