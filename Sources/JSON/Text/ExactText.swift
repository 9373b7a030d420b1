/// A text that equals another only when its bytes of UTF-8 do.
///
/// `String` compares and hashes by canonical equivalence, in time quadratic in a run of combining marks, and anyone may
/// send a run of a mebibyte. So what comes from outside is a key, an element of a set or a `switch`'s subject as an
/// `ExactText` only.
package struct ExactText: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(stringLiteral text: String) {
        self.text = text
    }

    package var description: String { text }

    /// - Complexity: O(n) in bytes, O(1) when the lengths differ.
    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    /// - Complexity: O(n) in bytes.
    package func hash(into hasher: inout Hasher) {
        var text = text
        // The bytes live for the closure, which reads them only.
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(text.utf8.count)
    }
}
