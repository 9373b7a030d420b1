/// FNV-1a of 64 bits: the same on every machine and in every run, for keys that are stored and for repeatable orders.
///
/// It is never changed, since its values are stored in files. Anyone can make collisions.
package enum StableHash {
    package static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of some bytes, or of those before them if their hash is the seed.
    package static func hash(_ bytes: Span<UInt8>, seed: UInt64 = seed) -> UInt64 {
        var hash = seed
        for offset in bytes.indices { hash = (hash ^ UInt64(bytes[offset])) &* 0x100_0000_01B3 }
        return hash
    }

    /// The hash of a text as 16 lower-case hexadecimal digits.
    package static func text(of text: String) -> String { digits(of: hash(text.utf8.span)) }

    /// A hash as 16 lower-case hexadecimal digits.
    package static func digits(of hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
