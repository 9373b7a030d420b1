import Glibc

/// What compares and checks runs of bytes.
enum ByteChecks {
    /// A checksum: products of 64 bits folded to 64, over four words that need not wait for each other's products.
    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        let seed: UInt64 = 0x5EA2_C4D0
        var (first, second, third, fourth) = (seed, ~seed, seed &+ 1, ~seed &+ 1)
        var offset = 0
        while offset + 32 <= bytes.count {
            // 32 bytes from `offset` lie within the buffer.
            first = unsafe fold(first ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            second = unsafe fold(second ^ bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
            third = unsafe fold(third ^ bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
            fourth = unsafe fold(fourth ^ bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
            offset += 32
        }
        let rest = unsafe hash(UnsafeRawBufferPointer(rebasing: bytes[offset...]), seed: UInt64(bytes.count))
        return fold(fold(fold(fold(first) ^ second) ^ third) ^ fourth) ^ rest
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
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

    private static func fold(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }

    /// Whether two runs hold the same bytes.
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress else {
            return left.count == right.count
        }
        // Both run over `count` bytes.
        return unsafe memcmp(first, second, left.count) == 0
    }
}
