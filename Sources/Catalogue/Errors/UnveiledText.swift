import JSON

/// A text with layers of encoding removed, as a reader, a browser or another program would see it, and where each of
/// its bytes comes from.
///
/// Entities, escapes and percent codes are decoded, wide letters are narrowed, invisible characters are dropped, and
/// tags too on request.
struct UnveiledText {
    private(set) var bytes: [UInt8] = []
    /// For each byte the range of the text that it was made of, as its two ends.
    private var starts: [Int32] = []
    private var ends: [Int32] = []

    /// The text as it stands.
    init(_ text: Span<UInt8>) {
        for offset in 0..<text.count { append(text[offset], from: Int32(offset), to: Int32(offset + 1)) }
    }

    /// The text of a JSON string as it is written between its quotes; no range splits an escape.
    init(json text: Span<UInt8>) {
        var offset = 0
        while offset < text.count {
            if text[offset] == UInt8(ascii: "\\"), let code = Self.escape(text, at: offset) {
                append(code.scalar, from: Int32(offset), to: Int32(code.end))
                offset = code.end
            } else {
                append(text[offset], from: Int32(offset), to: Int32(offset + 1))
                offset += 1
            }
        }
    }

    private init() {}

    /// Where the bytes of a range come from.
    func source(of range: Range<Int>) -> Range<Int> {
        Int(starts[range.lowerBound])..<Int(ends[range.upperBound - 1])
    }

    /// The text with one more layer removed; nil when it has none.
    ///
    /// - Complexity: O(n) in bytes.
    func unveiled(droppingTags: Bool) -> UnveiledText? {
        var inner = UnveiledText()
        inner.bytes.reserveCapacity(bytes.count)
        var isChanged = false
        var offset = 0
        let text = bytes.span
        while offset < text.count {
            guard let (scalar, end) = Self.layer(text, at: offset, droppingTags: droppingTags) else {
                inner.append(text[offset], from: starts[offset], to: ends[offset])
                offset += 1
                continue
            }
            isChanged = true
            if let scalar { inner.append(scalar, from: starts[offset], to: ends[end - 1]) }
            offset = end
        }
        return isChanged ? inner : nil
    }

    private mutating func append(_ byte: UInt8, from start: Int32, to end: Int32) {
        bytes.append(byte)
        starts.append(start)
        ends.append(end)
    }

    private mutating func append(_ scalar: UInt32, from start: Int32, to end: Int32) {
        guard scalar >= 0x80 else { return append(UInt8(scalar), from: start, to: end) }
        // Half a surrogate pair is part of no secret.
        let encoded = Unicode.Scalar(scalar).flatMap { UTF8.encode($0) } ?? UTF8.encodedReplacementCharacter
        for byte in encoded { append(byte, from: start, to: end) }
    }

    // MARK: Layers

    /// The scalar that the bytes at an offset stand for, nil where they are not shown, and the offset behind them;
    /// nothing when they stand for themselves.
    private static func layer(
        _ text: Span<UInt8>,
        at offset: Int,
        droppingTags: Bool
    ) -> (scalar: UInt32?, end: Int)? {
        switch text[offset] {
        case UInt8(ascii: "%"): return percent(text, at: offset).map { ($0.scalar, $0.end) }
        case UInt8(ascii: "&"):
            guard let code = Entities.read(text, at: offset) ?? sign(text, at: offset) else { return nil }
            return (code.scalar, code.end)
        case UInt8(ascii: "\\"): return escape(text, at: offset).map { ($0.scalar, $0.end) }
        case UInt8(ascii: "<") where droppingTags: return Tag(text, at: offset).map { (nil, $0.end) }
        case 0xC2...:
            guard let (scalar, end) = scalar(text, at: offset) else { return nil }
            if isInvisible(scalar) { return (nil, end) }
            return narrowed(scalar).map { (UInt32($0), end) }
        default: return nil
        }
    }

    /// The scalar that percent codes spell, of one byte or as many as it has, and where they end.
    static func percent(_ text: Span<UInt8>, at offset: Int) -> (scalar: UInt32, end: Int)? {
        guard let lead = code(text, at: offset) else { return nil }
        guard lead >= 0x80 else { return (UInt32(lead), offset + 3) }
        guard lead >= 0xC2 else { return nil }
        let count = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var scalar = UInt32(lead) & (0x7F >> UInt32(count))
        for index in 1..<count {
            guard let byte = code(text, at: offset + index * 3), byte & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        return (scalar, offset + count * 3)
    }

    private static func code(_ text: Span<UInt8>, at offset: Int) -> UInt8? {
        guard offset < text.count, text[offset] == UInt8(ascii: "%") else { return nil }
        return text.hexPair(at: offset + 1)
    }

    /// The scalar or half of a surrogate pair that an escape of JSON stands for.
    private static func escape(_ text: Span<UInt8>, at offset: Int) -> (scalar: UInt32, end: Int)? {
        guard offset + 1 < text.count else { return nil }
        switch text[offset + 1] {
        case UInt8(ascii: "u"):
            guard let high = text.hexPair(at: offset + 2),
                let low = text.hexPair(at: offset + 4)
            else { return nil }
            return (UInt32(high) << 8 | UInt32(low), offset + 6)
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
            return (0x20, offset + 2)
        case let byte where byte < 0x80: return (UInt32(byte), offset + 2)
        default: return nil
        }
    }

    /// The entities of ASCII signs that sources do not use, but that may hide a sign of a secret.
    private static func sign(_ text: Span<UInt8>, at offset: Int) -> (scalar: UInt32, end: Int)? {
        for (name, sign) in signs where text.holds(name, at: offset + 1) { return (sign, offset + 1 + name.count) }
        return nil
    }

    private static let signs: [(name: [UInt8], sign: UInt32)] = [
        ("sol;", "/"), ("bsol;", "\\"), ("plus;", "+"), ("equals;", "="), ("lowbar;", "_"), ("period;", "."),
        ("comma;", ","), ("colon;", ":"), ("semi;", ";"), ("dash;", "-"), ("hyphen;", "-"), ("num;", "#"),
        ("percnt;", "%"), ("commat;", "@"), ("ast;", "*"), ("excl;", "!"), ("quest;", "?"), ("dollar;", "$"),
        ("lpar;", "("), ("rpar;", ")"), ("lsqb;", "["), ("rsqb;", "]"), ("lcub;", "{"), ("rcub;", "}"),
        ("verbar;", "|"), ("Hat;", "^"), ("grave;", "`"),
    ].map { (name: String, sign: Unicode.Scalar) in (Array(name.utf8), sign.value) }

    // MARK: Characters

    /// The scalar of several bytes at an offset, and where it ends; nil where none is.
    static func scalar(_ text: Span<UInt8>, at offset: Int) -> (scalar: UInt32, end: Int)? {
        guard offset < text.count, text[offset] >= 0xC2 else { return nil }
        let lead = text[offset]
        let count = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard offset + count <= text.count else { return nil }
        var scalar = UInt32(lead) & (0x7F >> UInt32(count))
        for index in offset + 1..<offset + count {
            guard text[index] & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(text[index] & 0x3F)
        }
        return (scalar, offset + count)
    }

    /// Whether a scalar is not shown, so that the letters beside it look like one word.
    static func isInvisible(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x034F, 0x200C...0x200D, 0xFE00...0xFE0F: true
        case 0x80...: ScalarClass(scalar) == .removed
        default: false
        }
    }

    /// The ASCII character that a wide one stands for; nil for any other scalar.
    static func narrowed(_ scalar: UInt32) -> UInt8? {
        (0xFF01...0xFF5E).contains(scalar) ? UInt8(scalar - 0xFF01 + 0x21) : nil
    }
}
