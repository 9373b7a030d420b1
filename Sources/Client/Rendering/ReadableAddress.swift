import JSON

/// Decodes web addresses for display, such as `고양이` for `%EA%B3%A0…`.
///
/// Invisible characters stay encoded.
package enum ReadableAddress {
    package static func text(_ address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: "%")) else { return address }
        let bytes = Array(address.utf8)
        let host = bytes.indices.first { bytes[$0...].starts(with: "://".utf8) }.map { $0 + 3 }
        let start = host.map { bytes[$0...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex } ?? 0
        var text = String(decoding: bytes[..<start], as: UTF8.self)
        var rest = bytes[start...]
        while !rest.isEmpty {
            var run: [UInt8] = []
            while rest.count >= 3, rest[rest.startIndex] == UInt8(ascii: "%"),
                let high = rest[rest.startIndex + 1].hexValue, let low = rest[rest.startIndex + 2].hexValue
            {
                run.append(high << 4 | low)
                rest = rest.dropFirst(3)
            }
            if run.isEmpty {
                let plain = rest.prefix(1) + rest.dropFirst().prefix { $0 != UInt8(ascii: "%") }
                text += String(decoding: plain, as: UTF8.self)
                rest = rest.dropFirst(plain.count)
            } else {
                text += readable(run)
            }
        }
        return text
    }

    package static func short(_ address: String) -> String {
        var rest = Substring(text(address))
        for scheme in ["https://", "http://"] where rest.utf8.starts(with: scheme.utf8) {
            rest = rest.dropFirst(scheme.count)
        }
        if rest.utf8.starts(with: "www.".utf8) { rest = rest.dropFirst(4) }
        if rest.utf8.contains(UInt8(ascii: "?")) { rest = rest.prefix { !"/?#".contains($0) } }
        return String(rest.utf8.last == UInt8(ascii: "/") ? rest.dropLast() : rest)
    }

    static func host(_ address: String) -> String { String(short(address).prefix { !"/?#".contains($0) }) }

    private static func readable(_ bytes: [UInt8]) -> String {
        guard let run = String(validating: bytes, as: UTF8.self) else { return encoded(bytes) }
        var text = ""
        var isLetter = false
        for scalar in run.unicodeScalars {
            // A combining mark changes the character before the mark. Decode a mark only after a letter.
            isLetter = isReadable(scalar, afterLetter: isLetter)
            text += isLetter ? String(scalar) : encoded(Array(String(scalar).utf8))
        }
        return text
    }

    private static func encoded(_ bytes: [UInt8]) -> String {
        var encoded: [UInt8] = []
        for byte in bytes { PercentEncoding.append(byte, to: &encoded) }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isReadable(_ scalar: Unicode.Scalar, afterLetter: Bool) -> Bool {
        if scalar.isASCII {
            let byte = UInt8(scalar.value)
            return PercentEncoding.isUnreserved(byte) || "!'()*,".utf8.contains(byte)
        }
        let fromRight: [ClosedRange<UInt32>] = [
            0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
        ]
        let isHidden = scalar.properties.isDefaultIgnorableCodePoint
        guard !isHidden, !fromRight.contains(where: { $0.contains(scalar.value) }) else { return false }
        return switch scalar.properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
        case .nonspacingMark, .spacingMark: afterLetter
        default: false
        }
    }
}
