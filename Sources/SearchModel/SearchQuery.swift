@_spi(_Unicode) import Swift

/// A query in the one spelling that the cache, the sources and the answer share.
///
/// Invariant: NFC, no blanks at the ends, single spaces between words, 1 to `bytesMax` bytes, no control characters.
package struct SearchQuery: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 1024

    package let text: String

    /// Canonicalises what a caller wrote; nil when nothing is left, or more than `bytesMax` bytes are.
    package init?(_ written: String) {
        // A longer text can't shrink below the limit by much; refuse before paying for its normalisation.
        guard written.utf8.count <= Self.bytesMax * 4 else { return nil }
        var scalars = String.UnicodeScalarView()
        var blankPending = false
        for scalar in written._nfc {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
                blankPending = !scalars.isEmpty
            } else {
                if blankPending { scalars.append(" ") }
                blankPending = false
                scalars.append(scalar)
            }
        }
        let canonical = String(scalars)
        guard (1...Self.bytesMax).contains(canonical.utf8.count) else { return nil }
        text = canonical
    }

    package var description: String { text }
}
