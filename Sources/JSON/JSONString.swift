/// The text of a validated JSON string.
enum JSONString {
    /// Undoes the escapes of what stands between the quotes; half a surrogate pair becomes U+FFFD.
    static func unescape(_ escaped: some Collection<UInt8>) -> String {
        var plain: [UInt8] = []
        plain.reserveCapacity(escaped.count)
        var rest = escaped.makeIterator()
        /// A leading surrogate that waits for its other half.
        var lead: UInt32?
        while let byte = rest.next() {
            var unit: UInt32?
            if byte == UInt8(ascii: "\\"), let letter = rest.next() {
                unit = letter == UInt8(ascii: "u") ? fourDigits(&rest) : UInt32(short(letter))
            }
            if let high = lead {
                lead = nil
                if let low = unit, (0xDC00...0xDFFF).contains(low) {
                    append(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), to: &plain)
                    continue
                }
                append(0xFFFD, to: &plain)
            }
            guard let unit else {
                plain.append(byte)
                continue
            }
            if (0xD800...0xDBFF).contains(unit) {
                lead = unit
            } else {
                append(unit, to: &plain)
            }
        }
        if lead != nil { append(0xFFFD, to: &plain) }
        return String(decoding: plain, as: UTF8.self)
    }

    private static func fourDigits(_ rest: inout some IteratorProtocol<UInt8>) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            unit = unit << 4 | (rest.next().flatMap(HexDigit.value) ?? 0)
        }
        return unit
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
