import JSON

/// SipHash-2-4 with a fixed key, for the ids of hits: the same 64 bits on every machine and in every run.
///
/// The key is public, so anyone can compute collisions. Accidental ones are as rare as 64 bits allow.
enum SipHash {
    /// The key is part of the id format: changing it changes the id of every hit.
    static let key: (UInt64, UInt64) = (0x7365_6172_6368_6420, 0x6869_7420_6964_2031)

    static func hash(_ bytes: Span<UInt8>, key: (UInt64, UInt64) = key) -> UInt64 {
        var v0 = key.0 ^ 0x736F_6D65_7073_6575
        var v1 = key.1 ^ 0x646F_7261_6E64_6F6D
        var v2 = key.0 ^ 0x6C79_6765_6E65_7261
        var v3 = key.1 ^ 0x7465_6462_7974_6573
        func rotate(_ word: inout UInt64, _ bits: UInt64) { word = word << bits | word >> (64 - bits) }
        func round() {
            v0 &+= v1
            rotate(&v1, 13)
            v1 ^= v0
            rotate(&v0, 32)
            v2 &+= v3
            rotate(&v3, 16)
            v3 ^= v2
            v0 &+= v3
            rotate(&v3, 21)
            v3 ^= v0
            v2 &+= v1
            rotate(&v1, 17)
            v1 ^= v2
            rotate(&v2, 32)
        }
        func absorb(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }
        var index = 0
        while index + 8 <= bytes.count {
            // The load is bounds-checked, and any eight bytes are a valid integer.
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            absorb(word.littleEndian)
            index += 8
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for offset in index..<bytes.count { last |= UInt64(bytes[offset]) << UInt64((offset - index) * 8) }
        absorb(last)
        v2 ^= 0xFF
        for _ in 0..<4 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }
}
