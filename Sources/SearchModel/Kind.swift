/// What a hit is: a blog post, a book, an app and so on.
///
/// Source files may bring kinds of their own.
package struct Kind: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 32

    package let text: String

    /// Fails unless the text is `a–z` and digits, beginning with a letter.
    package init?(_ text: some StringProtocol) {
        guard (1...Self.bytesMax).contains(text.utf8.count), let first = text.utf8.first,
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
            text.utf8.allSatisfy({
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            })
        else { return nil }
        self.text = String(text)
    }

    package var description: String { text }
}
