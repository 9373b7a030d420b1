import Hangul
import JSON

/// A query in the one spelling that the cache, the sources and the answer share.
///
/// Invariant: NFC, no blanks at the ends, single spaces between words, 1 to `bytesMax` bytes, no control characters.
package struct SearchQuery: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 1024

    package let text: String

    /// Canonicalises what a caller wrote; nil when nothing is left, or more than `bytesMax` bytes are.
    package init?(_ written: String) {
        if Self.isPlain(written) {
            text = written
            return
        }
        // A longer text can't shrink below the limit by much; refuse before paying for its normalisation.
        guard written.utf8.count <= Self.bytesMax * 4 else { return nil }
        let canonical = NormalForm.line(written)
        guard (1...Self.bytesMax).contains(canonical.utf8.count) else { return nil }
        text = canonical
    }

    package var description: String { text }

    // Texts in NFC are equal when their bytes are; String would normalise both again each time.

    package static func == (left: SearchQuery, right: SearchQuery) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(text))
    }

    /// Whether a text has the one spelling for sure: printable ASCII, Hangul syllables, kana and Han, none of which any
    /// normal form changes or joins, in words with single spaces between them.
    private static func isPlain(_ written: String) -> Bool {
        guard (1...bytesMax).contains(written.utf8.count) else { return false }
        var isAfterBlank = true
        for scalar in written.unicodeScalars {
            switch scalar.value {
            case 0x20 where isAfterBlank: return false
            case 0x20: isAfterBlank = true
            case 0x21...0x7E, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: isAfterBlank = false
            default: return false
            }
        }
        return !isAfterBlank
    }
}

extension SearchQuery {
    /// Whether the query ends in a syllable that is still being typed: a single jamo behind a syllable, as in `고양ㅇ`.
    ///
    /// `whileTyping`, a single jamo that begins a word, too. Several in a row, as `ㅋㅋㅋ`, are what people write.
    package func isUnfinished(whileTyping: Bool) -> Bool { HalfTyped.isEnd(of: text, whileTyping: whileTyping) }
}

extension SearchQuery {
    /// Stands for the query where its letters must not be kept: two queries that share it are removed together.
    package var digest: Int64 { Self.digest(of: text) }

    /// The digest of a query's text.
    ///
    /// It is stored in files, so it must never change.
    package static func digest(of text: String) -> Int64 {
        Int64(bitPattern: StableHash.hash(text.utf8.span))
    }
}

/// The orders a caller may ask for.
package enum Sort: String, CaseIterable, Hashable, Sendable {
    case relevance
    case recency
    case title

    /// Not by its text, which takes several times as long.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .relevance: hasher.combine(UInt8(0))
        case .recency: hasher.combine(UInt8(1))
        case .title: hasher.combine(UInt8(2))
        }
    }
}
