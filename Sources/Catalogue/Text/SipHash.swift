import JSON

/// SipHash-2-4 with a key of its own: 64 bits that are the same on every machine and in every run, for the ids of hits.
///
/// Anyone can compute collisions, since the key is no secret; by chance they are as rare as 64 bits allow.
enum SipHash {
    /// The key is part of the format of ids: another key gives every hit another id.
    static let key: (UInt64, UInt64) = (0x7365_6172_6368_6420, 0x6869_7420_6964_2031)

    static func hash(_ bytes: Span<UInt8>, key: (UInt64, UInt64) = key) -> UInt64 {
        var state = State(key: key)
        forEachWord(of: bytes) { state.absorb($0) }
        return state.finished()
    }

    /// The hashes under two keys, made in one pass: neither waits for the other.
    static func hashes(_ bytes: Span<UInt8>, keys: (first: (UInt64, UInt64), second: (UInt64, UInt64)))
        -> (first: UInt64, second: UInt64)
    {
        var first = State(key: keys.first)
        var second = State(key: keys.second)
        forEachWord(of: bytes) { word in
            first.absorb(word)
            second.absorb(word)
        }
        return (first.finished(), second.finished())
    }

    /// The hash as 16 lower-case hexadecimal digits behind a prefix.
    static func text(of bytes: Span<UInt8>, after prefix: String = "") -> String {
        var text = Array(prefix.utf8)
        append(hash(bytes), to: &text)
        return String(validated: text.span)
    }

    /// Appends a number as 16 lower-case hexadecimal digits.
    static func append(_ number: UInt64, to text: inout [UInt8]) {
        let words = (digits(of: number >> 32), digits(of: number & 0xFFFF_FFFF))
        // Sixteen bytes of a local value, in the order in which they stand there.
        unsafe withUnsafeBytes(of: words) { unsafe text.append(contentsOf: $0) }
    }

    /// The eight digits of a number of 32 bits, the highest in the byte that stands first.
    private static func digits(of number: UInt64) -> UInt64 {
        var nibbles = (number | number << 16) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // Ten and more become letters.
        let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        let text = nibbles + 0x3030_3030_3030_3030 + letters * UInt64(UInt8(ascii: "a") - UInt8(ascii: "9") - 1)
        return text.bigEndian
    }

    /// Visits the words of eight bytes that are hashed, the last one made of what is left and the length.
    @inline(__always)
    private static func forEachWord(of bytes: Span<UInt8>, _ body: (UInt64) -> Void) {
        var index = 0
        while index + 8 <= bytes.count {
            // The load is checked against the end, and eight bytes of any value are a number.
            body(unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian)
            index += 8
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for offset in index..<bytes.count { last |= UInt64(bytes[offset]) << UInt64((offset - index) * 8) }
        body(last)
    }

    private struct State {
        var v0: UInt64
        var v1: UInt64
        var v2: UInt64
        var v3: UInt64

        init(key: (UInt64, UInt64)) {
            v0 = key.0 ^ 0x736F_6D65_7073_6575
            v1 = key.1 ^ 0x646F_7261_6E64_6F6D
            v2 = key.0 ^ 0x6C79_6765_6E65_7261
            v3 = key.1 ^ 0x7465_6462_7974_6573
        }

        @inline(__always)
        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        @inline(__always)
        mutating func finished() -> UInt64 {
            v2 ^= 0xFF
            for _ in 0..<4 { round() }
            return v0 ^ v1 ^ v2 ^ v3
        }

        @inline(__always)
        private mutating func round() {
            v0 = v0 &+ v1
            v1 = rotated(v1, 13) ^ v0
            v0 = rotated(v0, 32)
            v2 = v2 &+ v3
            v3 = rotated(v3, 16) ^ v2
            v0 = v0 &+ v3
            v3 = rotated(v3, 21) ^ v0
            v2 = v2 &+ v1
            v1 = rotated(v1, 17) ^ v2
            v2 = rotated(v2, 32)
        }

        @inline(__always)
        private func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
            word << bits | word >> (64 - bits)
        }
    }
}
