/// Finding one sequence of bytes in others, by skipping (Horspool's way): the longer it is, the fewer bytes are read.
struct ByteSearch: Sendable {
    private let needle: [UInt8]
    /// How far the search may go on when a byte stands under the needle's last one.
    private let skips: [Int]

    init(_ needle: [UInt8]) {
        self.needle = needle
        var skips = [Int](repeating: max(needle.count, 1), count: 256)
        for (index, byte) in needle.dropLast().enumerated() { skips[Int(byte)] = needle.count - 1 - index }
        self.skips = skips
    }

    /// Whether the bytes hold the needle; every sequence holds an empty one.
    ///
    /// - Complexity: O(n / m) usually, O(n · m) at worst.
    func isFound(in bytes: Span<UInt8>) -> Bool { range(in: bytes) != nil }

    /// Where the needle stands first, at or behind a place; nil when it does not.
    func range(in bytes: Span<UInt8>, from start: Int = 0) -> Range<Int>? {
        let needle = needle.span
        let skips = skips.span
        var end = start + needle.count
        while end <= bytes.count {
            let start = end - needle.count
            var length = needle.count
            while length > 0, bytes[start + length - 1] == needle[length - 1] { length -= 1 }
            if length == 0 { return start..<end }
            end += skips[Int(bytes[end - 1])]
        }
        return nil
    }
}
