/// The FNV-1a hash with 64 bits.
///
/// Files contain these hashes, so the algorithm must never change.
package enum StableHash {
    package static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    /// To add bytes to an earlier hash, pass that hash as `seed`.
    package static func hash(_ bytes: Span<UInt8>, seed: UInt64 = seed) -> UInt64 {
        var hash = seed
        for offset in bytes.indices { hash = (hash ^ UInt64(bytes[offset])) &* 0x100_0000_01B3 }
        return hash
    }

    package static func text(of text: String) -> String { digits(of: hash(text.utf8.span)) }

    package static func digits(of hash: UInt64) -> String {
        var digits = [16 of UInt8](repeating: 0)
        for index in digits.indices {
            let value = UInt8(hash >> UInt64(60 - 4 * index) & 0xF)
            digits[index] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        }
        return String(validated: digits.span)
    }
}
