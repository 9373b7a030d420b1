@_spi(_Unicode) import Swift

/// Converts text to normal form C in linear time, and keeps at most 30 combining marks in a row.
package enum NormalForm {
    /// The maximum number of combining scalars in a row, as in UAX #15.
    package static let joiningMax = 30

    package static func composed(_ text: String) -> String.UnicodeScalarView {
        guard !isPlain(text) else { return text.unicodeScalars }
        // Normalisation splits some marks in two, so the limit is applied again.
        return bounded(String(String.UnicodeScalarView(bounded(text)._nfc))).unicodeScalars
    }

    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0..<0x300, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
            default: false
            }
        }
    }

    /// Returns one line in normal form C, with single blanks and without control characters.
    package static func line(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var blankPending = false
        for scalar in composed(text) {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
                blankPending = !scalars.isEmpty
            } else {
                if blankPending { scalars.append(" ") }
                blankPending = false
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > joiningMax, hasLongRun(text) else { return text }
        var kept = String.UnicodeScalarView()
        var joining = 0
        for scalar in text.unicodeScalars {
            joining = joins(scalar) ? joining + 1 : 0
            if joining <= joiningMax { kept.append(scalar) }
        }
        return String(kept)
    }

    private static func hasLongRun(_ text: String) -> Bool {
        var joining = 0
        for scalar in text.unicodeScalars {
            joining = joins(scalar) ? joining + 1 : 0
            if joining > joiningMax { return true }
        }
        return false
    }

    /// Returns whether normalisation may combine a scalar with the previous scalar or swap the two.
    package static func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x300, 0x309B...0x312F, 0x3131..<0xA000, 0xAC00..<0xD7A4: false
        case 0x1160...0x11FF, 0xD7B0...0xD7FB: true
        default:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: true
            default: false
            }
        }
    }
}

/// Replaces full-width and half-width characters with their ordinary forms.
enum CharacterWidth {
    /// The ordinary forms of U+FF66 to U+FF9F; the last two are combining sound marks.
    private static let katakana = Array(
        "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}".unicodeScalars
    )

    static func folded(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { (0xFF01...0xFFDC).contains($0.value) }) else { return text }
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { folded.append(self.folded(scalar)) }
        return String(folded)
    }

    static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let value = scalar.value
        let ordinary: UInt32 =
            switch value {
            case 0xFF01...0xFF5E: value - 0xFF01 + 0x21
            case 0xFF66...0xFF9F: katakana[Int(value - 0xFF66)].value
            case 0xFFA1...0xFFBE: value - 0xFFA1 + 0x3131
            case 0xFFC2...0xFFC7: value - 0xFFC2 + 0x314F
            case 0xFFCA...0xFFCF: value - 0xFFCA + 0x3155
            case 0xFFD2...0xFFD7: value - 0xFFD2 + 0x315B
            case 0xFFDA...0xFFDC: value - 0xFFDA + 0x3161
            default: value
            }
        return Unicode.Scalar(ordinary) ?? scalar
    }
}
