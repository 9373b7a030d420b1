@_spi(_Unicode) import Swift

/// The plain letters that readers look a letter up under: without accents, in lower case.
enum PlainLetters {
    /// Latin letters that no accent makes, and their spellings.
    private static let spellings: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ß": ["s", "s"], "æ": ["a", "e"], "œ": ["o", "e"], "ø": ["o"], "ð": ["d"], "đ": ["d"], "ł": ["l"],
        "þ": ["t", "h"], "ı": ["i"], "ħ": ["h"],
    ]

    /// Those of a letter, in their order; none for a lone accent.
    static func of(_ letter: Unicode.Scalar) -> [Unicode.Scalar] {
        if letter.isASCII {
            return [("A"..."Z").contains(letter) ? Unicode.Scalar(UInt8(letter.value) | 0x20) : letter]
        }
        return String(letter)._nfd.flatMap { base -> [Unicode.Scalar] in
            guard base.properties.generalCategory != .nonspacingMark else { return [] }
            return base.properties.lowercaseMapping.unicodeScalars.flatMap { spellings[$0] ?? [$0] }
        }
    }
}
