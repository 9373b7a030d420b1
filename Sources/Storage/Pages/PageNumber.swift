/// What a page is found by on disk, in place of its key, which is many times as long.
///
/// It lies in files, so it must never change. Of two keys with the same number only one has a page at a time.
enum PageNumber {
    /// FNV-1a, 64 bits: two of a million keys share one with a chance of 1 in 37 million.
    static func of(_ key: [UInt8]) -> UInt64 {
        var number: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key {
            number ^= UInt64(byte)
            number &*= 0x100_0000_01B3
        }
        return number
    }
}
