import JSON

/// How an API writes JSON: spaces, line ends and escapes.
struct Body: Sendable {
    /// One level of indentation; nil writes everything on one line.
    var indent: String?
    var colon = ":"
    var comma = ","
    var escapesSlash = false
    var escapesAmpersand = false
    /// Written before the value.
    var prefix = ""

    /// Written after the value.
    var suffix = ""
    /// The parameter `callback` names a function that takes the value.
    var takesCallback = false

    static let plain = Body()

    init(indent: String? = nil, colon: String = ":") {
        (self.indent, self.colon) = (indent, colon)
    }

    /// The `style` of an API's file.
    init(_ style: JSONValue?) {
        indent = style?["indent"]?.string
        colon = style?["colon"]?.string ?? ":"
        comma = style?["comma"]?.string ?? ","
        escapesSlash = style?["escapesSlash"]?.bool ?? false
        escapesAmpersand = style?["escapesAmpersand"]?.bool ?? false
        prefix = style?["prefix"]?.string ?? ""
        suffix = style?["suffix"]?.string ?? ""
        takesCallback = style?["takesCallback"]?.bool ?? false
    }

    func bytes(_ value: JSONValue) -> [UInt8] {
        var bytes = Array(prefix.utf8)
        bytes.reserveCapacity(4096)
        append(value, depth: 0, to: &bytes)
        if indent != nil { bytes.append(UInt8(ascii: "\n")) }
        return bytes + suffix.utf8
    }

    private func append(_ value: JSONValue, depth: Int, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let flag): bytes += (flag ? "true" : "false").utf8
        case .number(let number): bytes += number.text.utf8
        case .string(let text): append(text, to: &bytes)
        case .array(let elements):
            list(elements, in: ("[", "]"), depth: depth, to: &bytes) { element, bytes in
                append(element, depth: depth + 1, to: &bytes)
            }
        case .object(let members):
            list(members, in: ("{", "}"), depth: depth, to: &bytes) { member, bytes in
                append(member.name, to: &bytes)
                bytes += colon.utf8
                append(member.value, depth: depth + 1, to: &bytes)
            }
        }
    }

    private func list<Part>(
        _ parts: [Part],
        in brackets: (Character, Character),
        depth: Int,
        to bytes: inout [UInt8],
        each: (Part, inout [UInt8]) -> Void
    ) {
        bytes += brackets.0.utf8
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes += comma.utf8 }
            breakLine(depth: depth + 1, to: &bytes)
            each(part, &bytes)
        }
        if !parts.isEmpty { breakLine(depth: depth, to: &bytes) }
        bytes += brackets.1.utf8
    }

    private func breakLine(depth: Int, to bytes: inout [UInt8]) {
        guard let indent else { return }
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { bytes += indent.utf8 }
    }

    private func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "/") where escapesSlash: bytes += "\\/".utf8
            case UInt8(ascii: "&") where escapesAmpersand: bytes += "\\u0026".utf8
            case 0..<0x20:
                bytes += "\\u00".utf8
                bytes.append("0123456789abcdef".utf8.dropFirst(Int(byte >> 4)).first ?? 48)
                bytes.append("0123456789abcdef".utf8.dropFirst(Int(byte & 15)).first ?? 48)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONValue {
    static func integer(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }

    /// A decimal number of hundredths, without needless zeros.
    static func hundredths(_ number: Int) -> JSONValue {
        let cents = padded(number % 100)
        let fraction = cents == "00" ? "" : cents.hasSuffix("0") ? "." + cents.dropLast() : "." + cents
        return .number(JSONNumber(validatedText: "\(number / 100)\(fraction)"))
    }

    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
