import JSON

/// A tag of HTML, as far as plain text cares.
struct Tag {
    /// What a tag does to the text around it.
    enum Effect {
        /// Its content matched the query.
        case mark
        /// Opens or closes a mark only when its attributes say so.
        case span
        /// Parts the words around it.
        case breaks
        /// Its content is not text.
        case hidden
        case none
    }

    private static let bold: UInt64 = 0x62

    let effect: Effect
    /// The lower-case name, packed big end first; of a name over eight bytes the last eight.
    let name: UInt64
    let isClosing: Bool
    /// After the `>`.
    let end: Int

    /// Reads the tag, comment or declaration at a `<`; nil when the `<` stands for itself.
    ///
    /// - Complexity: O(length of the tag), at most `TextLimits.tagBytesMax`.
    @inline(__always)
    init?(_ bytes: Span<UInt8>, at start: Int) {
        // With this one, and nearly with no other, sources mark what matched.
        if start + 2 < bytes.count, bytes[start + 1] == UInt8(ascii: "b"), bytes[start + 2] == UInt8(ascii: ">") {
            self.init(name: Self.bold, effect: .mark, isClosing: false, end: start + 3)
        } else if start + 3 < bytes.count, bytes[start + 1] == UInt8(ascii: "/"), bytes[start + 2] == UInt8(ascii: "b"),
            bytes[start + 3] == UInt8(ascii: ">")
        {
            self.init(name: Self.bold, effect: .mark, isClosing: true, end: start + 4)
        } else {
            self.init(any: bytes, at: start)
        }
    }

    private init(name: UInt64, effect: Effect, isClosing: Bool, end: Int) {
        self.name = name
        self.effect = effect
        self.isClosing = isClosing
        self.end = end
    }

    private init?(any bytes: Span<UInt8>, at start: Int) {
        var index = start + 1
        guard index < bytes.count else { return nil }
        isClosing = bytes[index] == UInt8(ascii: "/")
        if isClosing { index += 1 }
        guard index < bytes.count else { return nil }
        let limit = min(bytes.count, index + TextLimits.tagBytesMax)
        if bytes[index] == UInt8(ascii: "!") || bytes[index] == UInt8(ascii: "?") {
            name = 0
            effect = .none
        } else {
            guard bytes[index].isLetter else { return nil }
            var name: UInt64 = 0
            while index < limit, bytes[index].isLetter || bytes[index].isDigit {
                name = name << 8 | UInt64(bytes[index] | 0x20)
                index += 1
            }
            self.name = name
            effect = Self.effect(of: name)
        }
        // Most have no attributes.
        if index < limit, bytes[index] == UInt8(ascii: ">") {
            end = index + 1
        } else {
            guard let end = Self.end(bytes, from: index, to: limit) else { return nil }
            self.end = end
        }
    }

    /// Behind the `>` that ends the tag, from behind its name.
    private static func end(_ bytes: Span<UInt8>, from start: Int, to limit: Int) -> Int? {
        var quote: UInt8 = 0
        var index = start
        while index < limit {
            let byte = bytes[index]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                // A quotation mark begins an attribute's value only after a `=`.
                if bytes[index - 1] == UInt8(ascii: "=") { quote = byte }
            } else if byte == UInt8(ascii: "<") {
                return nil
            }
            index += 1
        }
        return nil
    }

    private static func effect(of name: UInt64) -> Effect {
        switch name {
        case bold, 0x65_6D, 0x6D61_726B: .mark  // b, em, mark
        case 0x7370_616E: .span  // span
        case 0x7363_7269_7074, 0x73_7479_6C65: .hidden  // script, style
        case 0x6272, 0x70, 0x6469_76, 0x6C69, 0x756C, 0x6F6C, 0x7472, 0x7464, 0x7468, 0x6872, 0x6464, 0x6474, 0x646C,
            0x70_7265:  // br, p, div, li, ul, ol, tr, td, th, hr, dd, dt, dl, pre
            .breaks
        case 0x6831...0x6836: .breaks  // h1 to h6
        case 0x7461_626C_65, 0x6F63_6B71_756F_7465: .breaks  // table, blockquote
        default: .none
        }
    }
}

extension Tag {
    /// Whether it has the class that MediaWiki gives to what matched.
    static func isSearchMatch(_ tag: Span<UInt8>) -> Bool {
        ByteText.index(of: "searchmatch".utf8.span, in: tag) != nil
    }

    /// Behind the closing tag of the same name; of an element that is never closed, the end of the text.
    ///
    /// - Complexity: O(n) in the bytes that follow.
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
