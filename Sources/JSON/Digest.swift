/// Computes SHA-256 hashes.
package enum Digest {
    private static let constants: [UInt32] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
        0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
        0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
        0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
        0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
        0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
        0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2,
    ]

    /// Returns the first 128 bits of the hash as 32 hexadecimal digits.
    package static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(
            hash(bytes).prefix(4).flatMap { word in
                stride(from: 28, through: 0, by: -4).map { digits[Int(word >> UInt32($0)) & 15] }
            }
        )
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt32] {
        var state: [UInt32] = [
            0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
        ]
        let bits = UInt64(bytes.count) * 8
        var padded = bytes + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
        for start in stride(from: 0, to: padded.count, by: 64) { add(padded[start..<start + 64], to: &state) }
        return state
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var parts = state
        for index in 0..<64 {
            let (a, e) = (parts[0], parts[4])
            let choice = e & parts[5] ^ ~e & parts[6]
            let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = parts[7] &+ sum &+ choice &+ constants[index] &+ words[index]
            let majority = a & parts[1] ^ a & parts[2] ^ parts[1] & parts[2]
            let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
            parts = [first &+ second, a, parts[1], parts[2], parts[3] &+ first, e, parts[5], parts[6]]
        }
        for index in 0..<8 { state[index] = state[index] &+ parts[index] }
    }
}
