/// Strings and their escapes.
extension JSON5Reader {
    mutating func string() throws(JSON5Error) -> String {
        let start = error("this string is never closed")
        let quote = here
        advance()
        var text = String.UnicodeScalarView()
        while let scalar = here {
            if scalar == quote {
                advance()
                return String(text)
            }
            if scalar == "\\" {
                if let escaped = try escape() { text.append(escaped) }
            } else if scalar == "\n" || scalar == "\r" {
                throw error("a string ends on its line; write \\n, or a backslash at the end of the line")
            } else {
                text.append(scalar)
                advance()
            }
        }
        throw start
    }

    /// The scalar an escape means; nil for an escaped line end, which continues the string.
    private mutating func escape() throws(JSON5Error) -> Unicode.Scalar? {
        let start = error("there is no such escape")
        advance()
        guard let letter = here else { throw start }
        advance()
        switch letter {
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{B}"
        case "0":
            if let digit = here, ("0"..."9").contains(digit) { throw start }
            return "\0"
        case "1"..."9": throw start
        case "x": return Unicode.Scalar(try hexadecimal(digits: 2))
        case "u": return try utf16Escape(at: start)
        case "\r":
            if here == "\n" { advance() }
            return nil
        case "\n", "\u{2028}", "\u{2029}": return nil
        default: return letter
        }
    }

    private mutating func utf16Escape(at start: JSON5Error) throws(JSON5Error) -> Unicode.Scalar {
        let unit = try hexadecimal(digits: 4)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if unit < 0xDC00, here == "\\", peek(1) == "u" {
            advance()
            advance()
            let low = try hexadecimal(digits: 4)
            if (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
            {
                return scalar
            }
        }
        throw JSON5Error(line: start.line, column: start.column, "this is only half of a surrogate pair")
    }

    mutating func hexadecimal(digits: Int) throws(JSON5Error) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let scalar = here, scalar.isASCII, let digit = UInt8(ascii: scalar).hexValue else {
                throw error("\(digits) hexadecimal digits must stand here")
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        return value
    }
}
