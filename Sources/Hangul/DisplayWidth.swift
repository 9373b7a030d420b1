/// The number of terminal columns that a text takes.
package enum DisplayWidth {
    package static func columns(of grapheme: Character) -> Int {
        let scalars = grapheme.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.value < 0x300, scalars.count == 1 { return first.value < 0x20 || first.value == 0x7F ? 0 : 1 }
        // Terminals draw an emoji sequence as one picture.
        if scalars.contains(where: isDrawnAsEmoji) || hasEmojiSelector(scalars) { return 2 }
        return scalars.reduce(0) { $0 + columns(of: $1) }
    }

    package static func columns(of text: String) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    static func columns(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0xAD ? 0 : 1 }
        // In decomposed Hangul, the initial consonant takes both columns.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        if isWide(value) { return isCombining(scalar) ? 0 : 2 }
        return isCombining(scalar) ? 0 : 1
    }

    private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func isDrawnAsEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x231A && scalar.properties.isEmojiPresentation
    }

    private static func hasEmojiSelector(_ scalars: Character.UnicodeScalarView) -> Bool {
        guard let first = scalars.first, first.properties.isEmoji else { return false }
        return scalars.contains { $0.value == 0xFE0F || $0.value == 0x20E3 }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        var low = 0
        var high = wideRanges.count
        while low < high {
            let middle = (low + high) / 2
            if wideRanges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wideRanges.count && wideRanges[low].contains(value)
    }

    /// East Asian Width W or F in Unicode 16, without emoji, in ascending order.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
        0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376,
        0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
