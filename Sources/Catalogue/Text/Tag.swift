import JSON

/// An HTML tag, comment or declaration.
struct Tag {
    enum Effect {
        case mark
        /// The content matches the query if the class is `searchmatch`.
        case span
        case breaks
        case hidden
        case none
    }

    let effect: Effect
    /// The last eight bytes of the name in lower case, packed into a number.
    let name: UInt64
    let isClosing: Bool
    let end: Int

    private static let bold: UInt64 = 0x62
    private static let span: UInt64 = 0x7370_616E

    private static let effects: [UInt64: Effect] = {
        var effects: [UInt64: Effect] = [:]
        for name in ["b", "em", "mark"] { effects[packed(name)] = .mark }
        for name in ["script", "style"] { effects[packed(name)] = .hidden }
        // Only the last eight letters of `blockquote` are compared.
        let breaking = [
            "br", "p", "div", "li", "ul", "ol", "tr", "td", "th", "hr", "dd", "dt", "dl", "pre", "h1", "h2", "h3", "h4",
            "h5", "h6", "table", "ockquote",
        ]
        for name in breaking { effects[packed(name)] = .breaks }
        return effects
    }()

    private static func packed(_ name: String) -> UInt64 { name.utf8.reduce(0) { $0 << 8 | UInt64($1) } }

    init?(_ bytes: Span<UInt8>, at start: Int) {
        var index = start + 1
        guard index < bytes.count else { return nil }
        isClosing = bytes[index] == UInt8(ascii: "/")
        if isClosing { index += 1 }
        guard index < bytes.count else { return nil }
        let limit = min(bytes.count, index + TextLimits.tagBytesMax)
        var name: UInt64 = 0
        if bytes[index] != UInt8(ascii: "!"), bytes[index] != UInt8(ascii: "?") {
            guard bytes[index].isLetter else { return nil }
            while index < limit, bytes[index].isLetter || bytes[index].isDigit {
                name = name << 8 | UInt64(bytes[index] | 0x20)
                index += 1
            }
        }
        guard let end = Self.end(bytes, from: index, to: limit) else { return nil }
        self.end = end
        self.name = name
        effect = name == Self.bold ? .mark : name == Self.span ? .span : Self.effects[name] ?? .none
    }

    private static func end(_ bytes: Span<UInt8>, from start: Int, to limit: Int) -> Int? {
        var quote: UInt8 = 0
        for index in start..<max(start, limit) {
            let byte = bytes[index]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            } else if byte == UInt8(ascii: "<") {
                return nil
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), bytes[index - 1] == UInt8(ascii: "=") {
                // A quotation mark begins a value only after `=`.
                quote = byte
            }
        }
        return nil
    }

    func endOfElement(in bytes: Span<UInt8>) -> Int {
        var index = end
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), let tag = Tag(bytes, at: index) {
                if tag.isClosing, tag.name == name { return tag.end }
                index = tag.end
            } else {
                index += 1
            }
        }
        return bytes.count
    }
}
