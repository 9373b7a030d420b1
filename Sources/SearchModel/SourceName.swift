/// The name of a source, `account.part`, for example `kakao.blog`.
///
/// Invariant: two or more parts of `a–z`, `0–9`, `-` and `_`, joined by dots; at most `bytesMax` bytes.
package struct SourceName: Comparable, Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 64

    package let text: String

    /// Fails when the text is not a source name.
    package init?(_ text: String) {
        guard (3...Self.bytesMax).contains(text.utf8.count) else { return nil }
        var dots = 0
        var last = Self.dot
        for byte in text.utf8 {
            // A part has a byte at least.
            guard byte == Self.dot ? last != Self.dot : Self.isNameByte(byte) else { return nil }
            if byte == Self.dot { dots += 1 }
            last = byte
        }
        guard dots >= 1, last != Self.dot else { return nil }
        self.text = text
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

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
