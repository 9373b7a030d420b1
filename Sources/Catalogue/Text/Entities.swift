import JSON

/// Decodes HTML character references.
enum Entities {
    static func read(_ bytes: Span<UInt8>, at start: Int) -> (scalar: UInt32, end: Int)? {
        let limit = min(bytes.count, start + TextLimits.entityBytesMax)
        var end = start + 1
        while end < limit, bytes[end] != UInt8(ascii: ";") { end += 1 }
        guard end < limit, end > start + 1 else { return nil }
        if bytes[start + 1] == UInt8(ascii: "#") {
            guard let scalar = number(bytes, from: start + 2, to: end) else { return nil }
            return (scalar, end + 1)
        }
        guard end - start - 1 <= 8 else { return nil }
        var name: UInt64 = 0
        for index in start + 1..<end { name = name << 8 | UInt64(bytes[index]) }
        guard let scalar = named[name] else { return nil }
        return (scalar, end + 1)
    }

    /// A number that is not a valid character becomes 0, which is removed later.
    private static func number(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> UInt32? {
        guard start < end else { return nil }
        let isHexadecimal = bytes[start] | 0x20 == UInt8(ascii: "x")
        let first = isHexadecimal ? start + 1 : start
        guard first < end else { return nil }
        var value: UInt32 = 0
        for index in first..<end {
            guard let digit = bytes[index].hexValue, digit < (isHexadecimal ? 16 : 10) else { return nil }
            value = min(value * (isHexadecimal ? 16 : 10) + UInt32(digit), 0x11_0000)
        }
        if (0x80...0x9F).contains(value) { return windows1252[Int(value - 0x80)] }
        return Unicode.Scalar(value) == nil ? 0 : value
    }

    /// Browsers read the numbers 128 to 159 as Windows-1252.
    private static let windows1252 =
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars.map(\.value)

    /// The keys are names of at most eight bytes, packed in big-endian order.
    private static let named: [UInt64: UInt32] = {
        let words = """
            amp & lt < gt > quot " apos ' nbsp \u{A0} iexcl ¡ cent ¢ pound £ yen ¥ euro € sect § copy © reg ® trade ™
            deg ° plusmn ± times × divide ÷ frac12 ½ frac14 ¼ frac34 ¾ sup2 ² sup3 ³ micro µ para ¶ middot · laquo «
            raquo » iquest ¿ shy \u{AD} ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ lsaquo ‹
            rsaquo › bull • hellip … prime ′ Prime ″ dagger † Dagger ‡ permil ‰ ensp \u{2002} emsp \u{2003}
            thinsp \u{2009} zwnj \u{200C} zwj \u{200D} larr ← uarr ↑ rarr → darr ↓ harr ↔ infin ∞ ne ≠ le ≤ ge ≥
            asymp ≈ minus − radic √ sum ∑ hearts ♥ spades ♠ clubs ♣ diams ♦ star ☆ starf ★ szlig ß agrave à aacute á
            acirc â atilde ã auml ä aring å aelig æ ccedil ç egrave è eacute é ecirc ê euml ë iacute í icirc î iuml ï
            ntilde ñ ograve ò oacute ó ocirc ô otilde õ ouml ö oslash ø ugrave ù uacute ú ucirc û uuml ü Agrave À
            Aacute Á Auml Ä Aring Å AElig Æ Ccedil Ç Eacute É Egrave È Ntilde Ñ Oacute Ó Ouml Ö Oslash Ø Uuml Ü
            """
            .unicodeScalars.split { $0 == " " || $0 == "\n" }
        var table: [UInt64: UInt32] = [:]
        for index in stride(from: 0, to: words.count, by: 2) {
            table[words[index].reduce(UInt64(0)) { $0 << 8 | UInt64($1.value) }] = words[index + 1].first?.value
        }
        return table
    }()
}
