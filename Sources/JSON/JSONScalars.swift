import Glibc

enum JSONString {
    /// Decodes the escapes of a string in a valid JSON text.
    ///
    /// Unpaired surrogates become U+FFFD.
    static func unescape(_ escaped: UnsafeRawBufferPointer, into plain: inout [UInt8]) {
        plain.reserveCapacity(plain.count + escaped.count)
        var index = 0
        while index < escaped.count {
            let backslash = unsafe firstBackslash(in: escaped, from: index)
            // The string was validated, so each backslash begins a complete escape.
            unsafe plain.append(contentsOf: UnsafeRawBufferPointer(rebasing: escaped[index..<backslash]))
            guard backslash < escaped.count else { break }
            let letter = unsafe escaped[backslash + 1]
            guard letter == UInt8(ascii: "u") else {
                plain.append(short(letter))
                index = backslash + 2
                continue
            }
            var value = unsafe fourDigits(escaped, at: backslash + 2)
            index = backslash + 6
            if (0xD800...0xDBFF).contains(value), index + 6 <= escaped.count,
                unsafe escaped[index] == UInt8(ascii: "\\"), unsafe escaped[index + 1] == UInt8(ascii: "u")
            {
                let low = unsafe fourDigits(escaped, at: index + 2)
                if (0xDC00...0xDFFF).contains(low) {
                    value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
                    index += 6
                }
            }
            let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
            plain.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    private static func firstBackslash(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let address = text.baseAddress, start < text.count else { return text.count }
        // The bytes are within the buffer.
        let found = unsafe memchr(address + start, Int32(UInt8(ascii: "\\")), text.count - start)
        return unsafe found.map { unsafe UnsafeRawPointer($0) - address } ?? text.count
    }

    private static func fourDigits(_ escaped: UnsafeRawBufferPointer, at start: Int) -> UInt32 {
        // Each access to the buffer is bounds-checked.
        (0..<4).reduce(0) { unsafe $0 << 4 | UInt32(escaped[start + $1].hexValue ?? 0) }
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
}

package struct JSONNumber: Equatable, Sendable {
    package let text: String

    package init(_ integer: some FixedWidthInteger) {
        text = String(integer)
    }

    package init?(_ double: Double) {
        guard double.isFinite else { return nil }
        let written = double.description
        text = written.hasSuffix(".0") ? String(written.dropLast(2)) : written
    }

    package init(validatedText text: String) {
        self.text = text
    }

    /// Nil if the number has a fraction or an exponent, or is out of range.
    package var int: Int? { Int(text) }

    package var double: Double { Double(text) ?? .nan }
}
