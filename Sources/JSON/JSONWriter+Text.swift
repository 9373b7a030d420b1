/// How strings and decimals become bytes.
extension JSONWriter {
    /// A decimal of so many units of its last place: `decimal(123, places: 1)` is 12.3; needless zeros are left out.
    package mutating func decimal(_ units: Int, places: Int) {
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
        var fraction = padded.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        let sign = units < 0 ? "-" : ""
        comma()
        bytes.append(contentsOf: "\(sign)\(padded.dropLast(places))\(fraction.isEmpty ? "" : ".")\(fraction)".utf8)
    }

    /// Appends a number of at most 20 digits, the leading ones by recursion.
    mutating func appendDigits(_ magnitude: UInt) {
        if magnitude > 9 { appendDigits(magnitude / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(magnitude % 10))
    }

    /// Whether a control character is among the bytes, a line end for one.
    static func holdsControl(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { text in
            var place = 0
            while place + 8 <= text.count {
                // Eight bytes are there; the load needs no alignment.
                let word = unsafe UInt64(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                if EightBytes.controls(in: word) != 0 { return true }
                place += 8
            }
            // The places are below the count.
            return unsafe text[place...].contains { $0 < 0x20 }
        }
    }

    /// Appends a string in quotes, escaping only what RFC 8259 demands.
    mutating func appendQuoted(_ string: String) {
        bytes.append(UInt8(ascii: "\""))
        var string = string
        // The buffer is read within the call only, at places below its count.
        string.withUTF8 { text in
            var run = 0
            while run < text.count {
                let end = unsafe Self.runEnd(of: UnsafeRawBufferPointer(text), from: run)
                unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[run..<end]))
                if end < text.count { unsafe appendEscape(text[end]) }
                run = end + 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The first place at or after `start` whose byte must be escaped, or the end.
    private static func runEnd(of text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        while place + 8 <= text.count {
            // Eight bytes are there; the load needs no alignment.
            let word = unsafe UInt64(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let escapables = EightBytes.escapables(in: word)
            if escapables != 0 { return place + escapables.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < text.count {
            let byte = unsafe text[place]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            place += 1
        }
        return place
    }

    private mutating func appendEscape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 8: bytes.append(UInt8(ascii: "b"))
        case 9: bytes.append(UInt8(ascii: "t"))
        case 10: bytes.append(UInt8(ascii: "n"))
        case 12: bytes.append(UInt8(ascii: "f"))
        case 13: bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(HexDigit.digit(byte >> 4))
            bytes.append(HexDigit.digit(byte & 15))
        }
    }
}
