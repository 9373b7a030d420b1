import JSON

/// The name of a source, `account.part`, for example `kakao.blog`.
///
/// Invariant: but for `library` and `seen` two or more parts of `a–z`, `0–9`, `-` and `_`, joined by dots; at most
/// `bytesMax` bytes.
package struct SourceName: Comparable, Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 64

    package let text: String
    /// Differs between most names and is hashed instead of the text: every search looks names up dozens of times.
    private let number: UInt64

    /// Fails when the text is not a source name.
    package init?(_ text: String) {
        guard (3...Self.bytesMax).contains(text.utf8.count) else { return nil }
        var dots = 0
        var last = Self.dot
        var number: UInt64 = 0
        for byte in text.utf8 {
            // A part has a byte at least.
            guard byte == Self.dot ? last != Self.dot : Self.isNameByte(byte) else { return nil }
            if byte == Self.dot { dots += 1 }
            last = byte
            number = (number ^ UInt64(byte)) &* Self.factor
        }
        guard dots >= 1, last != Self.dot else { return nil }
        self.text = text
        self.number = number
    }

    /// Not from outside: for the names of what users have here, which have one part.
    private init(part: String) {
        text = part
        number = part.utf8.reduce(0) { ($0 ^ UInt64($1)) &* Self.factor }
    }

    /// What the user who asks has saved.
    package static let library = SourceName(part: "library")
    /// What searches of the user who asks have brought.
    package static let seen = SourceName(part: "seen")
    /// The queue of pictures that are fetched; nothing that can be searched.
    package static let pictures = SourceName(part: "pictures")

    package func hash(into hasher: inout Hasher) {
        hasher.combine(number)
    }

    package static func == (left: SourceName, right: SourceName) -> Bool {
        left.number == right.number && left.text == right.text
    }

    /// What holds the keys: the part before the first dot.
    package var account: String {
        String(text[..<(text.utf8.firstIndex(of: Self.dot) ?? text.endIndex)])
    }

    package var description: String { text }

    package static func < (left: SourceName, right: SourceName) -> Bool {
        left.text < right.text
    }

    private static let dot = UInt8(ascii: ".")
    /// Odd, so that no byte is lost by it.
    private static let factor: UInt64 = 0x100_0000_01B3

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isSmallLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
