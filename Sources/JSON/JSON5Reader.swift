/// Parses JSON5, the format of configuration files and source files.
///
/// Rejects Infinity, NaN, hexadecimal numbers, escapes in unquoted names, repeated names and unpaired surrogates.
package struct JSON5Reader {
    package static let limits = JSONLimits(depthMax: 64, bytesMax: 1 << 20)

    package static func read(_ bytes: [UInt8]) throws(JSON5Error) -> JSON5Node {
        guard bytes.count <= limits.bytesMax else {
            throw JSON5Error(.tooLong, line: 1, column: 1, "the file is longer than \(limits.bytesMax) bytes")
        }
        var reader = JSON5Reader(bytes)
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            while reader.position < error.byteOffsets.lowerBound { reader.advance() }
            let (line, column) = (reader.line, reader.column)
            throw JSON5Error(.notUTF8, line: line, column: column, "the file is not valid UTF-8 from here")
        }
        try reader.skipBlanks()
        let root: JSON5Node
        do throws(JSON5Error) {
            root = try reader.value()
        } catch {
            let isAtEnd = reader.here == nil && (error.line, error.column) == (reader.line, reader.column)
            throw isAtEnd ? reader.unclosed ?? error : error
        }
        try reader.skipBlanks()
        guard reader.here == nil else {
            throw reader.error("unexpected text after the end; check the brackets")
        }
        return root
    }

    private let bytes: [UInt8]
    private var position = 0
    var line = 1
    var column = 1
    private var depth = 0
    private var lineStart = 0
    /// The error at the first bracket that seems to lack its closing bracket.
    ///
    /// Thrown if the file ends too early.
    private var unclosed: JSON5Error?

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var here: Unicode.Scalar? { peek(0) }

    @inline(__always)
    func peek(_ offset: Int) -> Unicode.Scalar? {
        let index = position + offset
        guard index < bytes.count else { return nil }
        return bytes[index] < 0x80 ? Unicode.Scalar(bytes[index]) : longScalar(at: index)
    }

    private func longScalar(at index: Int) -> Unicode.Scalar? {
        var decoder = UTF8()
        var rest = bytes[index...].makeIterator()
        if case .scalarValue(let scalar) = decoder.decode(&rest) { return scalar }
        return nil
    }

    private func text(from start: Int) -> String {
        String(validated: bytes.span.extracting(start..<position))
    }

    mutating func advance() {
        guard let passed = here else { return }
        position += UTF8.width(passed)
        if passed == "\n" || (passed == "\r" && here != "\n") {
            line += 1
            column = 1
            lineStart = position
        } else {
            column += 1
        }
    }

    func error(_ message: String, _ code: JSONError.Code = .syntax) -> JSON5Error {
        JSON5Error(code, line: line, column: column, here == nil ? "\(message), and the file ends" : message)
    }

    mutating func value() throws(JSON5Error) -> JSON5Node {
        let (line, column) = (line, column)
        return JSON5Node(try unplacedValue(), line: line, column: column)
    }

    private mutating func unplacedValue() throws(JSON5Error) -> JSON5Node.Value {
        switch here {
        case "{": .object(try nested { (reader) throws(JSON5Error) in try reader.object() })
        case "[": .array(try nested { (reader) throws(JSON5Error) in try reader.array() })
        case "\"", "'": .string(try string())
        case "+", "-", ".": .number(try number())
        case let digit? where ("0"..."9").contains(digit): .number(try number())
        default: try word()
        }
    }

    private mutating func nested<Contents>(
        _ body: (inout JSON5Reader) throws(JSON5Error) -> Contents
    ) throws(JSON5Error) -> Contents {
        guard depth < Self.limits.depthMax else {
            throw error("more than \(Self.limits.depthMax) nested arrays and objects", .tooDeep)
        }
        depth += 1
        let start = JSON5Error(line: line, column: column, "this bracket is not closed")
        let indented = indentation
        do throws(JSON5Error) {
            let contents = try body(&self)
            depth -= 1
            // If the indentation differs, the closing bracket was probably meant for another bracket.
            if start.line != line, lineStart + indentation == position - 1, indentation != indented {
                unclosed = unclosed ?? start
            }
            return contents
        } catch {
            if here == nil { unclosed = unclosed ?? start }
            throw error
        }
    }
    private var indentation: Int {
        var end = lineStart
        while end < bytes.count, bytes[end] == UInt8(ascii: " ") || bytes[end] == UInt8(ascii: "\t") { end += 1 }
        return end - lineStart
    }

    private mutating func array() throws(JSON5Error) -> [JSON5Node] {
        advance()
        var elements: [JSON5Node] = []
        try skipBlanks()
        while here != "]" {
            elements.append(try value())
            try separator(before: "]")
        }
        advance()
        return elements
    }

    private mutating func object() throws(JSON5Error) -> [JSON5Member] {
        advance()
        var members: [JSON5Member] = []
        var lines: [String: Int] = [:]
        try skipBlanks()
        while here != "}" {
            let (line, column) = (line, column)
            let name = try name()
            if let first = Self.line(of: name, among: members, &lines) {
                let message = "duplicate member \"\(name)\", first on line \(first)"
                throw JSON5Error(.duplicateName, line: line, column: column, message)
            }
            try skipBlanks()
            guard here == ":" else { throw error("a colon is missing after the name") }
            advance()
            try skipBlanks()
            members.append(JSON5Member(name: name, line: line, column: column, node: try value()))
            try separator(before: "}")
        }
        advance()
        return members
    }

    private static func line(of name: String, among members: [JSON5Member], _ lines: inout [String: Int]) -> Int? {
        guard members.count >= 32 else { return members.first { $0.name == name }?.line }
        for member in members[lines.count...] { lines[member.name] = member.line }
        return lines[name]
    }

    private mutating func separator(before bracket: Unicode.Scalar) throws(JSON5Error) {
        try skipBlanks()
        if here == "," {
            advance()
            try skipBlanks()
        } else if here != bracket {
            throw error("a comma or \"\(bracket)\" is missing")
        }
    }
}

extension JSON5Reader {
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
            throw error("unexpected \"/\"; a comment begins with \"//\" or \"/*\"")
        }
    }

    mutating func name() throws(JSON5Error) -> String {
        if here == "\"" || here == "'" { return try string() }
        let start = position
        while let scalar = here, Self.beginsName(scalar) || (position > start && Self.continuesName(scalar)) {
            advance()
        }
        guard position > start else { throw error("a member name is missing") }
        return text(from: start)
    }

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
                ? "this is a name; a \"{\" is missing before it" : "not a valid value; text needs quotes"
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
        if scalar.isASCII { return UInt8(ascii: scalar).isLetter || scalar == "$" || scalar == "_" }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
        default: false
        }
    }

    private static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return UInt8(ascii: scalar).isDigit }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
        default: scalar == "\u{200C}" || scalar == "\u{200D}"
        }
    }
}

extension JSON5Reader {
    mutating func number() throws(JSON5Error) -> JSONNumber {
        var text = ""
        if here == "+" || here == "-" {
            text = here == "-" ? "-" : ""
            advance()
            if here == "I" || here == "N" { throw error("Infinity and NaN are not accepted as numbers") }
        }
        text += try decimal()
        if let follower = here, follower.properties.isAlphabetic || follower == "_" || follower == "$" {
            throw error("not a valid number; text needs quotes")
        }
        return JSONNumber(validatedText: text)
    }

    private mutating func decimal() throws(JSON5Error) -> String {
        let start = error("a digit is missing")
        let whole = digits()
        if whole.utf8.count > 1, whole.utf8.first == UInt8(ascii: "0") {
            throw JSON5Error(line: start.line, column: start.column, "a number must not begin with a zero")
        }
        var text = whole.isEmpty ? "0" : whole
        var fraction = ""
        if here == "." {
            advance()
            fraction = digits()
        }
        guard !whole.isEmpty || !fraction.isEmpty else { throw start }
        if !fraction.isEmpty { text += "." + fraction }
        if here == "e" || here == "E" {
            text += "e"
            advance()
            if let sign = here, sign == "+" || sign == "-" {
                text.unicodeScalars.append(sign)
                advance()
            }
            let exponent = digits()
            guard !exponent.isEmpty else { throw error("a digit is missing") }
            text += exponent
        }
        return text
    }

    private mutating func digits() -> String {
        let start = position
        while let digit = here, ("0"..."9").contains(digit) { advance() }
        return text(from: start)
    }
}

extension JSON5Reader {
    mutating func string() throws(JSON5Error) -> String {
        let start = error("this string is never closed")
        let quote = here
        advance()
        var text = ""
        var plainStart = position
        while let scalar = here {
            if scalar == quote {
                text += self.text(from: plainStart)
                advance()
                return text
            }
            if scalar == "\\" {
                text += self.text(from: plainStart)
                if let escaped = try escape() { text.unicodeScalars.append(escaped) }
                plainStart = position
            } else if scalar == "\n" || scalar == "\r" {
                throw error("a string must end on its line; use \\n, or a backslash at the end of the line")
            } else {
                advance()
            }
        }
        throw start
    }

    /// Returns nil if a line end is escaped.
    ///
    /// The string then continues on the next line.
    private mutating func escape() throws(JSON5Error) -> Unicode.Scalar? {
        let start = error("unknown escape")
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
        throw JSON5Error(line: start.line, column: start.column, "unpaired surrogate")
    }

    mutating func hexadecimal(digits: Int) throws(JSON5Error) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let scalar = here, scalar.isASCII, let digit = UInt8(ascii: scalar).hexValue else {
                throw error("expected \(digits) hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        return value
    }
}
