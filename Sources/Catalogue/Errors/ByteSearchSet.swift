/// Finds out whether any of several sequences of bytes stands among others, in one pass over those (Wu and Manber's way).
///
/// A window as long as the shortest sequence goes over the bytes; by its last two bytes it is known how far it may skip.
struct ByteSearchSet: Sendable {
    /// A shorter sequence would let the window skip next to nothing.
    static let needleBytesMin = 4

    private static let skipBits = 12
    private let needles: [[UInt8]]
    /// As long as the shortest needle, at most what a skip can say; 0 when there are no needles.
    private let window: Int
    /// How far the window may skip, by two bytes' hash; nothing where a needle's window ends so.
    private let skips: [UInt8]

    /// Takes needles of `needleBytesMin` bytes at least.
    init(_ needles: [[UInt8]]) {
        self.needles = needles
        window = min(needles.map(\.count).min() ?? 0, Int(UInt8.max))
        // Two bytes that no needle has in its window: all but one of them may be skipped.
        var skips = [UInt8](repeating: UInt8(max(window - 1, 0)), count: 1 << Self.skipBits)
        for needle in needles {
            for end in 2...window {
                let slot = Self.slot(needle[end - 2], needle[end - 1])
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
        let skips = skips.span
        let longest = window - 1
        var end = window
        while true {
            // Nearly everywhere as far as can be: steps of one length, none of which waits for the one before.
            while end <= bytes.count, skips[Self.slot(bytes[end - 2], bytes[end - 1])] == longest { end += longest }
            guard end <= bytes.count else { return false }
            let skip = skips[Self.slot(bytes[end - 2], bytes[end - 1])]
            if skip == 0, stands(in: bytes, at: end - window) { return true }
            end += max(1, Int(skip))
        }
    }

    /// Whether one of the needles begins at a place.
    private func stands(in bytes: Span<UInt8>, at start: Int) -> Bool {
        for needle in needles where needle.count <= bytes.count - start {
            var length = 0
            while length < needle.count, bytes[start + length] == needle[length] { length += 1 }
            if length == needle.count { return true }
        }
        return false
    }

    @inline(__always)
    private static func slot(_ first: UInt8, _ second: UInt8) -> Int {
        Int(((UInt16(first) | UInt16(second) << 8) &* 0x9E37) >> UInt16(16 - skipBits))
    }
}
