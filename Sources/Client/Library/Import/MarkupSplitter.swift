import JSON

/// A tag of HTML, or the text between two of them; pure.
struct MarkupPiece {
    /// The line on which it begins.
    let line: Int
    let isTag: Bool
    /// Of a tag without its brackets; nil when it is too long.
    let content: [UInt8]?

    static func all(in file: ArraySlice<UInt8>) -> [MarkupPiece] {
        var pieces: [MarkupPiece] = []
        var (start, isTag, line, startLine) = (file.startIndex, false, 1, 1)
        // What ends the value of an attribute that has begun.
        var quote: UInt8?
        func end(at index: Int) {
            let isTooLong = index - start > ImportRecord.bytesMax
            let piece = MarkupPiece(
                line: startLine,
                isTag: isTag,
                content: isTooLong ? nil : Array(file[start..<index])
            )
            if index > start || isTag { pieces.append(piece) }
            (start, startLine) = (index + 1, line)
        }
        for index in file.indices {
            let byte = file[index]
            if byte == UInt8(ascii: "\n") { line += 1 }
            if byte == UInt8(ascii: "<"), !isTag {
                end(at: index)
                (isTag, quote) = (true, nil)
            } else if byte == UInt8(ascii: ">"), isTag, quote == nil {
                end(at: index)
                isTag = false
            } else if byte == quote {
                quote = nil
            } else if isTag, quote == nil, index > start, file[index - 1] == UInt8(ascii: "="), MarkupTag.isQuote(byte)
            {
                quote = byte
            }
        }
        return pieces
    }
}

/// A tag: its name, and its attributes with their values; pure.
struct MarkupTag {
    /// In small letters, with the slash of one that ends.
    let name: String
    private var attributes: [(name: String, value: String)] = []

    init(_ content: String) {
        var rest = Substring(content).utf8
        func blank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let word = rest.prefix { !blank($0) }
        name = String(Substring(word)).lowercased()
        rest = rest.dropFirst(word.count)
        while true {
            rest = rest.drop(while: blank)
            let key = rest.prefix { !blank($0) && $0 != UInt8(ascii: "=") }
            guard !rest.isEmpty else { break }
            rest = rest.dropFirst(max(1, key.count))
            guard rest.first == UInt8(ascii: "=") else {
                if !key.isEmpty { attributes.append((String(Substring(key)).lowercased(), "")) }
                continue
            }
            rest = rest.dropFirst()
            let quote = rest.first.flatMap { Self.isQuote($0) ? $0 : nil }
            if quote != nil { rest = rest.dropFirst() }
            let value = rest.prefix { byte in quote.map { byte != $0 } ?? !blank(byte) }
            rest = rest.dropFirst(value.count + (quote == nil ? 0 : 1))
            attributes.append((String(Substring(key)).lowercased(), Entities.decoded(String(Substring(value)))))
        }
    }

    /// What values stand in.
    static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    /// The value of an attribute, empty for one without; nil when it is not there.
    subscript(name: String) -> String? {
        attributes.first { $0.name.hasSameBytes(as: name) }?.value
    }
}

/// The entities of HTML that bookmark files have; pure.
enum Entities {
    private static let named: [(name: String, scalar: Unicode.Scalar)] = [
        ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("nbsp", "\u{A0}"),
    ]
    private static let bytesMax = 10

    /// The text with entities decoded; what is no entity stays as it is.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var decoded = String.UnicodeScalarView()
        var rest = Substring(text).unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "&" else {
                decoded.append(scalar)
                continue
            }
            let name = rest.prefix(bytesMax).prefix { $0 != ";" && $0 != "&" }
            let end = rest.index(rest.startIndex, offsetBy: name.count)
            guard end < rest.endIndex, rest[end] == ";", let meant = meant(String(Substring(name))) else {
                decoded.append(scalar)
                continue
            }
            decoded.append(meant)
            rest = rest[rest.index(after: end)...]
        }
        return String(decoded)
    }

    private static func meant(_ name: String) -> Unicode.Scalar? {
        if let known = named.first(where: { $0.name.hasSameBytes(as: name) }) { return known.scalar }
        guard name.utf8.first == UInt8(ascii: "#") else { return nil }
        let digits = String(Substring(name.utf8.dropFirst()))
        let isHex = digits.utf8.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        return UInt32(isHex ? String(Substring(digits.utf8.dropFirst())) : digits, radix: isHex ? 16 : 10)
            .flatMap(Unicode.Scalar.init)
    }
}
