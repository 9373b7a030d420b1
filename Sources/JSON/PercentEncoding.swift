/// Percent encoding of RFC 3986, over UTF-8.
package enum PercentEncoding {
    package static func encode(_ text: some StringProtocol) -> String {
        encode(text, keeping: isUnreserved)
    }

    package static func encode(_ text: some StringProtocol, keeping isKept: (UInt8) -> Bool) -> String {
        let text = String(text)
        if text.utf8.allSatisfy(isKept) { return text }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            if isKept(byte) {
                encoded.append(byte)
            } else {
                append(byte, to: &encoded)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    package static func append(_ byte: UInt8, to encoded: inout [UInt8]) {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(hexDigit(byte >> 4))
        encoded.append(hexDigit(byte & 15))
    }

    /// Returns nil if an escape is not valid or the bytes are not UTF-8.
    package static func decode(_ text: some StringProtocol, plusIsBlank: Bool = false) -> String? {
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else { return nil }
                decoded.append(high << 4 | low)
            } else {
                decoded.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    package static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
