import JSON

/// Codes: each stands for one character, which may be a letter, something invisible, or the beginning of another code.
extension DisguiseScan {
    private static let ampersand = Array("amp;".utf8)
    private static let numberSign = Array("#".utf8)
    private static let encodedNumberSign = Array("%23".utf8)
    private static let invisibleNames = ["shy;", "zwj;", "zwnj;"].map { Array($0.utf8) }

    /// `%61`, `%2561`, `%26#97;`, `a%C2%ADb`.
    @inline(__always) func percentCodeHides(_ text: Span<UInt8>, at offset: Int) -> Bool {
        guard var code = text.hexPair(at: offset + 1) else { return false }
        var end = offset + 3
        while code == UInt8(ascii: "%"), let inner = text.hexPair(at: end) {
            code = inner
            end += 2
        }
        switch code {
        case UInt8(ascii: "#"): return offset > 0 && text[offset - 1] == UInt8(ascii: "&")
        case UInt8(ascii: "&"):
            return text.holds(Self.numberSign, at: end) || text.holds(Self.encodedNumberSign, at: end)
        case 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xEF, 0xF0...:
            // Of a character that is encoded twice only the first byte is known.
            guard end == offset + 3 else { return Self.isWord(text, before: offset) }
            guard let (scalar, _) = UnveiledText.percent(text, at: offset) else { return false }
            return codeHides(scalar, text, wordEnd: offset)
        default: return code.isLetter || code.isDigit
        }
    }

    /// `&#97;`, `&#x61;`, `&amp;#97;`, `a&shy;b`; from behind the ampersand, however that is written.
    func entityHides(_ text: Span<UInt8>, at start: Int, wordEnd: Int) -> Bool {
        guard start < text.count, "#asz".utf8.contains(text[start]) else { return false }
        var offset = start
        while text.holds(Self.ampersand, at: offset) { offset += Self.ampersand.count }
        guard offset < text.count else { return false }
        guard text[offset] == UInt8(ascii: "#") else {
            return Self.invisibleNames.contains { text.holds($0, at: offset) } && Self.isWord(text, before: wordEnd)
        }
        let (value, end) = Self.entityNumber(text, at: offset + 1)
        switch value {
        case UInt32(UInt8(ascii: "&")):
            return text.holds(Self.numberSign, at: end + 1) || text.holds(Self.ampersand, at: end + 1)
        case UInt32(UInt8(ascii: "%")): return true
        default: return codeHides(value, text, wordEnd: wordEnd)
        }
    }

    /// The value of an entity's digits, behind its `#`, and where they end.
    private static func entityNumber(_ text: Span<UInt8>, at start: Int) -> (value: UInt32, end: Int) {
        let isHexadecimal = start < text.count && text[start] | 0x20 == UInt8(ascii: "x")
        let base: UInt32 = isHexadecimal ? 16 : 10
        var value: UInt32 = 0
        var offset = isHexadecimal ? start + 1 : start
        while offset < text.count, let digit = text[offset].hexValue, digit < base {
            value = min(value * base + UInt32(digit), 0x11_0000)
            offset += 1
        }
        return (value, offset)
    }

    /// `\u0061`, and another code that such an escape begins.
    func escapeHides(_ text: Span<UInt8>, at offset: Int) -> Bool {
        guard offset + 1 < text.count, text[offset + 1] == UInt8(ascii: "u"), let high = text.hexPair(at: offset + 2),
            let low = text.hexPair(at: offset + 4)
        else { return false }
        guard high == 0 else { return codeHides(UInt32(high) << 8 | UInt32(low), text, wordEnd: offset) }
        switch low {
        case UInt8(ascii: "&"): return entityHides(text, at: offset + 6, wordEnd: offset)
        case UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "\\"): return true
        case UInt8(ascii: "<"): return tagsSplit(text, at: offset)
        default: return codeHides(UInt32(low), text, wordEnd: offset)
        }
    }

    /// Whether a character that is written as a code is a letter, or is invisible and splits a word.
    private func codeHides(_ scalar: UInt32, _ text: Span<UInt8>, wordEnd: Int) -> Bool {
        if let byte = UInt8(exactly: scalar), byte < 0x80 { return byte.isLetter || byte.isDigit }
        if UnveiledText.narrowed(scalar) != nil { return true }
        return UnveiledText.isInvisible(scalar) && Self.isWord(text, before: wordEnd)
    }

    /// Whether a word, or a tag that may stand in one, ends before an offset.
    static func isWord(_ text: Span<UInt8>, before offset: Int) -> Bool {
        guard offset > 0 else { return false }
        let byte = text[offset - 1]
        return byte.isLetter || byte.isDigit || byte == UInt8(ascii: ">")
    }
}
