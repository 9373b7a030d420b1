/// Percent encoding of RFC 3986, over UTF-8.
package enum PercentEncoding {
    /// Encodes everything except unreserved characters, for use in any part of a URL.
    package static func encode(_ text: some StringProtocol) -> String {
        encode(text, keeping: isUnreserved)
    }

    /// Encodes every byte except those to be kept.
    package static func encode(_ text: some StringProtocol, keeping isKept: (UInt8) -> Bool) -> String {
        // One concrete type, so the compiler generates one fast loop.
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

    /// Appends a text, encoded except for unreserved characters.
    package static func append(encoding text: Span<UInt8>, to encoded: inout [UInt8]) {
        encoded.append(addingCapacity: text.count * 3) { output in
            for offset in 0..<text.count {
                let byte = text[offset]
                if isUnreserved(byte) {
                    output.append(byte)
                } else {
                    output.append(UInt8(ascii: "%"))
                    output.append(hexDigit(byte >> 4))
                    output.append(hexDigit(byte & 15))
                }
            }
        }
    }

    /// Appends a byte as `%XX`.
    package static func append(_ byte: UInt8, to encoded: inout [UInt8]) {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(hexDigit(byte >> 4))
        encoded.append(hexDigit(byte & 15))
    }

    /// Decodes `%xx`, and optionally `+` as a blank; nil if an escape is not valid or the bytes are not UTF-8.
    package static func decode(_ text: some StringProtocol, plusIsBlank: Bool = false) -> String? {
        var decoded: [UInt8] = []
        let written = Array(text.utf8)
        return decode(written.span, plusIsBlank: plusIsBlank, to: &decoded)
            ? String(decoding: decoded, as: UTF8.self) : nil
    }

    /// Appends decoded bytes.
    ///
    /// Returns false, possibly after appending some, if an escape is not valid or the result is not UTF-8.
    package static func decode(_ written: Span<UInt8>, plusIsBlank: Bool, to decoded: inout [UInt8]) -> Bool {
        let start = decoded.count
        var offset = 0
        while offset < written.count {
            let byte = written[offset]
            if byte == UInt8(ascii: "%") {
                guard offset + 2 < written.count, let high = written[offset + 1].hexValue,
                    let low = written[offset + 2].hexValue
                else { return false }
                decoded.append(high << 4 | low)
                offset += 3
            } else {
                decoded.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                offset += 1
            }
        }
        return (try? UTF8Span(validating: decoded.span.extracting(start...))) != nil
    }

    /// Whether a byte is unreserved: letters, digits and `-._~`.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
