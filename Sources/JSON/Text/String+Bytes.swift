import Glibc

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
