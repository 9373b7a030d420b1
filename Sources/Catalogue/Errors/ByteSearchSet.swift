/// Searches a text for several sequences of bytes in one pass (Wu and Manber's algorithm).
///
/// A window as long as the shortest sequence moves over the text; its last two bytes decide how far it may skip.
struct ByteSearchSet: Sendable {
    /// A shorter sequence would let the window skip next to nothing.
    static let needleBytesMin = 4

    private static let skipBits = 12
    private let needles: [[UInt8]]
    /// The length of the shortest needle, at most 255; 0 when there are no needles.
    private let window: Int
    /// How far the window may skip, by the hash of its last two bytes; 0 where a needle may stand in it.
    private let skips: [UInt8]

    /// Takes needles of `needleBytesMin` bytes at least.
    init(_ needles: [[UInt8]]) {
        self.needles = needles
        window = min(needles.map(\.count).min() ?? 0, Int(UInt8.max))
        // Two bytes that no needle has in its window: all but one of them may be skipped.
        var skips = [UInt8](repeating: UInt8(max(window - 1, 0)), count: 1 << Self.skipBits)
        for needle in needles {
            for end in 2...window {
                let slot = Self.slot(UInt16(needle[end - 2]) | UInt16(needle[end - 1]) << 8)
                skips[slot] = min(skips[slot], UInt8(window - end))
            }
        }
        self.skips = skips
    }

    /// Whether the bytes hold one of the needles; false when there is none to look for.
    ///
    /// - Complexity: O(n / m) usually in the shortest needle's m bytes, O(n · k) at worst in those of all needles.
    func findsAny(in bytes: Span<UInt8>) -> Bool {
        guard window > 0 else { return false }
        var end = window
        while true {
            let found = nextSkip(in: bytes, from: end)
            end = found.end
            guard end <= bytes.count else { return false }
            if found.skip == 0, stands(in: bytes, at: end - window) { return true }
            end += max(1, found.skip)
        }
    }

    /// The first end of a window, at or behind one, that may skip less than as far as can be; behind the bytes when all
    /// may.
    private func nextSkip(in bytes: Span<UInt8>, from first: Int) -> (end: Int, skip: Int) {
        // Both buffers are read within the call only.
        unsafe bytes.withUnsafeBytes { text in
            unsafe skips.withUnsafeBufferPointer { skips in
                let longest = window - 1
                var end = first
                while end <= text.count {
                    // A window has four bytes at least, and its end lies in the text.
                    let pair = unsafe text.loadUnaligned(fromByteOffset: end &- 2, as: UInt16.self).littleEndian
                    // A slot is below the table's count.
                    let skip = unsafe Int(skips[Self.slot(pair)])
                    if skip != longest { return (end, skip) }
                    end &+= longest
                }
                return (end, longest)
            }
        }
    }

    /// Whether one of the needles begins at an offset.
    private func stands(in bytes: Span<UInt8>, at start: Int) -> Bool {
        for needle in needles where needle.count <= bytes.count - start {
            var length = 0
            while length < needle.count, bytes[start + length] == needle[length] { length += 1 }
            if length == needle.count { return true }
        }
        return false
    }

    @inline(__always)
    private static func slot(_ pair: UInt16) -> Int {
        Int((pair &* 0x9E37) >> UInt16(16 - skipBits))
    }
}
