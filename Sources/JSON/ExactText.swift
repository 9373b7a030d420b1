import Glibc

/// A text that is compared by its bytes.
///
/// `String` needs quadratic time to compare many combining marks.
package struct ExactText: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(stringLiteral text: String) {
        self.text = text
    }

    package var description: String { text }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        // The bytes are valid during the closure, which only reads them.
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(text.utf8.count)
    }
}

/// Replacements for `==`, `hasPrefix` and `init(rawValue:)`. They compare bytes in linear time.
extension String {
    package func hasSameBytes(as other: String) -> Bool { utf8.span.hasSameBytes(as: other.utf8.span) }
}

extension Span<UInt8> {
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        // Both buffers are valid during the calls and have the same length.
        return unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right in
                guard let left = left.baseAddress, let start = right.baseAddress else { return true }
                return unsafe memcmp(left, start, right.count) == 0
            }
        }
    }
}

extension StringProtocol {
    package func hasBytePrefix(_ prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8)
    }
}

extension RawRepresentable<String> where Self: CaseIterable {
    package init?(exactly text: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) else { return nil }
        self = found
    }
}

extension String {
    package init(validated bytes: Span<UInt8>) {
        // The bytes come from a parser, which accepts only valid UTF-8.
        unsafe self.init(copying: UTF8Span(unchecked: bytes))
    }
}

/// Public and inlinable, because other modules use these properties in inner loops.
extension UInt8 {
    @inlinable public var isDigit: Bool { self &- 0x30 < 10 }

    @inlinable public var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    @inlinable public var isSmallLetter: Bool { self &- 0x61 < 26 }

    @inlinable public var isHexDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }

    package var hexValue: UInt8? {
        guard isHexDigit else { return nil }
        return isDigit ? self & 0x0F : (self & 0x0F) + 9
    }

    @inlinable public var lowered: UInt8 { isLetter ? self | 0x20 : self }

    package var raised: UInt8 { isSmallLetter ? self & ~0x20 : self }
}
