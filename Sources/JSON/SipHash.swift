/// SipHash-2-4, a 64-bit hash with a key.
package struct SipHash {
    /// The key for the ids of hits.
    ///
    /// It is not secret. If it changes, every id changes.
    package static let key: (UInt64, UInt64) = (0x7365_6172_6368_6420, 0x6869_7420_6964_2031)

    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    package static func hash(_ bytes: Span<UInt8>, key: (UInt64, UInt64) = key) -> UInt64 {
        var state = SipHash(key)
        var index = 0
        while index + 8 <= bytes.count {
            // The load is bounds-checked, and any eight bytes are a valid integer.
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            state.absorb(word.littleEndian)
            index += 8
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for offset in index..<bytes.count { last |= UInt64(bytes[offset]) << UInt64((offset - index) * 8) }
        state.absorb(last)
        state.v2 ^= 0xFF
        for _ in 0..<4 { state.round() }
        return state.v0 ^ state.v1 ^ state.v2 ^ state.v3
    }

    private init(_ key: (UInt64, UInt64)) {
        v0 = key.0 ^ 0x736F_6D65_7073_6575
        v1 = key.1 ^ 0x646F_7261_6E64_6F6D
        v2 = key.0 ^ 0x6C79_6765_6E65_7261
        v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    private mutating func absorb(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
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
    private func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
}
