/// The name of a source, `account.part`, for example `kakao.blog`.
///
/// Invariant: two or more parts of `a–z`, `0–9`, `-` and `_`, joined by dots; at most `bytesMax` bytes.
package struct SourceName: Comparable, Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 64

    package let text: String

    /// Fails when the text is not a source name.
    package init?(_ text: some StringProtocol) {
        guard (3...Self.bytesMax).contains(text.utf8.count) else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isNameByte) }) else { return nil }
        self.text = String(text)
    }

    /// What holds the keys: the part before the first dot.
    package var account: String {
        String(text.prefix { $0 != "." })
    }

    package var description: String { text }

    package static func < (left: SourceName, right: SourceName) -> Bool {
        left.text < right.text
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
