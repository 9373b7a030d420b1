import CBytes

/// How strings and decimals become bytes.
extension JSONWriter {
    /// Appends a comma, if one is due, and a number.
    mutating func appendInteger(_ integer: Int) {
        let hasComma = needsComma
        needsComma = true
        // A comma and a sign.
        bytes.append(atMost: ByteRoom.digitsMax + 2) { room in
            if hasComma { room.byte(UInt8(ascii: ",")) }
            if integer < 0 { room.byte(UInt8(ascii: "-")) }
            room.digits(of: UInt64(integer.magnitude))
        }
    }

    /// An array of arrays of the two bounds, none of them below zero.
    package mutating func ranges(_ ranges: [Range<Int>]) {
        comma()
        // Two numbers, two brackets and two commas each, and the outer brackets.
        bytes.append(atMost: ranges.count * (2 * ByteRoom.digitsMax + 4) + 2) { room in
            var separator = UInt8(ascii: "[")
            for range in ranges {
                room.byte(separator)
                room.byte(UInt8(ascii: "["))
                room.digits(of: UInt64(range.lowerBound.magnitude))
                room.byte(UInt8(ascii: ","))
                room.digits(of: UInt64(range.upperBound.magnitude))
                room.byte(UInt8(ascii: "]"))
                separator = UInt8(ascii: ",")
            }
            if ranges.isEmpty { room.byte(separator) }
            room.byte(UInt8(ascii: "]"))
        }
    }

    /// Whether a control character is among the bytes, a line end for one.
    static func holdsControl(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress else { return false }
        // As many bytes are there.
        return unsafe bytes_hold_control(start, text.count)
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
        let hasComma = needsComma
        needsComma = true
        var plain = 0
        bytes.append(atMost: text.count + (name?.utf8CodeUnitCount ?? 0) + 6) { room in
            if hasComma { room.byte(UInt8(ascii: ",")) }
            room.byte(UInt8(ascii: "\""))
            if let name {
                room.copy(name)
                room.copy("\":\"")
            }
            // The buffer is copied within the call.
            plain = unsafe room.copyPlain(text)
            if plain == text.count { room.byte(UInt8(ascii: "\"")) }
        }
        if plain < text.count { unsafe appendEscaped(text, from: plain) }
    }

    /// Appends the rest of a string from a byte that must be escaped, and the quote behind it.
    private mutating func appendEscaped(_ text: UnsafeRawBufferPointer, from start: Int) {
        var place = start
        while place < text.count {
            // The place is below the count.
            unsafe appendEscape(text[place])
            let rest = unsafe UnsafeRawBufferPointer(rebasing: text[(place + 1)...])
            place += 1
            bytes.append(atMost: rest.count) { place += unsafe $0.copyPlain(rest) }
        }
        bytes.append(UInt8(ascii: "\""))
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
