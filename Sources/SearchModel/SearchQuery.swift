import Hangul
import JSON

/// A query in one standard form: NFC, 1 to `bytesMax` bytes, single spaces, no control characters.
package struct SearchQuery: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 1024

    package let text: String

    package init?(_ written: String) {
        if Self.isPlain(written) {
            text = written
            return
        }
        // Limits the cost of the normalisation.
        guard written.utf8.count <= Self.bytesMax * 4 else { return nil }
        let canonical = NormalForm.line(written)
        guard (1...Self.bytesMax).contains(canonical.utf8.count) else { return nil }
        text = canonical
    }

    package var description: String { text }

    // Both texts are in NFC, so equal texts have equal bytes.

    package static func == (left: SearchQuery, right: SearchQuery) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(text))
    }

    /// Recognises most queries in standard form, faster than a normalisation.
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
    /// Whether the query ends with an incomplete Hangul syllable, as in `고양ㅇ`; `ㅋㅋㅋ` is complete.
    package func isUnfinished(whileTyping: Bool) -> Bool {
        UnfinishedSyllable.isEnd(of: text, whileTyping: whileTyping)
    }
}

extension SearchQuery {
    /// A hash of the text, stored where the text itself must not be stored.
    package var digest: Int64 { Self.digest(of: text) }

    /// Files contain digests, so the algorithm must never change.
    package static func digest(of text: String) -> Int64 {
        Int64(bitPattern: StableHash.hash(text.utf8.span))
    }
}

package enum Sort: String, CaseIterable, Hashable, Sendable {
    case relevance
    case recency
    case title

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .relevance: hasher.combine(UInt8(0))
        case .recency: hasher.combine(UInt8(1))
        case .title: hasher.combine(UInt8(2))
        }
    }
}
