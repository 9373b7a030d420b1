import CBytes

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
    static func holdsControl(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress else { return false }
        var place = 0
        while place + 16 <= text.count {
            // Sixteen bytes are there.
            if unsafe bytes_controls(start + place) != 0 { return true }
            place += 16
        }
        // The places are below the count.
        return unsafe text[place...].contains { $0 < 0x20 }
    }

    /// Turns the line ends among some bytes into blanks.
    static func blankLineEnds(_ text: UnsafeMutableRawBufferPointer) {
        guard let start = text.baseAddress else { return }
        var place = 0
        while place + 16 <= text.count {
            // Sixteen bytes are there.
            unsafe bytes_blank_line_ends(start + place)
            place += 16
        }
        while place < text.count {
            // The place is below the count.
            let byte = unsafe text[place]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { unsafe text[place] = UInt8(ascii: " ") }
            place += 1
        }
    }

    /// Appends a string in quotes, escaping only what RFC 8259 demands.
    mutating func appendQuoted(_ string: String) {
        let text = string.utf8.span
        // The buffer is read within the call only.
        unsafe text.withUnsafeBytes { unsafe appendQuoted($0) }
    }

    /// The same of a buffer of UTF-8.
    mutating func appendQuoted(_ text: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        var run = 0
        while run < text.count {
            // The places are at most the count.
            let end = unsafe Self.runEnd(of: text, from: run)
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[run..<end]))
            if end < text.count { unsafe appendEscape(text[end]) }
            run = end + 1
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The first place at or after `start` whose byte must be escaped, or the end.
    private static func runEnd(of text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        while let address = text.baseAddress, place + 16 <= text.count {
            // Sixteen bytes are there.
            let escapables = unsafe bytes_escapable(address + place)
            if escapables != 0 { return place + escapables.trailingZeroBitCount }
            place += 16
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
