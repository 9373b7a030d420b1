/// Web addresses as people read them: `고양이`, not `%EA%B3%A0…`; pure, and never what is opened.
///
/// Only letters and digits of scripts that are written from left to right are decoded, and the ASCII that means nothing
/// special in an address. All else stays encoded: control characters, blanks, what separates the parts of an address
/// and what looks like it, direction marks, letters that nobody sees, bytes that are not UTF-8.
package enum ReadableAddress {
    /// The whole address.
    package static func text(_ address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: "%")) else { return address }
        // The host stays as it is: only what follows it is encoded for its letters.
        let bytes = Array(address.utf8)
        let start = pathStart(bytes)
        return String(decoding: bytes[..<start], as: UTF8.self) + decoded(bytes[start...])
    }

    /// The address without its scheme and `www.`; the host alone where only machines read the rest: `kin.example`.
    package static func short(_ address: String) -> String {
        var rest = Substring(text(address))
        for scheme in ["https://", "http://"] where rest.utf8.starts(with: scheme.utf8) {
            rest = rest.dropFirst(scheme.count)
        }
        if rest.utf8.starts(with: "www.".utf8) { rest = rest.dropFirst(4) }
        if rest.utf8.contains(UInt8(ascii: "?")) { rest = rest.prefix { !"/?#".contains($0) } }
        return String(rest.utf8.last == UInt8(ascii: "/") ? rest.dropLast() : rest)
    }

    /// The host alone, without `www.`.
    static func host(_ address: String) -> String { String(short(address).prefix { !"/?#".contains($0) }) }

    /// Behind the host; the end where there is nothing.
    private static func pathStart(_ bytes: [UInt8]) -> Int {
        let slash = UInt8(ascii: "/")
        guard let first = bytes.indices.first(where: { bytes[$0...].starts(with: "://".utf8) }) else { return 0 }
        return bytes[(first + 3)...].firstIndex(of: slash) ?? bytes.endIndex
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        var rest = bytes
        while !rest.isEmpty {
            let run = encodedRun(rest)
            if run.isEmpty {
                let plain = rest.prefix(1) + rest.dropFirst().prefix { $0 != UInt8(ascii: "%") }
                text.append(contentsOf: String(decoding: plain, as: UTF8.self).unicodeScalars)
                rest = rest.dropFirst(plain.count)
            } else {
                append(run, to: &text)
                rest = rest.dropFirst(run.count * 3)
            }
        }
        return String(text)
    }

    /// ASCII that may stand in an address as it is and separates nothing there.
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!'()*,".utf8)

    /// The bytes that stand encoded at the beginning.
    private static func encodedRun(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var run: [UInt8] = []
        var rest = bytes
        while rest.count >= 3, rest[rest.startIndex] == UInt8(ascii: "%"),
            let high = digit(rest[rest.startIndex + 1]), let low = digit(rest[rest.startIndex + 2])
        {
            run.append(high << 4 | low)
            rest = rest.dropFirst(3)
        }
        return run
    }

    private static func append(_ bytes: [UInt8], to text: inout String.UnicodeScalarView) {
        guard let run = String(validating: bytes, as: UTF8.self) else { return encode(bytes, to: &text) }
        var mayJoin = false
        for scalar in run.unicodeScalars {
            let isShown = isReadable(scalar, afterLetter: mayJoin)
            if isShown { text.append(scalar) } else { encode(Array(String(scalar).utf8), to: &text) }
            mayJoin = isShown
        }
    }

    private static func encode(_ bytes: [UInt8], to text: inout String.UnicodeScalarView) {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        for byte in bytes {
            text.append("%")
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }

    /// A mark only stands behind a letter that is shown too, or it would join the sign before it.
    private static func isReadable(_ scalar: Unicode.Scalar, afterLetter: Bool) -> Bool {
        if scalar.isASCII { return plain.contains(UInt8(scalar.value)) }
        let properties = scalar.properties
        guard !properties.isDefaultIgnorableCodePoint, !isWrittenFromTheRight(scalar.value) else { return false }
        return switch properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
        case .nonspacingMark, .spacingMark: afterLetter
        default: false
        }
    }

    /// The blocks of Hebrew, Arabic and their kin, which turn what stands around them.
    private static func isWrittenFromTheRight(_ value: UInt32) -> Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
