import Glibc

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

/// What `==`, `hasPrefix` and `init(rawValue:)` answer, by bytes of UTF-8 and so in linear time whatever
/// the text.
extension String {
    /// - Complexity: O(n) in bytes, O(1) when the lengths differ.
    package func hasSameBytes(as other: String) -> Bool {
        let (left, right) = (utf8.span, other.utf8.span)
        guard left.count == right.count else { return false }
        // Both buffers are read within the calls only, and have as many bytes.
        return unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { right in
                guard let left = left.baseAddress, let start = right.baseAddress else { return true }
                return unsafe memcmp(left, start, right.count) == 0
            }
        }
    }
}

extension StringProtocol {
    /// - Complexity: O(n) in the bytes of the prefix.
    package func hasBytePrefix(_ prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8)
    }
}

extension RawRepresentable<String> where Self: CaseIterable {
    /// The case whose raw value has just these bytes.
    ///
    /// - Complexity: O(n + cases) in the bytes of the text.
    package init?(exactly text: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) else { return nil }
        self = found
    }
}

extension String {
    /// A string of bytes that are known to be UTF-8, since they come out of a document or line that was read.
    package init(validated bytes: Span<UInt8>) {
        // The caller has the bytes from a reader, which refuses what is not UTF-8.
        unsafe self.init(copying: UTF8Span(unchecked: bytes))
    }
}

/// What a byte is as a character of ASCII.
///
/// Public and inlinable, since other modules ask it of every byte of a text.
extension UInt8 {
    @inlinable public var isDigit: Bool { self &- 0x30 < 10 }

    /// Whether it is a letter of either case.
    @inlinable public var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    @inlinable public var isSmallLetter: Bool { self &- 0x61 < 26 }

    /// Whether it is a hexadecimal digit of either case.
    @inlinable public var isHexDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }

    /// The value of a hexadecimal digit of either case; nil of any other byte.
    package var hexValue: UInt8? {
        guard isHexDigit else { return nil }
        return isDigit ? self & 0x0F : (self & 0x0F) + 9
    }

    /// The same letter in lower case, if it is a capital one.
    @inlinable public var lowered: UInt8 { isLetter ? self | 0x20 : self }

    /// The same letter as a capital one, if it is a small one.
    package var raised: UInt8 { isSmallLetter ? self & ~0x20 : self }
}
