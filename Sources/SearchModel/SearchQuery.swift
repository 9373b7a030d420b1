import Hangul
import JSON

/// A query in its canonical spelling.
///
/// Invariant: the text has 1 to `bytesMax` bytes in NFC, single spaces between words, no blanks at the ends, and no
/// control characters.
package struct SearchQuery: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 1024

    package let text: String

    /// Canonicalises a text; fails if the result is empty or too long, or if the text is longer than `bytesMax * 4`.
    package init?(_ written: String) {
        if Self.isPlain(written) {
            text = written
            return
        }
        // The normalisation of a longer text would be costly.
        guard written.utf8.count <= Self.bytesMax * 4 else { return nil }
        let canonical = NormalForm.line(written)
        guard (1...Self.bytesMax).contains(canonical.utf8.count) else { return nil }
        text = canonical
    }

    package var description: String { text }

    // Texts in NFC are equal if their bytes are equal. String comparison would normalise both again.

    package static func == (left: SearchQuery, right: SearchQuery) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(text))
    }

    /// Whether a text is certainly canonical; this is faster than a normalisation.
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
    /// Whether the query ends with an unfinished Hangul syllable: a syllable and one single letter, such as `고양ㅇ`.
    ///
    /// With `whileTyping`, a single letter at the beginning of a word is also unfinished. Several single letters, such
    /// as `ㅋㅋㅋ`, are complete.
    package func isUnfinished(whileTyping: Bool) -> Bool {
        UnfinishedSyllable.isEnd(of: text, whileTyping: whileTyping)
    }
}

extension SearchQuery {
    /// A hash that replaces the query where its text must not be stored.
    ///
    /// Queries with the same digest are removed together.
    package var digest: Int64 { Self.digest(of: text) }

    /// The digest of a query's text; files contain it, so the algorithm must never change.
    package static func digest(of text: String) -> Int64 {
        Int64(bitPattern: StableHash.hash(text.utf8.span))
    }
}

package enum Sort: String, CaseIterable, Hashable, Sendable {
    case relevance
    case recency
    case title

    /// Hashes a number, because hashing the raw value takes several times as long.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .relevance: hasher.combine(UInt8(0))
        case .recency: hasher.combine(UInt8(1))
        case .title: hasher.combine(UInt8(2))
        }
    }
}
