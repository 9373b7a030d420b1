import JSON

/// RFC 8259 as plainly as it can be written, slow and recursive: what the index is held against.
///
/// Nil refuses.
struct Oracle {
    static func read(_ bytes: [UInt8]) -> JSONValue? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var oracle = Oracle(rest: Array(text.unicodeScalars)[...])
        guard let value = oracle.element(), oracle.rest.isEmpty else { return nil }
        return value
    }

    private var rest: ArraySlice<Unicode.Scalar>

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest.removeFirst(text.unicodeScalars.count)
        return true
    }

    private mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: isWanted)
        rest.removeFirst(taken.count)
        return String(String.UnicodeScalarView(taken))
    }

    private mutating func blanks() {
        _ = take { " \t\n\r".unicodeScalars.contains($0) }
    }

    private mutating func element() -> JSONValue? {
        blanks()
        guard let value = value() else { return nil }
        blanks()
        return value
    }

    private mutating func value() -> JSONValue? {
        if take("null") { return .null }
        if take("true") { return true }
        if take("false") { return false }
        if take("[") { return array() }
        if take("{") { return object() }
        if rest.first == "\"" { return string().map(JSONValue.string) }
        return number()
    }

    private mutating func array() -> JSONValue? {
        blanks()
        if take("]") { return [] }
        var elements: [JSONValue] = []
        repeat {
            guard let value = element() else { return nil }
            elements.append(value)
        } while take(",")
        return take("]") ? .array(elements) : nil
    }

    private mutating func object() -> JSONValue? {
        blanks()
        if take("}") { return [:] }
        var members: [JSONMember] = []
        repeat {
            blanks()
            guard let name = string() else { return nil }
            blanks()
            guard take(":"), let value = element() else { return nil }
            members.append(JSONMember(name, value))
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var units: [UInt16] = []
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return String(decoding: units, as: UTF16.self)
            case "\0"..."\u{1F}": return nil
            case "\\":
                guard let unit = escape() else { return nil }
                units.append(unit)
            default: units.append(contentsOf: String(scalar).utf16)
            }
        }
        return nil
    }

    private mutating func escape() -> UInt16? {
        if take("u") {
            let digits = rest.prefix(4)
            guard digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }) else {
                return nil
            }
            rest.removeFirst(4)
            return UInt16(String(String.UnicodeScalarView(digits)), radix: 16)
        }
        let meanings: [Unicode.Scalar: UInt16] = [
            "\"": 34, "\\": 92, "/": 47, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        return rest.popFirst().flatMap { meanings[$0] }
    }

    private mutating func number() -> JSONValue? {
        let text = take { "+-.0123456789eE".unicodeScalars.contains($0) }
        let shape = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
        return text.wholeMatch(of: shape) == nil ? nil : .number(JSONNumber(validatedText: text))
    }
}
