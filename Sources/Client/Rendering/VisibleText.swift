/// Escapes control characters in text from the web, so that a terminal can show it safely.
package enum VisibleText {
    /// Enough for every script and emoji.
    package static let scalarsPerGraphemeMax = 24

    package static func visible(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        return graphemes(text).map(\.text).joined()
    }

    package static func graphemes(_ text: String) -> [(text: String, scalars: Int)] {
        var pieces: [(text: String, scalars: Int)] = []
        for grapheme in text {
            let scalars = grapheme.unicodeScalars
            if scalars.count <= scalarsPerGraphemeMax, isSafe(scalars) {
                pieces.append((String(grapheme), scalars.count))
            } else {
                append(scalars, to: &pieces)
            }
        }
        return pieces
    }

    package static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: true
        // Control characters.
        case 0..<0x20, 0x7F..<0xA0: false
        // Direction marks.
        case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x206F: false
        // Line and paragraph separators.
        case 0x2028...0x2029: false
        // Invisible: soft hyphen, zero width space, byte order mark and others.
        case 0xAD, 0x180E, 0x200B, 0x2060...0x2065, 0xFEFF: false
        // Interlinear annotations, and tags outside a flag.
        case 0xFFF9...0xFFFB, 0xE0000...0xE007F: false
        default: true
        }
    }

    package static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u{" + String(scalar.value, radix: 16) + "}"
    }

    private static func isSafe(_ scalars: Character.UnicodeScalarView) -> Bool {
        if scalars.allSatisfy(isSafe) { return true }
        // A flag such as Scotland's is a black flag, tags, and an end tag.
        return scalars.first?.value == 0x1F3F4 && scalars.last?.value == 0xE007F
            && scalars.dropFirst().allSatisfy { (0xE0030...0xE007F).contains($0.value) }
    }

    private static func append(
        _ scalars: Character.UnicodeScalarView,
        to pieces: inout [(text: String, scalars: Int)]
    ) {
        var kept = String.UnicodeScalarView()
        var keptCount = 0
        for scalar in scalars {
            guard isSafe(scalar) else {
                if keptCount > 0 { pieces.append((String(kept), keptCount)) }
                pieces.append((escape(scalar), 1))
                kept = String.UnicodeScalarView()
                keptCount = 0
                continue
            }
            keptCount += 1
            if keptCount <= scalarsPerGraphemeMax { kept.append(scalar) }
        }
        if keptCount > 0 { pieces.append((String(kept), keptCount)) }
    }
}

/// Escapes control characters in JSON with the escapes of JSON.
enum VisibleJSON {
    static func line(_ json: ArraySlice<UInt8>, isTerminal: Bool) -> [UInt8] {
        (isTerminal ? visible(json) : Array(json)) + [UInt8(ascii: "\n")]
    }

    static func visible(_ json: some Collection<UInt8>) -> [UInt8] {
        if json.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return Array(json) }
        var shown: [UInt8] = []
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if VisibleText.isSafe(scalar) {
                shown.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            } else {
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    let digits = String(unit, radix: 16)
                    shown.append(contentsOf: "\\u".utf8)
                    shown.append(contentsOf: String(repeating: "0", count: 4 - digits.count).utf8)
                    shown.append(contentsOf: digits.utf8)
                }
            }
        }
        return shown
    }
}

extension String {
    /// Replaces scalars instead of characters, because a sign and a combining mark form one character.
    func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var replaced = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let text = replacement(scalar) {
                replaced.append(contentsOf: text.unicodeScalars)
            } else {
                replaced.append(scalar)
            }
        }
        return String(replaced)
    }
}
