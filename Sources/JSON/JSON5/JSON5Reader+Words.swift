/// Blanks, comments, names and literal words.
extension JSON5Reader {
    /// Goes past blanks, line ends and comments.
    mutating func skipBlanks() throws(JSON5Error) {
        while let scalar = here {
            if scalar == "/" {
                try comment()
            } else if Self.isBlank(scalar) {
                advance()
            } else {
                return
            }
        }
    }

    private mutating func comment() throws(JSON5Error) {
        let start = error("this comment is never closed")
        switch peek(1) {
        case "/":
            while let scalar = here, !Self.isLineEnd(scalar) { advance() }
        case "*":
            advance()
            advance()
            while here != "*" || peek(1) != "/" {
                guard here != nil else { throw start }
                advance()
            }
            advance()
            advance()
        default:
            throw error("a lone \"/\" means nothing; a comment begins with \"//\" or \"/*\"")
        }
    }

    /// A member's name: in quotes, or bare as ECMAScript 5 writes identifiers.
    mutating func name() throws(JSON5Error) -> String {
        if here == "\"" || here == "'" { return try string() }
        var name = String.UnicodeScalarView()
        while let scalar = here {
            if scalar == "\\" {
                name.append(try nameEscape(in: name))
            } else if accepts(scalar, in: name) {
                name.append(scalar)
                advance()
            } else {
                break
            }
        }
        guard !name.isEmpty else { throw error("a member name is missing") }
        return String(name)
    }

    private mutating func nameEscape(in name: String.UnicodeScalarView) throws(JSON5Error) -> Unicode.Scalar {
        let start = error("this character can't stand in a bare name; put the name in quotes")
        guard peek(1) == "u" else { throw start }
        advance()
        advance()
        guard let scalar = Unicode.Scalar(try hexadecimal(digits: 4)), accepts(scalar, in: name) else { throw start }
        return scalar
    }

    private func accepts(_ scalar: Unicode.Scalar, in name: String.UnicodeScalarView) -> Bool {
        Self.beginsName(scalar) || (!name.isEmpty && Self.continuesName(scalar))
    }

    /// `true`, `false` or `null`.
    mutating func word() throws(JSON5Error) -> JSON5Node.Value {
        let missing = error("a value is missing")
        guard let first = here, Self.beginsName(first) else { throw missing }
        switch try name() {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case "Infinity", "NaN":
            throw JSON5Error(line: missing.line, column: missing.column, "Infinity and NaN are not accepted as numbers")
        default:
            try skipBlanks()
            let what =
                here == ":"
                ? "this is a name; a \"{\" is missing before it" : "this word is no value; text needs quotes"
            throw JSON5Error(line: missing.line, column: missing.column, what)
        }
    }

    static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\t", "\u{B}", "\u{C}", "\u{A0}", "\u{FEFF}": true
        default: isLineEnd(scalar) || (!scalar.isASCII && scalar.properties.generalCategory == .spaceSeparator)
        }
    }

    private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
        // Looking up the category of a scalar is slow, and nearly all of them are these.
        if case "a"..."z" = scalar { return true }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
        default: scalar == "$" || scalar == "_"
        }
    }

    private static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
        default: scalar == "\u{200C}" || scalar == "\u{200D}"
        }
    }
}
