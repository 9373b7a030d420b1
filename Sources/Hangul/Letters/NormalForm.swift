@_spi(_Unicode) import Swift

/// Normal form C in linear time.
///
/// Normalising sorts each run of combining marks, in time quadratic in its length. No language has more than a handful
/// in a row; UAX #15 calls a text with at most 30 safe for streams, and what is beyond those is dropped here.
package enum NormalForm {
    /// Scalars in a row that join the one before them; more are dropped.
    package static let joiningMax = 30

    /// The scalars of a text in normal form C.
    ///
    /// - Complexity: O(n) in the scalars of the text.
    package static func composed(_ text: String) -> String.UnicodeScalarView {
        guard !isPlain(text) else { return text.unicodeScalars }
        // Some marks become two, so that there may be too many again.
        return bounded(String(String.UnicodeScalarView(bounded(text)._nfc))).unicodeScalars
    }

    /// Whether all of it is what no normal form changes: Latin letters, syllables, most Chinese characters.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0..<0x300, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
            default: false
            }
        }
    }

    /// A text on one line, in normal form C: single blanks, none at its ends, no control characters.
    ///
    /// - Complexity: O(n) in the scalars of the text.
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

    /// The text without what is beyond the limit; itself when nothing is.
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

    /// Whether a scalar may compose with what stands before it, or swap with it: marks, and the vowels and final
    /// consonants of Hangul.
    package static func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Latin letters, kana without the sound marks, Chinese characters, syllables: most of what there is.
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
