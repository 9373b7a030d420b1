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

    /// Appends a comma, if one is due, and a number of at most 20 digits.
    mutating func appendInteger(_ integer: Int) {
        let hasComma = needsComma
        bytes.append(addingCapacity: 22) { output in
            if hasComma { output.append(UInt8(ascii: ",")) }
            if integer < 0 { output.append(UInt8(ascii: "-")) }
            Self.appendDigits(integer.magnitude, to: &output)
        }
        needsComma = true
    }

    /// An array of arrays of the two bounds, none of them below zero.
    package mutating func ranges(_ ranges: [Range<Int>]) {
        comma()
        // Two numbers of at most 19 digits, two brackets and two commas each, and the outer brackets.
        bytes.append(addingCapacity: ranges.count * 42 + 2) { output in
            var separator = UInt8(ascii: "[")
            for range in ranges {
                output.append(separator)
                output.append(UInt8(ascii: "["))
                Self.appendDigits(range.lowerBound.magnitude, to: &output)
                output.append(UInt8(ascii: ","))
                Self.appendDigits(range.upperBound.magnitude, to: &output)
                output.append(UInt8(ascii: "]"))
                separator = UInt8(ascii: ",")
            }
            if ranges.isEmpty { output.append(separator) }
            output.append(UInt8(ascii: "]"))
        }
    }

    /// The leading digits by recursion.
    private static func appendDigits(_ magnitude: UInt, to output: inout OutputSpan<UInt8>) {
        if magnitude > 9 { appendDigits(magnitude / 10, to: &output) }
        output.append(UInt8(ascii: "0") + UInt8(magnitude % 10))
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

    /// Appends a comma, if one is due, and a string of UTF-8 in quotes, escaping only what RFC 8259 demands.
    ///
    /// Before it may stand a member's name, which needs no escapes.
    mutating func appendQuoted(_ text: UnsafeRawBufferPointer, after name: StaticString? = nil) {
        // The place is at most the count, and the buffers are copied within the call.
        let end = unsafe Self.runEnd(of: text, from: 0)
        let hasComma = needsComma
        needsComma = true
        bytes.append(addingCapacity: text.count + (name?.utf8CodeUnitCount ?? 0) + 6) { output in
            if hasComma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            if let name {
                // The literal lives as long as the program.
                unsafe output.append(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
                output.append(UInt8(ascii: "\""))
                output.append(UInt8(ascii: ":"))
                output.append(UInt8(ascii: "\""))
            }
            unsafe output.append(UnsafeRawBufferPointer(rebasing: text[..<end]))
            if end == text.count { output.append(UInt8(ascii: "\"")) }
        }
        if end < text.count { unsafe appendEscaped(text, from: end) }
    }

    /// Appends the rest of a string from its first byte that must be escaped, and the quote behind it.
    private mutating func appendEscaped(_ text: UnsafeRawBufferPointer, from start: Int) {
        var run = start
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
        if let address = text.baseAddress, text.count >= 16, place < text.count {
            // The last sixteen bytes are there; those before the place are shifted out.
            let escapables = unsafe bytes_escapable(address + text.count - 16) >> UInt32(16 - (text.count - place))
            return escapables == 0 ? text.count : place + escapables.trailingZeroBitCount
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
