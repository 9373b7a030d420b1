import Glibc

/// Hashes and compares runs of bytes, eight at a time.
enum KeyHash {
    /// A seeded hash: products of 64 bits folded to 64, over eight bytes a step.
    static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            // Eight bytes from `offset` lie within the buffer.
            hash = unsafe fold(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = unsafe rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return fold(fold(hash ^ rest) ^ seed)
    }

    /// Whether two runs of the same length hold the same bytes.
    static func equal(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress else {
            return left.count == right.count
        }
        // Both run over `count` bytes.
        return unsafe memcmp(first, second, left.count) == 0
    }

    private static func fold(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
